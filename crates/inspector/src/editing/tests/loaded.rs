//! Trees of files that herds run while pages edit them.

use std::path::{Path, PathBuf};

use bt_btcpp::{Nodes, XmlNodes};
use bt_core::prelude::*;
use bt_dynamic::{FileTree, LiveTree, Registry};
use bt_syntax::edit::{At, Notation, Operation};
use serde_json::{Value, json};

use super::file::{folder, read, write};
use super::open_document::{ALL, node, sent};
use crate::editing::documents::Documents;
use crate::editing::{Document, Language, OpenDocument};

const TEXT: &str = "sequence {\n    walk, // far\n    rest,\n}\n";
const FILE: &str = r#"{ "root": "1", "nodes": {
    "1": { "name": "sequence", "children": ["2", "3"] },
    "2": { "name": "walk", "own": "kept" },
    "3": { "name": "rest" }
} }
"#;

const XML: &str = r#"<root BTCPP_format="4">
  <BehaviorTree ID="Npc">
    <ReactiveSequence>
      <walk/> <!-- far -->
      <rest/>
    </ReactiveSequence>
  </BehaviorTree>
</root>
"#;

/// An agent: what it has done, and when it is.
#[derive(Clone, Default)]
struct Npc {
    log: String,
    now: Duration,
    board: Board,
}

