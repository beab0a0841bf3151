//! Tests of documents with their files and programs.

use std::path::Path;
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

use bt_behavior3::palette::{Entry, Kind};
use bt_behavior3::{Arity, Diagnostic, EditTree, NodeNames};
use bt_syntax::edit::Operation;
use serde_json::{Value, json};

use super::GUARD;
use super::file::{folder, read, write};
use crate::editing::documents::Documents;
use crate::editing::language::Language;
use crate::editing::rights::Rights;
use crate::editing::session::Keep;
use crate::editing::{Document, DocumentKey, OpenDocument};
use crate::lock::lock;

pub(super) const ALL: Rights = Rights { edit: true, write: true };
const EDIT: Rights = Rights { edit: true, write: false };

fn open(source: Document) -> Arc<OpenDocument> {
    Documents::default().open(source).expect("it is valid")
}

/// Returns the document as pages receive it.
pub(super) fn sent(document: &OpenDocument) -> Value {
    let (_, text) = document.update(None).expect("it was not sent");
    serde_json::from_str::<Value>(&text).expect("valid JSON")["document"].clone()
}

pub(super) fn node(document: &OpenDocument, head: &str) -> u32 {
    fn find(node: &Value, head: &str) -> Option<u64> {
        let lists = node["lists"].as_array()?;
        let below = || lists.iter().flat_map(|list| list["children"].as_array().expect("a list"));
        if node["head"] == head { node["id"].as_u64() } else { below().find_map(|child| find(child, head)) }
    }
    let sent = sent(document);
    let trees = sent["trees"].as_array().expect("trees");
    let id = trees.iter().find_map(|tree| find(&tree["root"], head));
    u32::try_from(id.unwrap_or_else(|| panic!("no {head}: {sent}"))).expect("an id")
}

fn label(document: &OpenDocument, head: &str, label: &str) {
    let operation = Operation::Label { node: node(document, head), label: Some(label.to_owned()) };
    document.change(vec![operation], 10).expect("it can be applied");
}

/// A program that knows `attack` and `patrol`: what was applied, what is wrong with that, and what it offers besides.
#[derive(Clone, Default)]
struct Program(Arc<Mutex<Vec<String>>>, Arc<Mutex<Vec<Diagnostic>>>, Arc<Mutex<Vec<Entry>>>);

impl EditTree for Program {
    fn palette(&self) -> Vec<Entry> {
        let attack = Entry::new("attack", Kind::Leaf, "guard", "Hits.", Vec::new());
        [attack].into_iter().chain(lock(&self.2).iter().cloned()).collect()
    }

    fn names(&self) -> NodeNames {
        NodeNames::new([("attack", Arity::Zero), ("patrol", Arity::Zero)])
    }

    fn check(&self, text: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        if text.contains("tired") { Err(vec![Diagnostic::of_tree("", "too tired".to_owned())]) } else { Ok(Vec::new()) }
    }

    fn apply(&self, text: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        if text.contains("hunt") {
            return Err(vec![Diagnostic::of_tree("", "unknown node `hunt`".to_owned())]);
        }
        self.check(text)?;
        lock(&self.0).push(text.to_owned());
        Ok(Vec::new())
    }

    fn errors(&self) -> Vec<Diagnostic> {
        lock(&self.1).clone()
    }
}

#[test]
fn a_change_is_applied_at_once_unless_that_is_off() {
    let program = Program::default();
    let document = open(Document::text("guard.bt", GUARD).target(program.clone()));
    assert_eq!((&sent(&document)["applied"], &sent(&document)["auto"]), (&json!(true), &json!(true)));
    label(&document, "attack", "x");
    assert_eq!(lock(&program.0).last(), Some(&document.text()));
    assert_eq!((&sent(&document)["applied"], &sent(&document)["difference"]), (&json!(true), &json!("")));
    document.set_auto(false);
    label(&document, "attack", "y");
    assert_eq!(lock(&program.0).len(), 1);
    assert_eq!(sent(&document)["applied"], false);
    assert!(sent(&document)["difference"].as_str().is_some_and(|text| text.contains("+    attack \"y\"")));
    document.apply().expect("it is valid");
    assert_eq!((lock(&program.0).len(), &sent(&document)["applied"]), (2, &json!(true)));
    document.undo().expect("a step");
    assert_eq!(lock(&program.0).len(), 2);
    document.set_auto(true);
    assert_eq!(lock(&program.0).len(), 3, "what waits is applied");
    document.redo().expect("a step");
    assert_eq!(lock(&program.0).last(), Some(&document.text()));
    assert_eq!(document.save(ALL), Err("this document is in no file".to_owned()));
}

