//! A folder in which a test runs the command.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A folder that is removed with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("bt-text-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    pub(crate) fn write(&self, file: &str, content: &(impl AsRef<[u8]> + ?Sized)) {
        fs::write(self.0.join(file), content).expect("a file");
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).expect("a file")
    }

    /// Runs `bt` in it. Returns whether it succeeded, its output and its error output.
    pub(crate) fn bt(&self, arguments: &[&str]) -> (bool, String, String) {
        let mut bt = Command::new(env!("CARGO_BIN_EXE_bt"));
        let output = bt.args(arguments).current_dir(&self.0).output().expect("the command runs");
        let text = |bytes| String::from_utf8(bytes).expect("valid UTF-8");
        (output.status.success(), text(output.stdout), text(output.stderr))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