impl HasBoard for Npc {
    fn board(&self) -> &Board {
        &self.board
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

/// A herd on a file, and the document that a page edits.
struct Program {
    path: PathBuf,
    file: FileTree<Npc>,
    herd: Herd<LiveTree<Npc>>,
    npcs: Vec<Npc>,
    document: std::sync::Arc<OpenDocument>,
    documents: Documents,
}

impl Program {
    fn start(folder: &Path, name: &str, text: &str) -> Self {
        let path = folder.join(name);
        write(&path, text);
        let mut registry = Registry::<Npc>::new().with_clock().with_board::<Board>();
        Nodes::new().add_to(&mut registry);
        registry.add_leaf("walk", |npc: &mut Npc| npc.log += "w").add_leaf("jog", |npc: &mut Npc| npc.log += "j");
        for (name, sign) in [("rest", 'z'), ("doze", 'd')] {
            registry.add_leaf(name, move |npc: &mut Npc| {
                npc.log.push(sign);
                Status::Running
            });
        }
        let file = FileTree::open(&path, registry).expect("it is valid");
        let mut herd = Herd::new(file.live());
        let npcs = vec![Npc::default(); 50];
        for _ in &npcs {
            herd.add();
        }
        let documents = Documents::default();
        let document = Document::file(&path).follows_file().target(file.editable());
        let document = documents.open(document).expect("it is valid");
        Self { path, file, herd, npcs, document, documents }
    }

    /// Ticks the herd without a look at the file. Returns what all agents have done.
    fn tick(&mut self) -> String {
        self.herd.tick_all(&mut self.npcs);
        let mut done = self.npcs.iter_mut().map(|npc| std::mem::take(&mut npc.log));
        let first = done.next().expect("there are agents");
        assert!(done.all(|other| other == first), "all do the same");
        first
    }

    /// Returns whether the file has another tree now.
    fn polls(&mut self) -> bool {
        self.file.poll().is_some_and(|change| change.is_ok())
    }

    fn replace(&self, head: &str, by: &str) {
        let replace = Operation::Replace { node: node(&self.document, head), head: by.to_owned() };
        self.document.change(vec![replace], 10).expect("the document can be changed");
    }
}

/// Runs a test with a text, with a file of the editor and with XML.
fn each(name: &str, test: impl Fn(Program)) {
    let folder = folder(name);
    test(Program::start(&folder, "npc.bt", TEXT));
    test(Program::start(&folder, "npc.b3.json", FILE));
    test(Program::start(&folder, "npc.xml", XML));
    std::fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn all_agents_of_a_herd_follow_with_their_next_tick_and_a_save_changes_nothing() {
    each("herd", |mut program| {
        assert_eq!(program.tick(), "wz");
        assert_eq!(program.tick(), "wz", "a sequence ticks its first child again");
        program.replace("walk", "jog");
        assert_eq!(program.tick(), "jz");
        assert!(program.polls(), "the change is there once");
        assert!(!program.polls());
        program.document.save(ALL).expect("the folder is writable");
        let text = read(&program.path);
        assert!(
            text.contains("jog") && ["// far", "kept", "<!-- far -->"].iter().any(|kept| text.contains(kept)),
            "{text}"
        );
        let tree = program.file.shared();
        for _ in 0..3 {
            assert!(!program.polls(), "the saved text runs already");
        }
        assert!(std::sync::Arc::ptr_eq(&tree, &program.file.shared()));
        // Changed, undone and changed again after the save, before the program has looked at the file.
        program.document.undo().expect("a step");
        program.document.save(ALL).expect("the folder is writable");
        program.document.redo().expect("a step");
        assert!(program.polls());
        assert!(!program.polls(), "the saved text does not replace the change after it");
        assert_eq!(program.tick(), "jz");
        program.documents.poll();
        assert_eq!(
            (&sent(&program.document)["applied"], &sent(&program.document)["saved"]),
            (&json!(true), &json!(false))
        );
    });
}

#[test]
fn an_invalid_change_shows_its_errors_at_its_node_and_the_tree_runs_on() {
    each("invalid-herd", |mut program| {
        assert_eq!(program.tick(), "wz");
        program.replace("walk", "wlak");
        let sent: Value = sent(&program.document);
        assert_eq!(sent["applied"], false);
        let problem = &sent["problems"][0];
        assert!(problem["message"].as_str().is_some_and(|message| message.contains("did you mean `walk`")), "{sent}");
        assert_eq!(problem["node"], node(&program.document, "wlak"));
        assert!(!program.polls());
        assert_eq!(program.tick(), "wz");
        // Saved, it is an error of the program, too.
        program.document.save(ALL).expect("the folder is writable");
        assert!(!program.polls());
        assert_eq!(program.tick(), "wz");
        program.document.undo().expect("a step");
        program.document.save(ALL).expect("the folder is writable");
        program.polls();
        assert_eq!(program.tick(), "wz");
    });
}

#[test]
fn what_was_changed_in_the_file_is_merged() {
    each("merged-herd", |mut program| {
        program.replace("walk", "jog");
        assert_eq!(program.tick(), "jz");
        assert!(program.polls());
        write(&program.path, &read(&program.path).replace("rest", "doze"));
        assert!(program.polls(), "the program follows the file");
        program.documents.poll();
        assert!(sent(&program.document)["conflict"].is_null());
        assert_eq!(program.tick(), "jd", "both changes run");
        assert!(program.polls(), "the merged tree");
        assert!(!program.polls());
    });
}

#[test]
fn an_inserted_node_runs_around_what_runs() {
    each("inserted-herd", |mut program| {
        assert_eq!(program.tick(), "wz");
        let is_xml = program.document.notation == Notation::XML;
        let repeat = if is_xml { "KeepRunningUntilFailure" } else { "repeat" };
        let wrap = Operation::Wrap { nodes: vec![node(&program.document, "rest")], head: repeat.to_owned() };
        program.document.change(vec![wrap], 10).expect("it can be wrapped");
        let insert = Operation::Insert { text: "jog".to_owned(), at: At::Before(node(&program.document, "walk")) };
        program.document.change(vec![insert], 10).expect("it can be inserted");
        assert_eq!(sent(&program.document)["problems"], json!([]));
        assert_eq!(program.tick(), "jwz");
    });
}

#[test]
fn the_palette_of_xml_has_the_names_of_xml() {
    let folder = folder("xml-palette");
    let program = Program::start(&folder, "npc.xml", XML);
    let palette: Value = serde_json::from_str(&program.document.palette()).expect("it is JSON");
    let entries = palette["palette"]["entries"].as_array().expect("a list");
    let insert = |name: &str| entries.iter().find(|entry| entry["name"] == name).map(|entry| entry["insert"].clone());
    assert_eq!(insert("Timeout"), Some(json!("Timeout(msec = 1000)")));
    assert_eq!((insert("jog"), insert("SubTree")), (Some(json!("jog")), Some(json!("SubTree(ID = \"\")"))));
    assert_eq!((insert("selector"), insert("btcpp::Repeat")), (None, None));
    std::fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn a_tree_of_xml_is_shown_as_rust_and_as_a_file_of_the_editor() {
    let folder = folder("xml-translated");
    let program = Program::start(&folder, "npc.xml", XML);
    let tree =
        sent(&program.document)["trees"][0]["id"].as_u64().and_then(|id| u32::try_from(id).ok()).expect("a tree");
    let rust = program.document.source(tree, Language::Rust).expect("it is valid");
    assert_eq!(rust.trim(), "sequence { walk, rest }");
    let json = program.document.source(tree, Language::Json).expect("it is valid");
    assert!(json.contains("\"Npc\"") && json.contains("\"walk\""), "{json}");
    std::fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn errors_in_xml_without_a_program_are_at_their_nodes_and_arguments() {
    let folder = folder("xml-alone");
    let path = folder.join("npc.xml");
    write(&path, &XML.replace("<rest/>", "<Delay delay_msec=\"1\"  msec='2'><rest/></Delay>"));
    let documents = Documents::default();
    let document = documents.open(Document::file(&path).xml(XmlNodes::of(&path))).expect("it is XML");
    let problems = &sent(&document)["problems"];
    let expected = json!([{
        "node": node(&document, "Delay(delay_msec = 1, msec = 2)"), "argument": 1, "warning": false,
        "message": "unknown port `msec` of Delay; note: its ports are `delay_msec`",
    }]);
    assert_eq!(*problems, expected);
    let unknown = documents.open(Document::text("other.xml", "<root><BehaviorTree><a/></BehaviorTree></root>"));
    let unknown = unknown.expect("it is XML");
    assert_eq!(sent(&unknown)["problems"], json!([]), "nothing is known of its nodes");
    let tree = sent(&unknown)["trees"][0]["id"].as_u64().and_then(|id| u32::try_from(id).ok()).expect("a tree");
    assert_eq!(unknown.source(tree, Language::Rust), Err("the program cannot read XML".to_owned()));
    std::fs::remove_dir_all(folder).expect("it is there");
}