#[test]
fn what_only_a_tick_finds_is_shown_and_is_not_applied() {
    let program = Program::default();
    let document = open(Document::text("guard.bt", GUARD).target(program.clone()));
    let stamp = document.update(None).expect("it was not sent").0;
    label(&document, "attack", "x");
    lock(&program.1).push(Diagnostic::of_tree("", "no such label".to_owned()));
    assert!(document.update(Some(stamp)).is_some());
    let refused = sent(&document);
    assert_eq!(refused["applied"], false);
    assert!(refused["problems"].to_string().contains("no such label"), "{refused}");
    assert!(refused["difference"].as_str().is_some_and(|text| text.contains("+    attack \"x\"")), "{refused}");
    lock(&program.1).clear();
    document.undo().expect("a step");
    assert_eq!((&sent(&document)["applied"], &sent(&document)["problems"]), (&json!(true), &json!([])));
}

#[test]
fn offered_files_are_opened_once_and_follow_the_last_target() {
    let folder = folder("offered");
    let (path, late) = (folder.join("guard.bt"), folder.join("late.rs"));
    write(&path, GUARD);
    let (documents, program) = (Documents::default(), Program::default());
    let (offered, of_program) = ([path.clone(), late.clone()], program.clone());
    documents.offer(Box::new(move || {
        let document = |path| Document::file(path).follows_file().target(of_program.clone());
        offered.iter().map(document).collect()
    }));
    assert!(documents.all().is_empty(), "nothing is asked before a page is open");
    documents.take_offers();
    documents.take_offers();
    assert_eq!(documents.all().len(), 1, "the other file is not there");
    let guard = documents.get(DocumentKey(0)).expect("it is open");
    label(&guard, "attack", "x");
    let changed = guard.text();
    documents.take_offers();
    assert_eq!((guard.text(), &sent(&guard)["applied"]), (changed, &json!(true)), "it keeps its changes");
    assert!(!guard.palette().contains("patrol"));
    lock(&program.2).push(Entry::new("patrol", Kind::Leaf, "guard", "", Vec::new()));
    let stamp = guard.update(None).expect("it was not sent").0;
    documents.take_offers();
    assert!(guard.update(Some(stamp)).is_some() && guard.palette().contains("patrol"), "there are more nodes");
    let stamp = guard.update(None).expect("it was not sent").0;
    documents.take_offers();
    assert!(guard.update(Some(stamp)).is_none(), "nothing is new");
    // A file that is invalid is opened when it is not any longer.
    write(&late, "fn f() { tree! { a }");
    documents.take_offers();
    assert_eq!(documents.all().len(), 1);
    write(&late, "fn f() { tree! { a } }");
    documents.take_offers();
    assert_eq!(documents.get(DocumentKey(1)).expect("it is open").path(), Some(&*late));
    // Another file behind the same name is not.
    #[cfg(unix)]
    {
        let other = folder.join("other.rs");
        write(&other, "fn f() { tree! { secret } }");
        std::fs::remove_file(&late).expect("it is there");
        std::os::unix::fs::symlink(&other, &late).expect("the folder is writable");
        documents.take_offers();
        documents.poll();
        assert!(documents.all().len() == 2 && !documents.all().iter().any(|one| one.text().contains("secret")));
    }
    std::fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn an_invalid_change_shows_its_errors_and_is_not_applied() {
    let program = Program::default();
    let document = open(Document::text("guard.bt", GUARD).target(program.clone()));
    let patrol = node(&document, "patrol");
    let replace = |head: &str| vec![Operation::Replace { node: patrol, head: head.to_owned() }];
    document.change(replace("hunt"), 10).expect("the document can be invalid");
    assert!(lock(&program.0).is_empty());
    let sent_now = sent(&document);
    assert_eq!(sent_now["applied"], false);
    let problems = sent_now["problems"].as_array().expect("problems");
    assert_eq!((problems.len(), &problems[0]["node"], &problems[0]["warning"]), (1, &json!(patrol), &json!(false)));
    assert!(document.apply().is_err_and(|error| error.contains("unknown node `hunt`")));
    document.change(replace("attack"), 10).expect("it is valid");
    assert_eq!((lock(&program.0).len(), &sent(&document)["problems"]), (1, &json!([])));
    // What only the program finds is a problem of the tree.
    label(&document, "selector", "tired");
    assert_eq!(sent(&document)["problems"][0]["message"], "tree: too tired");
    assert_eq!(sent(&document)["applied"], false);
    let label = |text: &str| Operation::Label { node: patrol, label: Some(text.to_owned()) };
    document.undo().expect("a step");
    let (error, problems) = document.attempt(&label("tired"));
    assert_eq!((error, problems.len()), (None, 1));
    assert_eq!(document.attempt(&label("x")), (None, Vec::new()));
    assert_eq!(lock(&program.0).len(), 2, "an attempt is not applied");
}

#[test]
fn a_program_that_watches_the_file_follows_saves_and_changes_elsewhere() {
    let folder = folder("follow");
    let path = folder.join("guard.bt");
    write(&path, GUARD);
    let program = Program::default();
    let document = open(Document::file(&path).target(program.clone()).follows_file());
    label(&document, "attack", "x");
    assert_eq!((lock(&program.0).len(), &sent(&document)["applied"]), (1, &json!(true)), "before it is saved");
    document.set_auto(false);
    label(&document, "attack", "y");
    assert_eq!(sent(&document)["applied"], false);
    document.save(ALL).expect("it can be written");
    assert_eq!((lock(&program.0).len(), &sent(&document)["applied"]), (1, &json!(true)), "it reads the file itself");
    write(&path, &GUARD.replace("patrol", "attack"));
    document.poll();
    assert_eq!((&sent(&document)["applied"], &sent(&document)["saved"]), (&json!(true), &json!(true)));
    write(&path, &GUARD.replace("selector", "selector \"tired\""));
    document.poll();
    let state = sent(&document);
    assert_eq!((&state["applied"], &state["problems"][0]["message"]), (&json!(false), &json!("tree: too tired")));
    assert_eq!(lock(&program.0).len(), 1);
}

#[test]
fn a_change_after_a_save_outlasts_what_the_program_reads_from_the_file() {
    let folder = folder("settle");
    let path = folder.join("guard.bt");
    write(&path, GUARD);
    let program = Program::default();
    let document = open(Document::file(&path).target(program.clone()).follows_file());
    label(&document, "attack", "x");
    document.save(ALL).expect("it can be written");
    label(&document, "attack", "y");
    // The program sees the saved file late, and replaces what was applied since.
    lock(&program.0).push(read(&path));
    document.poll();
    assert_eq!(lock(&program.0).last(), Some(&read(&path)), "it may still come");
    document.age(Duration::from_secs(3));
    document.poll();
    assert_eq!(lock(&program.0).last(), Some(&document.text()));
    let count = lock(&program.0).len();
    document.poll();
    assert_eq!(lock(&program.0).len(), count, "once");
}

#[test]
fn a_program_that_does_not_watch_the_file_receives_its_changes() {
    let folder = folder("receive");
    let path = folder.join("guard.bt");
    write(&path, GUARD);
    let program = Program::default();
    let document = open(Document::file(&path).target(program.clone()));
    write(&path, &GUARD.replace("patrol", "attack"));
    document.poll();
    assert_eq!(lock(&program.0).last(), Some(&document.text()));
    document.set_auto(false);
    write(&path, GUARD);
    document.poll();
    assert_eq!((lock(&program.0).len(), &sent(&document)["applied"]), (1, &json!(false)));
    document.save(ALL).expect("it is what the file contains");
    assert_eq!(lock(&program.0).len(), 1);
}

#[test]
fn a_save_never_overwrites_what_was_changed_elsewhere() {
    let folder = folder("save");
    let path = folder.join("guard.bt");
    write(&path, GUARD);
    let document = open(Document::file(&path));
    assert_eq!(sent(&document)["saved"], true);
    label(&document, "attack", "x");
    let denied = document.save(EDIT).expect_err("it may not be written");
    assert!(denied.ends_with("help: call `allow_write` with its folder"), "{denied}");
    document.save(ALL).expect("it can be written");
    assert_eq!((read(&path), &sent(&document)["saved"]), (document.text(), &json!(true)));
    // Merged.
    label(&document, "attack", "y");
    write(&path, &read(&path).replace("patrol", "patrol, sleep"));
    document.save(ALL).expect("the changes do not touch");
    assert!(read(&path).contains("attack \"y\"") && read(&path).contains("sleep"));
    // A conflict.
    label(&document, "attack", "z");
    let theirs = read(&path).replace("\"y\"", "\"theirs\"");
    write(&path, &theirs);
    assert_eq!(document.save(ALL), Err("the file was changed elsewhere: decide which version stays".to_owned()));
    assert_eq!(read(&path), theirs);
    let conflict = sent(&document)["conflict"].clone();
    assert_eq!(conflict["theirs"].as_str(), Some(&*theirs));
    assert!(conflict["mine"].as_str().is_some_and(|mine| mine.contains("\"z\"")));
    assert!(conflict["base"].as_str().is_some_and(|base| base.contains("\"y\"")));
    assert!(document.save(ALL).is_err(), "not yet");
    document.resolve(Keep::Mine).expect("there is a conflict");
    assert_eq!(read(&path), theirs);
    document.save(ALL).expect("it was decided");
    assert!(read(&path).contains("\"z\""));
}

/// Saves the document of a page in each round, while another program saves the file. `act` receives the file and the number of the round, and returns whether
/// it keeps what it finds there.
fn saves_beside(name: &str, act: impl Fn(&Path, usize) -> bool + Sync) {
    let folder = folder(name);
    let path = folder.join("guard.bt");
    let barrier = Barrier::new(2);
    for round in 0..50 {
        write(&path, GUARD);
        let document = open(Document::file(&path));
        label(&document, "attack", "ours");
        let (result, keeps) = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                barrier.wait();
                act(&path, round)
            });
            barrier.wait();
            (document.save(ALL), other.join().expect("it does not panic"))
        });
        let text = read(&path);
        assert!(text.contains(&format!("theirs_{round}")), "{result:?}: {text}");
        assert!(!keeps || result.is_ok() && text.contains("ours"), "{result:?}: {text}");
        document.poll();
        let is_in_the_file = document.text() == text;
        assert_eq!(sent(&document)["saved"], is_in_the_file, "{text}");
    }
}

