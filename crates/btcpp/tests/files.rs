//! XML in files: included files, changes while the tree runs, and editors.

use std::fs;
use std::path::PathBuf;

use bt_btcpp::{Document, Nodes, XmlRegistry};
use bt_core::prelude::*;
use bt_dynamic::{FileTree, Registry};

/// A folder that is removed with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("bt-btcpp-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("sub")).expect("a folder");
        Self(folder)
    }

    fn write(&self, file: &str, content: &str) -> PathBuf {
        let path = self.0.join(file);
        fs::write(&path, content).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn tree(id: &str, content: &str) -> String {
    format!("<root BTCPP_format=\"4\">\n<BehaviorTree ID=\"{id}\">\n{content}\n</BehaviorTree>\n</root>")
}

fn registry() -> Registry<Board> {
    let mut registry = Registry::new();
    Nodes::new().add_to(&mut registry);
    registry
}

const STEPS: Key<i64> = Key::new("steps");

#[test]
fn a_timeout_of_zero_is_none() {
    let folder = Folder::new("timeout");
    let load = |msec: &str| {
        let timeout = tree("Main", &format!("<Timeout msec=\"{msec}\"><AlwaysSuccess/></Timeout>"));
        registry().load_xml_file(folder.write("timeout.xml", &timeout))
    };
    for msec in ["0", " 0 ", "00"] {
        let loaded = load(msec).expect("without a timeout, no clock is needed");
        assert_eq!(loaded.tick(&mut Board::new(), &mut loaded.memory()), Status::Success);
    }
    assert!(load("1").is_err(), "the registry has no clock");
}

#[test]
fn included_files_are_relative_to_the_file_that_includes_them() {
    let folder = Folder::new("include");
    folder.write("sub/far.xml", &tree("Far", "<Script code=\"steps := 7\"/>"));
    let near = "<root BTCPP_format=\"4\"><include path=\"far.xml\"/><include path=\"../main.xml\"/>\n\
                <BehaviorTree ID=\"Near\"><SubTree ID=\"Far\" steps=\"{=}\"/></BehaviorTree></root>";
    folder.write("sub/near.xml", near);
    let main = "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\"><include path=\"sub/near.xml\"/>\n\
                <BehaviorTree ID=\"Main\"><SubTree ID=\"Near\" _autoremap=\"true\"/></BehaviorTree></root>";
    let path = folder.write("main.xml", main);
    // Files that include each other are read once each.
    assert_eq!(Document::open(&path).expect("it is valid").trees().collect::<Vec<_>>(), ["Main", "Near", "Far"]);
    let loaded = registry().load_xml_file(&path).expect("it is valid");
    let mut board = Board::new();
    assert_eq!(loaded.tick(&mut board, &mut loaded.memory()), Status::Success);
    assert_eq!(board.get(&STEPS), Some(&7));

    folder.write("sub/far.xml", &tree("Far", "<Script code=\"steps := \"/>"));
    let error = registry().load_xml_file(&path).unwrap_err().to_string();
    assert_eq!(
        error,
        "3:24: script `code`: found the end of the script; expected a value or a variable (in `sub/far.xml`)"
    );
    folder.write("sub/far.xml", &tree("Far", "<RunOnce then_skip=\"5\"><AlwaysSuccess/></RunOnce>"));
    let error = registry().load_xml_file(&path).unwrap_err().to_string();
    assert_eq!(error, "3:21: port `then_skip`: expected `true` or `false`, found `5` (in `sub/far.xml`)");
    fs::remove_file(folder.0.join("sub/far.xml")).expect("it is there");
    let error = registry().load_xml_file(&path).unwrap_err().to_string();
    assert!(error.starts_with("1:39: cannot include `sub/far.xml`: "), "{error}");
    assert!(error.ends_with(" (in `sub/near.xml`)"), "{error}");
}

#[test]
fn a_file_is_followed_and_edited() {
    let folder = Folder::new("follow");
    let step = |by: u32| tree("Main", &format!("<Script code=\"steps := {by}\"/>"));
    let path = folder.write("main.xml", &step(1));
    let mut file = FileTree::open(&path, registry()).expect("it is valid");
    let (mut board, mut memory) = (Board::new(), file.tree().memory());
    file.tree().tick(&mut board, &mut memory);
    assert_eq!(board.get(&STEPS), Some(&1));
    folder.write("main.xml", &step(20));
    assert!(file.poll().is_some_and(|change| change.is_ok()));
    file.tree().tick(&mut board, &mut memory);
    assert_eq!(board.get(&STEPS), Some(&20));
    file.editable().apply(&step(300)).expect("it is valid");
    assert!(file.poll().is_some_and(|change| change.is_ok()));
    file.tree().tick(&mut board, &mut memory);
    assert_eq!(board.get(&STEPS), Some(&300));

    let path = folder.write("other.xml", &step(1).replace("Script", "Scrip"));
    let error = FileTree::open(&path, registry()).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.ends_with("other.xml:3:2: unknown node `Scrip`; help: did you mean `Script`?"), "{error}");
    let error = FileTree::open(&path, Registry::<Board>::new()).err().map(|error| error.to_string());
    assert!(error.is_some_and(|error| error.contains("XML cannot be read; help: add the nodes of BehaviorTree.CPP")));
}

#[test]
fn what_is_no_file_is_not_read() {
    let folder = Folder::new("device");
    let path = folder.write("main.xml", "<root><include path=\"sub\"/><include path=\"/dev/zero\"/></root>");
    let errors: Vec<_> =
        Document::open(&path).expect_err("they are not files").iter().map(ToString::to_string).collect();
    assert_eq!(errors[0], "1:22: cannot include `sub`: expected a file, found a folder");
    assert!(errors[1].starts_with("1:43: cannot include `/dev/zero`: "), "{errors:?}");
    assert!(Document::open(&folder.0).is_err());
}
