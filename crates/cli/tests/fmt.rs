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
fn the_standard_input_can_be_a_text() {
    let folder = Folder::new("input-text");
    for arguments in [&[][..], &["-"], &["--rustfmt"]] {
        let output = bt(arguments, &folder.0, "sequence{a,b}");
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), "sequence { a, b }\n".to_owned()));
    }
    let output = bt(&["--check"], &folder.0, "sequence{a,b}");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), "standard input: not formatted\n".to_owned()));
    assert_eq!(bt(&["--check"], &folder.0, "sequence { a, b }\n").status.code(), Some(0));
    let output = bt(&["--check"], &folder.0, "selector {\n    a b\n}\n");
    let expected = "standard input:2: not formatted: expected `,` before the next child, found `b`\n";
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), expected.to_owned()));
    for neither in ["fn  f() {}\n", "Hello,  world\n", "{ \"root\":1 }", "<root><a/></root>"] {
        for arguments in [&[][..], &["--check"]] {
            let output = bt(arguments, &folder.0, neither);
            assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
            assert!(!arguments.is_empty() || text(&output.stdout) == neither);
        }
    }
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
./src/broken.rs:1:7: `{` is not closed; help: add `}`
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
fn a_file_of_another_kind_is_an_error_if_it_is_named() {
    let folder = Folder::new("kinds");
    for file in ["src/a.txt", "src/b", "src/c.json", "src/d.xml"] {
        folder.write(file, UGLY);
        for arguments in [&[file][..], &["--check", file]] {
            let output = bt(arguments, &folder.0, "");
            let expected = format!("{file}: expected a Rust source (`.rs`) or a text of trees (`.bt`)\n");
            assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), expected));
        }
        assert_eq!(folder.read(file), UGLY);
    }
    let output = bt(&["--check", "src"], &folder.0, "");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
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

/// Runs `bt fmt` where a file cannot grow beyond one block, as on a full disk. A write beyond that kills the command, or fails if the signal is ignored.
#[cfg(unix)]
fn bt_on_a_full_disk(signal: &str, folder: &Path, arguments: &[&str]) -> Output {
    let script = format!("ulimit -f 1; {signal} exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_bt")]).args(arguments).current_dir(folder);
    command.output().expect("there is a shell")
}

/// Returns the names of the files in a folder.
#[cfg(unix)]
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[cfg(unix)]
#[test]
fn a_file_is_whole_if_the_disk_is_full_or_the_command_is_killed() {
    let folder = Folder::new("full");
    let source = UGLY.repeat(100);
    folder.write("src/a.rs", &source);
    let output = bt_on_a_full_disk("trap '' XFSZ;", &folder.0, &["fmt", "src/a.rs"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("src/a.rs: File too large"), "{}", text(&output.stderr));
    assert!(folder.read("src/a.rs") == source);
    assert_eq!(files(&folder.0.join("src")), ["a.rs", "inner"]);

    let output = bt_on_a_full_disk("", &folder.0, &["fmt", "src/a.rs"]);
    assert_eq!(output.status.code(), None, "it is killed");
    assert!(folder.read("src/a.rs") == source);

    // What it has left over is not in the way.
    assert!(bt(&["src/a.rs"], &folder.0, "").status.success());
    assert!(folder.read("src/a.rs") == TREE.repeat(100));

    let output = bt_on_a_full_disk("trap '' XFSZ;", &folder.0, &["new", "game"]);
    assert!(text(&output.stderr).starts_with("game: File too large"), "{}", text(&output.stderr));
    assert_eq!(files(&folder.0), ["src", "target"]);
}

#[cfg(unix)]
#[test]
fn modes_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("links");
    folder.write("src/a.rs", UGLY);
    let mode = |mode| {
        fs::set_permissions(folder.0.join("src/a.rs"), fs::Permissions::from_mode(mode)).expect("a file");
    };
    mode(0o750);
    symlink("src/a.rs", folder.0.join("link.rs")).expect("a link");
    assert!(bt(&["link.rs"], &folder.0, "").status.success());
    assert_eq!((folder.read("src/a.rs"), folder.read("link.rs")), (TREE.to_owned(), TREE.to_owned()));
    assert!(fs::symlink_metadata(folder.0.join("link.rs")).expect("a link").is_symlink());
    let about = fs::metadata(folder.0.join("src/a.rs")).expect("a file");
    assert_eq!(about.permissions().mode() & 0o777, 0o750);
    assert_eq!(files(&folder.0.join("src")), ["a.rs", "inner"]);
    // A file that is read-only is not replaced. The system's administrator can write it.
    folder.write("src/a.rs", UGLY);
    mode(0o440);
    let is_refused = fs::File::options().write(true).open(folder.0.join("src/a.rs")).is_err();
    assert_eq!(bt(&["src/a.rs"], &folder.0, "").status.success(), !is_refused);
    assert_eq!(folder.read("src/a.rs"), if is_refused { UGLY } else { TREE });
}

