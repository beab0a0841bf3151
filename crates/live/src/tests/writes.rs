//! Each way in which editors write files.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::thread;
use std::time::Duration;

use super::*;

const BEFORE: &str = "fn f() {\n\ttree! {\n\t\tsequence { say(\"a\"), hop }\n\t}\n}\n";

/// The file with another tree.
fn with(tree: &str) -> String {
    BEFORE.replace("sequence { say(\"a\"), hop }", tree)
}

/// Waits until an edit is followed. On a slow machine, a file is away so long that this is an error.
fn followed(program: &Program) {
    while program.report() != "a.rs:2:2: followed" {}
}

/// Edits a file in each way; with and without events of the system.
fn each(write: impl Fn(&Program, &str)) {
    for program in [Program::new(), Program::polled()] {
        let mut agent = program.start("a.rs", BEFORE);
        agent.says("a hop");
        write(&program, &with("sequence { hop, say(\"b\") }"));
        agent.says("hop b");
        followed(&program);
        write(&program, &with("sequence { hop, hop, say(\"a\") }"));
        agent.says("hop hop a");
        followed(&program);
        write(&program, BEFORE);
        agent.says("a hop");
        followed(&program);
    }
}

#[test]
fn in_place() {
    each(|program, text| program.edit("a.rs", text));
}

#[test]
fn another_file_is_renamed() {
    each(|program, text| {
        program.edit(".a.rs.tmp", text);
        fs::rename(program.path(".a.rs.tmp"), program.path("a.rs")).expect("it can be renamed");
    });
}

#[test]
fn the_old_file_is_renamed_first() {
    each(|program, text| {
        fs::rename(program.path("a.rs"), program.path("a.rs~")).expect("it can be renamed");
        program.edit("a.rs", text);
    });
}

#[test]
fn removed_and_created() {
    each(|program, text| {
        fs::remove_file(program.path("a.rs")).expect("it is there");
        thread::sleep(Duration::from_millis(60));
        program.edit("a.rs", text);
    });
}

#[test]
fn truncated_and_written_in_pieces() {
    each(|program, text| {
        let mut file = OpenOptions::new().write(true).truncate(true).open(program.path("a.rs")).expect("it is there");
        for piece in text.as_bytes().chunks(text.len() / 5) {
            thread::sleep(Duration::from_millis(40));
            file.write_all(piece).expect("it can be written");
        }
    });
}

#[test]
fn with_marks_and_ends_of_lines_of_windows() {
    each(|program, text| program.edit("a.rs", &format!("\u{feff}{}", text.replace('\n', "\r\n"))));
}

#[test]
fn a_folder_that_is_replaced_is_watched_again() {
    let program = Program::new();
    fs::create_dir(program.path("src")).expect("it is new");
    let mut agent = program.start("src/a.rs", BEFORE);
    fs::rename(program.path("src"), program.path("old")).expect("it can be renamed");
    assert_eq!(program.report(), "src/a.rs:1:1: the file is empty or does not exist: its trees continue as they were");
    fs::create_dir(program.path("src")).expect("it is away");
    program.edit("src/a.rs", &with("hop"));
    agent.says("hop");
    assert_eq!(program.report(), "src/a.rs:1:1: fixed");
    assert_eq!(program.report(), "src/a.rs:2:2: followed");
    for tree in ["say(\"b\")", "hop"] {
        program.edit("src/a.rs", &with(tree));
        assert_eq!(program.report_of(&mut agent), "src/a.rs:2:2: followed");
    }
}

#[test]
fn two_programs_watch_a_file() {
    let (one, other) = (Program::new(), Program::polled());
    let mut agent = one.start("a.rs", BEFORE);
    let site = one.compile("a.rs", BEFORE)[0];
    let mut second = other.run(site);
    one.edit("a.rs", &with("hop"));
    agent.says("hop");
    second.says("hop");
}