#[test]
fn a_save_does_not_replace_one_at_the_same_time() {
    let theirs = |round| GUARD.replace("patrol", &format!("patrol, theirs_{round}"));
    saves_beside("renames", |path, round| {
        let new = path.with_extension("new");
        write(&new, &theirs(round));
        std::fs::rename(new, path).expect("the folder is writable");
        false
    });
    saves_beside("in-place", |path, round| {
        write(path, &theirs(round));
        false
    });
}

#[test]
fn a_save_and_a_command_at_the_same_time_lose_nothing() {
    saves_beside("command", |path, round| {
        loop {
            let text = read(path);
            let edited = text.replace("patrol", &format!("patrol, theirs_{round}"));
            match bt_files::write(path, bt_files::Before::Text(&text), edited) {
                Ok(()) => break true,
                Err(bt_files::WriteError::Changed) => {}
                Err(error) => panic!("{error}"),
            }
        }
    });
}

#[test]
fn a_failed_save_keeps_everything_and_says_why() {
    let folder = folder("fail");
    let trees = folder.join("trees");
    std::fs::create_dir(&trees).expect("the folder is writable");
    let path = trees.join("guard.bt");
    write(&path, GUARD);
    let document = open(Document::file(&path));
    label(&document, "attack", "x");
    std::fs::rename(&trees, folder.join("away")).expect("the folder is writable");
    let error = document.save(ALL).expect_err("there is no folder");
    assert!(error.starts_with("not saved: "), "{error}");
    let state = sent(&document);
    assert_eq!(
        (&state["error"], &state["saved"], &state["undo"]),
        (&json!(error), &json!(false), &json!("label attack"))
    );
    assert!(document.text().contains("\"x\""));
    std::fs::rename(folder.join("away"), &trees).expect("the folder is writable");
    document.poll();
    document.save(ALL).expect("the folder is there again");
    assert_eq!((read(&path), &sent(&document)["error"]), (document.text(), &Value::Null));
    // A file that is no text any more.
    std::fs::write(&path, b"\xff\x00").expect("the folder is writable");
    document.poll();
    assert!(sent(&document)["error"].as_str().is_some_and(|error| error.starts_with("the file cannot be read: ")));
    assert!(document.save(ALL).is_err());
    assert_eq!(std::fs::read(&path).expect("it is there"), b"\xff\x00");
}

