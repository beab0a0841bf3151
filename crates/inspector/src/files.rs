//! The files of the page, and the page as one file.

const STYLE: &str = include_str!("../page/dist/page.css");
const SCRIPT: &str = include_str!("../page/dist/page.js");

/// The files of the page: name, content type and content. `index.html` is the page. For programs that carry its messages themselves.
///
/// With `<meta name="bt-program" content="parent">` in its head, the page connects to the window around it: it sends `bt-inspector` to that window. The window responds
/// with the same message and a port of a `MessageChannel`. Each message of the port is one text for or from a [`Connection`](crate::Connection); `null` means that the
/// program has ended.
pub const FILES: [(&str, &str, &str); 4] = [
    ("index.html", "text/html; charset=utf-8", include_str!("../page/index.html")),
    ("page.css", "text/css; charset=utf-8", STYLE),
    ("page.js", "text/javascript; charset=utf-8", SCRIPT),
    ("icon.svg", "image/svg+xml", include_str!("../page/icon.svg")),
];
/// The document with the page and a recording. The page fills it in the same way to save a recording; see `page/src/save.ts`.
const STANDALONE: &str = include_str!("../page/standalone.html");

/// Returns an HTML document that contains the page and a recording. A browser shows it without a server and without this crate, for example as an
/// attachment of a bug report.
///
/// `recording` is the text written by [`RecordFile`](bt_core::observe::RecordFile). The page reports an error if `recording` is something else.
///
/// ```
/// use bt_core::observe::RecordFile;
/// use bt_core::prelude::*;
///
/// let tree = tree! { for u32: |n: &mut u32| *n += 1 };
/// let mut file = RecordFile::new(Vec::new(), "counter", &tree)?;
/// tree.tick_with(&mut 0, &mut tree.memory(), &mut file.for_agent(0, secs(0)));
/// let recording = String::from_utf8(file.finish()?)?;
///
/// let document = bt_inspector::html(&recording);
/// assert!(document.starts_with("<!doctype html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn html(recording: &str) -> String {
    // In JSON, `<` occurs in texts only.
    let recording = recording.replace('<', "\\u003c");
    let script = SCRIPT.replace("</script", "<\\/script");
    let (mut document, mut rest) = (String::new(), STANDALONE);
    for (mark, part) in [("<!--style-->", STYLE), ("<!--recording-->", &recording), ("<!--script-->", &script)] {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        document += before;
        document += part;
        rest = after;
    }
    document + rest
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_recording_cannot_end_its_script() {
        let document = super::html("{\"name\":\"</script><b>\"}");
        assert!(document.contains("{\"name\":\"\\u003c/script>\\u003cb>\"}</script>"), "{document}");
        assert_eq!(document.matches("</script>").count(), 2);
    }
}
