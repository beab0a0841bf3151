//! Opening a page in the browser.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The time after which a browser that has not opened the page does not find the file any longer.
const MAX_TIME: Duration = Duration::from_secs(120);

/// Opens an address in the browser, and waits for the page. `is_open` returns whether it is open.
///
/// The arguments of a program can be read by all users of the machine, so a private file leads to the address, which contains a token. Only Windows shows the
/// arguments to their user alone.
pub(crate) fn browse(url: &str, is_open: impl Fn() -> bool) -> io::Result<()> {
    if cfg!(windows) {
        // The first text in quotes is the title of a window.
        return start(Command::new("cmd").args(["/C", "start", "", url]));
    }
    let redirect = Redirect::new(url)?;
    start(Command::new(if cfg!(target_os = "macos") { "open" } else { "xdg-open" }).arg(redirect.page()))?;
    let begin = Instant::now();
    while !is_open() && begin.elapsed() < MAX_TIME {
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

fn start(command: &mut Command) -> io::Result<()> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    // It is not waited for: some systems end it with the browser.
    thread::spawn(move || child.wait());
    Ok(())
}

/// A page in a private folder that leads to an address. Both are removed with this value.
struct Redirect(PathBuf);

impl Redirect {
    fn new(url: &str) -> io::Result<Self> {
        let parent = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_dir());
        let parent = parent.unwrap_or_else(std::env::temp_dir);
        let mut number = 0;
        let redirect = loop {
            let folder = parent.join(format!("bt-edit-{}-{number}", std::process::id()));
            let mut builder = DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            match builder.create(&folder) {
                Ok(()) => break Self(folder),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        };
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let url = url.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
        let page = format!(
            "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta http-equiv=\"refresh\" content=\"0; url={url}\">\n<title>bt edit</title>\n<a href=\"{url}\">bt edit</a>\n"
        );
        options.open(redirect.page())?.write_all(page.as_bytes())?;
        Ok(redirect)
    }

    fn page(&self) -> PathBuf {
        self.0.join("page.html")
    }
}

impl Drop for Redirect {
    fn drop(&mut self) {
        // The folder of temporary files may have been emptied.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_leads_elsewhere_is_removed_with_its_folder() {
        let redirect = Redirect::new("http://127.0.0.1:1/?a=\"&b").expect("a folder for temporary files");
        let page = redirect.page();
        let text = fs::read_to_string(&page).expect("it was written");
        assert!(text.contains("content=\"0; url=http://127.0.0.1:1/?a=&quot;&amp;b\""), "{text}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |path: &std::path::Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
            assert_eq!((mode(&page), mode(&redirect.0)), (0o600, 0o700));
        }
        let folder = redirect.0.clone();
        drop(redirect);
        assert!(!folder.exists());
    }
}