#[test]
fn a_new_file_is_created_by_the_first_save() {
    let folder = folder("create");
    for name in ["new.bt", "new.json"] {
        let path = folder.join(name);
        let document = open(Document::file(&path));
        assert_eq!((path.exists(), &sent(&document)["saved"]), (false, &json!(false)), "{name}");
        document.save(ALL).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read(&path), document.text());
    }
    let refused = Documents::default().open(Document::file(folder.join("new.rs")));
    assert!(
        refused.is_err_and(|error| error.to_string() == "no such file; note: a new file is named `.bt`, `.json` or `.xml`")
    );
    write(&folder.join("broken.bt"), "selector {");
    let broken = Documents::default().open(Document::file(folder.join("broken.bt")));
    assert!(broken.is_err_and(|error| error.to_string().starts_with("1:")));
}

#[test]
fn rights_are_those_of_the_program_and_of_the_page() {
    let folder = folder("rights-of-pages");
    let path = folder.join("guard.bt");
    write(&path, GUARD);
    let documents = Documents::default();
    let document = documents.open(Document::file(&path)).expect("it is valid");
    let rights = |has_token| {
        let Rights { edit, write } = documents.rights(&document, has_token);
        (edit, write)
    };
    assert_eq!((rights(false), rights(true)), ((false, false), (false, false)));
    documents.allow_write(&folder).expect("a folder");
    assert_eq!(rights(true), (false, false), "who may not edit may not write");
    documents.allow_edit();
    assert_eq!((rights(false), rights(true)), ((false, false), (true, true)));
    let text = documents.open(Document::text("a.bt", "a")).expect("it is valid");
    assert_eq!(documents.rights(&text, true), EDIT);
    let other = self::folder("rights-elsewhere");
    write(&other.join("a.bt"), "a");
    let outside = documents.open(Document::file(other.join("a.bt"))).expect("it is valid");
    assert_eq!(documents.rights(&outside, true), EDIT);
    let denied = |folder: &Path| documents.allow_write(folder).expect_err("it is no folder").to_string();
    let file = denied(&path);
    assert_eq!(file, format!("cannot allow saves in `{}`: it is not a folder", path.display()));
    let missing = denied(Path::new("/nowhere"));
    assert!(missing.starts_with("cannot allow saves in `/nowhere`: No such file"), "{missing}");
    let relative = denied(Path::new("nowhere"));
    let here = std::env::current_dir().expect("there is one");
    assert!(relative.contains(&format!("note: the path is relative to `{}`; help: ", here.display())), "{relative}");
}

