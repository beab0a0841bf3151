//! Documents that are read and written.

mod command;
mod deep;
mod files;
mod functions;
mod hostile;
mod kept;
mod lines;
mod operations;
mod problems;
mod versions;
mod xml;

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

fn read(notation: Notation, text: &str) -> Document {
    let document = Document::read(notation, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    for tree in &document.trees {
        assert_eq!(tree.broken, None, "{text}");
    }
    document
}

/// Returns a document whose trees are all written again.
fn touched(notation: Notation, text: &str) -> String {
    let mut document = read(notation, text);
    assert_eq!(document.write().as_deref(), Ok(text), "without changes, it is what was read");
    for tree in &mut document.trees {
        tree.around.read = None;
    }
    document.write().expect("it can be written")
}

/// Returns a document, in which all changed trees are written as a whole.
fn as_a_whole(document: &Document) -> Result<String, String> {
    let mut document = document.clone();
    document.trees.iter_mut().filter(|tree| !tree.is_as_read()).for_each(|tree| tree.around.read = None);
    document.write()
}

/// All Rust sources in a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn sources_of_this_repository_are_written_as_they_are_formatted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    sources(&root.join("examples"), &mut found);
    found.extend(["composites", "decorators", "branches"].map(|name| root.join(format!("tests/behaviour/{name}.rs"))));
    let mut count = 0;
    for path in found {
        let text = fs::read_to_string(&path).expect("a source");
        let Ok(mut document) = Document::read(Notation::RUST, &text) else { continue };
        assert_eq!(document.write().as_deref(), Ok(&*text), "{}", path.display());
        let formatted = crate::format::format(&text, 100).expect("it is Rust");
        if !formatted.left.is_empty() || text.contains("rustfmt::skip") || text.contains("macro_rules!") {
            continue;
        }
        document.trees.iter_mut().for_each(|tree| tree.around.read = None);
        let written = document.write().expect("it can be written");
        let differing = written.lines().zip(formatted.text.lines()).find(|(one, other)| one != other);
        assert_eq!(differing, None, "{}", path.display());
        assert_eq!(written.len(), formatted.text.len(), "{}", path.display());
        count += document.trees.len();
    }
    assert!(count > 40, "{count}");
}

#[test]
fn what_is_around_a_tree_stays() {
    let text = "\u{feff}fn a() {\r\n    tree! {\r\n        // one\r\n        for Guard: selector { a, b } // two\r\n        // three\r\n    }\r\n}\r\n\r\nfn  b( ){ tree!(c)}\r\n";
    assert_eq!(touched(Notation::RUST, text), text);
    let text = "// All.\n\ntree day(door, to = 2) \"d\" { go(door = 1) } // The first.\n\n// Goes.\ntree go {\n    // x\n    walk\n    // y\n}\n";
    assert_eq!(touched(Notation::TEXT, text), text);
    let text = "// The guard.\n\nselector { a, b } // all\n// end\n";
    assert_eq!(touched(Notation::TEXT, text), text);
    for text in [
        "sequence {\n\ta, // x\n\tb,\n}\n",
        "// c\n<\n\tsequence <\n\t\ta, // x\n\t>\n>\n",
        "tree a < b >\n\ntree c <\n\tsequence <\n\t\ta, // x\n\t>\n>\n\ntree d {\n\t// y\n\tsequence {\n\t\ta, // x\n\t}\n}\n",
        "tree a {\n    sequence {\n        a, // x\n    }\n}\n\ntree b {\n\tsequence {\n\t\ta, // x\n\t}\n}\n",
    ] {
        assert_eq!(touched(Notation::TEXT, text), text);
    }
    let mut document = read(Notation::TEXT, "tree a {\n\tsequence {\n\t\tb, // x\n\t}\n}\n\ntree c { d }\n");
    let text = Some("sequence {\n    e, // x\n}".to_owned());
    document.apply(&Operation::Create { name: "new".to_owned(), text }).expect("it is possible");
    let written = document.write().expect("it can be written");
    assert!(written.ends_with("\ntree new {\n\tsequence {\n\t\te, // x\n\t}\n}\n"), "{written}");
}
