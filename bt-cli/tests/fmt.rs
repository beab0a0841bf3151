//! The command `bt fmt`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const UGLY: &str = "fn  f() { tree!{selector{a,b ,}} }\n";
const TREE: &str = "fn  f() { tree!{ selector { a, b } } }\n";
const ALL: &str = "fn f() {\n    tree! { selector { a, b } }\n}\n";

fn bt(arguments: &[&str], folder: &Path, input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bt"))
        .arg("fmt")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut stdin = child.stdin.take().expect("it has an input");
    // With an invalid option, it does not read it.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the command ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder that is removed with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("bt-fmt-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("src/inner")).expect("a folder");
        fs::create_dir_all(folder.join("target")).expect("a folder");
        Self(folder)
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.0.join(file), text).expect("a file");
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).expect("a file")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_standard_input_is_formatted() {
    let folder = Folder::new("input");
    for arguments in [&[][..], &["-"]] {
        let output = bt(arguments, &folder.0, UGLY);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), TREE.to_owned()));
    }
    let output = bt(&["--check"], &folder.0, UGLY);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), "standard input: not formatted\n".to_owned()));
    assert_eq!(bt(&["--check"], &folder.0, TREE).status.code(), Some(0));
}

#[test]
fn rustfmt_runs_first() {
    let folder = Folder::new("rustfmt");
    let output = bt(&["--rustfmt"], &folder.0, UGLY);
    assert_eq!((text(&output.stdout), text(&output.stderr)), (ALL.to_owned(), String::new()));
    let output = bt(&["--rustfmt"], &folder.0, "fn f( {}");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("standard input: rustfmt: error"), "{}", text(&output.stderr));
}

#[test]
fn folders_are_formatted_without_those_of_builds() {
    let folder = Folder::new("folder");
    folder.write("target/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55");
    for file in ["src/a.rs", "src/inner/b.rs", "src/c.txt", "target/d.rs"] {
        folder.write(file, UGLY);
    }
    folder.write("src/broken.rs", "fn f( {");
    folder.write("src/good.rs", TREE);
    let output = bt(&["--check", "."], &folder.0, "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr),
        "\
./src/broken.rs:1:7: expected Rust, found a delimiter or a literal that is not closed
./src/a.rs: not formatted
./src/inner/b.rs: not formatted
"
    );
    assert_eq!(folder.read("src/a.rs"), UGLY, "nothing is written");
    let output = bt(&["src"], &folder.0, "");
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), String::new()));
    assert_eq!((folder.read("src/a.rs"), folder.read("src/inner/b.rs")), (TREE.to_owned(), TREE.to_owned()));
    assert_eq!((folder.read("src/c.txt"), folder.read("target/d.rs")), (UGLY.to_owned(), UGLY.to_owned()));
    assert_eq!(folder.read("src/broken.rs"), "fn f( {");
    let output = bt(&["nowhere"], &folder.0, "");
    assert!(output.status.code() == Some(1) && text(&output.stderr).starts_with("nowhere: "));
}

#[test]
fn the_width_is_that_of_rustfmt() {
    let folder = Folder::new("width");
    let source = "fn f() {\n    tree! { selector { first_thing, second_thing } }\n}\n";
    assert_eq!(text(&bt(&[], &folder.0, source).stdout), source);
    let narrow = "fn f() {\n    tree! {\n        selector {\n            first_thing,\n            second_thing,\n        }\n    }\n}\n";
    assert_eq!(text(&bt(&["--width", "40"], &folder.0, source).stdout), narrow);
    folder.write("rustfmt.toml", "max_width = 40\n");
    assert_eq!(text(&bt(&[], &folder.0, source).stdout), narrow);
    folder.write("src/a.rs", source);
    bt(&["src"], &folder.0, "");
    assert_eq!(folder.read("src/a.rs"), narrow);
}

#[test]
fn options_are_checked() {
    let folder = Folder::new("options");
    for (arguments, message) in [
        (&["--chek"][..], "error: unexpected argument '--chek' found"),
        (&["--width"], "error: a value is required for '--width <N>'"),
        (&["--width", "x"], "error: invalid value 'x' for '--width <N>'"),
    ] {
        let output = bt(arguments, &folder.0, "");
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).starts_with(message), "{}", text(&output.stderr));
    }
    let output = bt(&["--help"], &folder.0, "");
    assert!(output.status.success() && text(&output.stdout).contains("Exit codes:"));
}