#[test]
fn a_file_that_is_opened_again_keeps_its_changes() {
    let folder = folder("again");
    let path = folder.join("guard.bt");
    write(&path, GUARD);
    let documents = Documents::default();
    let first = documents.open(Document::file(&path)).expect("it is valid");
    label(&first, "attack", "x");
    let program = Program::default();
    let again = documents.open(
        Document::file(folder.join("../").join(folder.file_name().expect("a name")).join("guard.bt"))
            .target(program.clone()),
    );
    let again = again.expect("it is valid");
    assert!(Arc::ptr_eq(&first, &again) && again.text().contains("\"x\""));
    label(&again, "attack", "y");
    assert_eq!(lock(&program.0).len(), 1, "the new program follows");
}

#[test]
fn without_a_program_words_and_the_nodes_of_the_file_are_offered() {
    let names = |document: &OpenDocument| {
        let palette: Value = serde_json::from_str(&document.palette()).expect("valid JSON");
        let entries = palette["palette"]["entries"].as_array().expect("entries").clone();
        entries
            .into_iter()
            .filter(|entry| entry["group"] != "words")
            .map(|entry| (entry["name"].clone(), entry["kind"].clone()))
            .collect::<Vec<_>>()
    };
    let text = "tree a { selector { near(1), b, twice { x }, wait(secs(1)) } }\ntree b { door::open }\n";
    let document = open(Document::text("guard.bt", text));
    let expected = [("door::open", "leaf"), ("near", "leaf"), ("twice", "decorator"), ("x", "leaf")];
    assert_eq!(names(&document), expected.map(|(name, kind)| (json!(name), json!(kind))));
    assert_eq!(sent(&document)["problems"], json!([]));
    let declared = NodeNames::new([("near", Arity::Zero), ("fly", Arity::Zero)]);
    let document = open(
        Document::text("guard.bt", "sequence { near, naer }")
            .nodes(declared, [Entry::new("fly", Kind::Leaf, "declared", "", Vec::new())]),
    );
    assert_eq!(names(&document).len(), 3, "those that were declared, too");
    assert!(
        sent(&document)["problems"][0]["message"].as_str().is_some_and(|text| text.contains("did you mean `near`"))
    );
}

