//! Reading a recording while pages are open.

use std::fmt;
use std::io::{self, BufRead, Read};

use bt_core::observe::{ReadError, Recorded};

use super::inspector::Inspector;

/// How much of a recording has been read. [`Inspector::read`] passes it to a function, and pages show it as text: `reading crowd.jsonl: 43 %`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The name of the recording.
    pub name: String,
    /// The number of bytes read so far.
    pub read: u64,
    /// The number of bytes of the recording; `None` if it is unknown, as for a pipe.
    pub bytes: Option<u64>,
}

impl fmt::Display for Progress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, read, bytes } = self;
        match bytes {
            // A file may grow while it is read.
            Some(bytes) => {
                write!(out, "reading {name}: {} %", (u128::from(*read) * 100 / u128::from((*bytes).max(1))).min(100))
            }
            None => write!(out, "reading {name}: {} MB", read / 1_000_000),
        }
    }
}

impl Inspector {
    /// Reads a recording and shows it, in a server of recordings: see [`open`](Self::open). Meanwhile, pages show the [`Progress`]. Returns an error for each
    /// line that was dropped.
    ///
    /// `name` is the name of the file, and `bytes` its size, if it is known. `changed` is called whenever the text of the progress changes.
    ///
    /// ```
    /// use bt_core::observe::RecordFile;
    /// use bt_core::prelude::*;
    /// use bt_inspector::Inspector;
    ///
    /// let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    /// let mut file = RecordFile::new(Vec::new(), "counter", &tree)?;
    /// tree.tick_with(&mut 0, &mut tree.memory(), &mut file.for_agent(0, secs(1)));
    /// let file = file.finish()?;
    ///
    /// let inspector = Inspector::open("127.0.0.1:0", [])?;
    /// println!("{}", inspector.url());                       // a page can be opened before the recording is there
    /// let bytes = file.len() as u64;
    /// let dropped = inspector.read("counter.jsonl", file.as_slice(), Some(bytes), |progress| println!("{progress}"))?;
    /// assert!(dropped.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if [`Recorded::read`] does. Then nothing of the recording is shown.
    pub fn read(
        &self,
        name: impl Into<String>,
        input: impl BufRead,
        bytes: Option<u64>,
        mut changed: impl FnMut(&Progress),
    ) -> Result<Vec<ReadError>, ReadError> {
        let loading = |text| self.shared.set_loading(text);
        let mut text = String::new();
        let progress = Progress { name: name.into(), read: 0, bytes };
        let counted = Counted {
            input,
            progress,
            each: |progress: &Progress| {
                let now = progress.to_string();
                if now != text {
                    loading(Some(now.clone()));
                    text = now;
                    changed(progress);
                }
            },
        };
        let recorded = Recorded::read(counted);
        let result = recorded.map(|mut recorded| {
            let dropped = std::mem::take(&mut recorded.dropped);
            self.shared.add_recording(recorded);
            dropped
        });
        // After its agents are there: a page that was opened with the link of an agent looks for it then.
        loading(None);
        result
    }
}

/// An input that counts what is read, and calls a function after each block.
struct Counted<R, F> {
    input: R,
    progress: Progress,
    each: F,
}

impl<R: BufRead, F: FnMut(&Progress)> BufRead for Counted<R, F> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        (self.each)(&self.progress);
        self.input.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.progress.read += bytes as u64;
        self.input.consume(bytes);
    }
}

impl<R: BufRead, F: FnMut(&Progress)> Read for Counted<R, F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(feature = "server")]
#[cfg(test)]
mod tests {
    use bt_core::observe::RecordFile;
    use bt_core::prelude::*;

    use super::*;

    fn recorded(ticks: u64) -> Vec<u8> {
        let tree = tree! { for u32: |n: &mut u32| *n += 1 };
        let mut file = RecordFile::new(Vec::new(), "counter", &tree).expect("memory is writable");
        for tick in 0..ticks {
            tree.tick_with(&mut 0, &mut tree.memory(), &mut file.for_agent(7, secs(tick)));
        }
        file.finish().expect("memory is writable")
    }

    #[test]
    fn progress_is_in_percent_or_in_megabytes() {
        let text = |read, bytes| Progress { name: "a.jsonl".to_owned(), read, bytes }.to_string();
        assert_eq!(text(0, Some(10)), "reading a.jsonl: 0 %");
        assert_eq!(text(439, Some(1000)), "reading a.jsonl: 43 %");
        assert_eq!(text(u64::MAX, Some(u64::MAX)), "reading a.jsonl: 100 %");
        assert_eq!(text(20, Some(10)), "reading a.jsonl: 100 %");
        assert_eq!(text(0, Some(0)), "reading a.jsonl: 0 %");
        assert_eq!(text(12_345_678, None), "reading a.jsonl: 12 MB");
    }

    #[test]
    fn each_text_is_reported_once_and_shown_until_the_recording_is_there() {
        let file = recorded(5000);
        let inspector = Inspector::open("127.0.0.1:0", []).expect("a port is free");
        let mut texts = Vec::new();
        let input = io::BufReader::with_capacity(100, &*file);
        let read = inspector.read("a.jsonl", input, Some(file.len() as u64), |progress| {
            assert_eq!(inspector.shared.loading(), Some(progress.to_string()));
            assert!(inspector.shared.agents().is_empty());
            texts.push(progress.to_string());
        });
        assert_eq!(read, Ok(Vec::new()));
        let expected: Vec<_> = (0..=100).map(|percent| format!("reading a.jsonl: {percent} %")).collect();
        assert_eq!(texts, expected);
        assert_eq!(inspector.shared.loading(), None);
        assert_eq!(inspector.shared.agents().len(), 1);
    }

    #[test]
    fn several_recordings_are_read_one_after_the_other_and_dropped_lines_are_returned() {
        let inspector = Inspector::open("127.0.0.1:0", []).expect("a port is free");
        let mut damaged = recorded(3);
        damaged.extend_from_slice(b"garbage\n");
        assert_eq!(inspector.read("a", &*recorded(2), None, |_| {}), Ok(Vec::new()));
        let dropped = inspector.read("b", &*damaged, None, |_| {}).expect("the rest can be read");
        assert_eq!(dropped.iter().map(|dropped| dropped.line).collect::<Vec<_>>(), [5]);
        assert_eq!(inspector.shared.agents().len(), 2);
    }

    #[test]
    fn nothing_is_shown_of_what_is_not_a_recording() {
        let inspector = Inspector::open("127.0.0.1:0", []).expect("a port is free");
        let error = inspector.read("a", &b"{}\n"[..], None, |_| {}).expect_err("it is no recording");
        assert_eq!(error.line, 1);
        assert!(inspector.shared.loading().is_none() && inspector.shared.trees_from(0).is_empty());
    }
}