#[test]
fn a_comment_is_reported_where_it_is() {
    let folder = Folder::new("comment");
    let help = "a comment in an unexpected place; help: move it before or after a node";
    folder.write("src/a.bt", "selector {\n    near /* meters */, a,\n}\n");
    folder.write("src/a.rs", "fn a() {\n    tree! { selector { near /* meters */, a } }\n}\n");
    let output = bt(&["--check", "src/a.bt", "src/a.rs"], &folder.0, "");
    assert_eq!(
        text(&output.stderr),
        format!(
            "src/a.bt:2: not formatted: {help}\nsrc/a.rs:2: not formatted: {help}, or write `#[rustfmt::skip]` before the item\n"
        )
    );
}

#[test]
fn a_check_fails_for_a_tree_that_does_not_parse() {
    let folder = Folder::new("broken");
    folder.write("src/a.bt", "tree x { a }\n\ntree y {\n    selector {\n        |npc| c d,\n        e\n    }\n}\n");
    folder.write("src/b.bt", "selector { a(\"\\q\"), b }\n");
    folder.write("src/a.rs", "fn a() {\n    tree! { selector { a b } }\n}\n");
    let missing = |found| format!("expected `,` before the next child, found `{found}`");
    let output = bt(&["--check", "src/a.bt", "src/b.bt"], &folder.0, "");
    let expected = format!(
        "src/a.bt:5: not formatted: {}\nsrc/b.bt:1: not formatted: `\\q` is not an escape of Rust; help: write `\\\\` for a backslash\n",
        missing("d"),
    );
    assert_eq!((text(&output.stderr), output.status.code()), (expected, Some(1)));
    let output = bt(&["src/a.bt"], &folder.0, "");
    assert_eq!(
        (text(&output.stderr), output.status.code()),
        (format!("src/a.bt:5: note: not formatted: {}\n", missing("d")), Some(0))
    );
    // In a source, it may be the tree of another macro.
    let output = bt(&["--check", "src/a.rs"], &folder.0, "");
    assert_eq!(
        (text(&output.stderr), output.status.code()),
        (format!("src/a.rs:2: note: not formatted: {}\n", missing("b")), Some(0))
    );
}

#[test]
fn a_note_names_the_line_of_the_file_as_it_then_is() {
    let folder = Folder::new("lines");
    let source = "fn a() {\n\n\n    tree! {selector{\n\n\n    a,\n    b,\n    }}\n}\nfn b() {\n    tree! { selector { a b } }\n}\n";
    folder.write("src/a.rs", source);
    let line = |text: &str| text.lines().position(|line| line.contains("a b")).map_or(0, |line| line + 1);
    let output = bt(&["--check", "src/a.rs"], &folder.0, "");
    assert!(
        text(&output.stderr).starts_with(&format!("src/a.rs:{}: note: not formatted: ", line(source))),
        "{}",
        text(&output.stderr)
    );
    let output = bt(&["--rustfmt", "--check", "src/a.rs"], &folder.0, "");
    assert!(
        text(&output.stderr).starts_with(&format!("src/a.rs:{}: note: not formatted: ", line(source))),
        "{}",
        text(&output.stderr)
    );
    let output = bt(&["src/a.rs"], &folder.0, "");
    let new = folder.read("src/a.rs");
    assert!(line(&new) != line(source) && output.status.success(), "{new}");
    assert!(text(&output.stderr).starts_with(&format!("src/a.rs:{}: note: ", line(&new))), "{}", text(&output.stderr));
}