#[test]
fn a_tree_is_written_in_other_languages() {
    let document = open(Document::text("guard.bt", GUARD));
    let tree = sent(&document)["trees"][0]["id"].as_u64().and_then(|id| u32::try_from(id).ok()).expect("a tree");
    let rust = document.source(tree, Language::Rust).expect("it is valid");
    assert!(rust.starts_with("selector {"), "{rust}");
    let json = document.source(tree, Language::Json).expect("it is valid");
    let project = bt_behavior3::Project::read(&json).expect("a file");
    assert_eq!(project.trees.len(), 1);
    assert!(document.source(999, Language::Rust).is_err());
    let source = open(Document::text("a.rs", "fn a() { tree! { selector { |n: &mut u32| n.step(), patrol } } }"));
    let tree = sent(&source)["trees"][0]["id"].as_u64().and_then(|id| u32::try_from(id).ok()).expect("a tree");
    assert!(source.source(tree, Language::Rust).expect("it is Rust").contains("n.step()"));
    let error = source.source(tree, Language::Json).expect_err("a file has no closures");
    assert!(error.contains("a file cannot contain a closure"), "{error}");
}

#[test]
fn two_pages_change_and_undo_at_once() {
    let document = open(Document::text("guard.bt", GUARD));
    std::thread::scope(|scope| {
        for page in 0..4 {
            let document = &document;
            scope.spawn(move || {
                for round in 0..100 {
                    let node = { sent(document)["trees"][0]["root"]["id"].as_u64() };
                    let node = node.and_then(|id| u32::try_from(id).ok()).expect("a root");
                    let label = Some(format!("{page} {round}"));
                    document.change(vec![Operation::Label { node, label }], 10).expect("the root stays");
                    let _ = document.undo();
                    if round % 3 == 0 {
                        let _ = document.redo();
                    }
                }
            });
        }
    });
    while document.undo().is_ok() {}
    assert_eq!(document.text(), GUARD);
}

#[test]
fn a_document_is_made_for_pages_once_per_change() {
    let document = open(Document::text("guard.bt", GUARD));
    let (stamp, first) = document.update(None).expect("it was not sent");
    assert!(document.update(Some(stamp)).is_none());
    let (_, again) = document.update(None).expect("another page");
    assert!(Arc::ptr_eq(&first, &again));
    label(&document, "attack", "x");
    assert!(document.update(Some(stamp)).is_some_and(|(next, _)| next > stamp));
}

#[test]
fn sources_and_files_of_the_editor_are_documents_too() {
    let rust = "fn guard() -> impl Node<Npc> {\n    tree! { selector { attack, patrol } }\n}\n";
    let document = open(Document::text("guard.rs", rust));
    label(&document, "attack", "x");
    assert_eq!(document.text(), rust.replace("attack", "attack \"x\""));
    assert_eq!(sent(&document)["trees"][0]["name"], "guard");
    let json = bt_behavior3::Project::read(
        r#"{ "root": "1", "nodes": { "1": { "name": "Inverter", "child": "2" }, "2": { "name": "Wait", "properties": { "milliseconds": 1 } } } }"#,
    );
    let text = json.expect("a file").write();
    let document = open(Document::text("guard.json", text.clone()));
    assert_eq!(document.text(), text);
}
