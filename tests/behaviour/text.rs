//! Trees that are loaded from text.

use std::fs;
use std::path::PathBuf;

use bt_core::prelude::*;
use bt_core::tree_from_file;
use bt_dynamic::bt_behavior3::{NodeNames, Project};
use bt_dynamic::{FileTree, LoadedTree, Registry, describe};

#[derive(Default)]
struct Npc {
    now: Duration,
    tired: bool,
    log: Vec<String>,
    opened: u32,
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

#[condition]
fn tired(npc: &Npc) -> bool {
    npc.tired
}

#[action]
fn goto(npc: &mut Npc, speed: f32, place: &String, #[param(default = 1)] times: u8) {
    npc.log.push(format!("{speed} {place} {times}"));
}

/// Counts how often it is opened.
struct Work;

#[leaf]
impl Leaf<Npc> for Work {
    type Open = ();

    fn open(&self, npc: &mut Npc) {
        npc.opened += 1;
    }

    fn tick(&self, (): &mut (), _: &mut Npc) -> Status {
        Status::Running
    }

    fn close(&self, (): &mut (), _: &mut Npc, _: End) {}
}

#[derive(serde::Deserialize)]
struct Way {
    from: u32,
    to: u32,
}

fn registry() -> Registry<Npc> {
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add::<tired>("tired").add::<goto>("goto").add_value("patience", |_: &Npc| secs(2));
    registry.add_with("work", |_: bt_dynamic::NoProperties| Work);
    registry.add_with("way", |Way { from, to }: Way| move |npc: &mut Npc| npc.log.push(format!("{from}..{to}")));
    registry
}

fn load(text: &str) -> LoadedTree<Npc> {
    registry().load_tree(text).unwrap_or_else(|error| panic!("{error}"))
}

fn error(text: &str) -> String {
    match registry().load_tree(text) {
        Ok(_) => panic!("{text} is valid"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn arguments_without_names_get_those_of_the_parameters() {
    let mut npc = Npc::default();
    let tree =
        load("sequence { goto(1.5, \"door\"), goto(2, place = \"gate\", times = 3), goto(1, \"a\", 2), way(3, 4) }");
    assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Status::Success);
    assert_eq!(npc.log, ["1.5 door 1", "2 gate 3", "1 a 2", "3..4"]);
    assert_eq!(
        error("selector { goto(1, \"a\", 2, 3), goto() }"),
        "1:28: too many arguments for `goto`: it takes 3; note: its parameters are `speed`, `place`, `times`"
    );
    assert_eq!(error("goto(1)"), "1:1: missing property `place`");
    assert_eq!(
        error("tired(1)"),
        "1:7: an argument of `tired` needs a name: no parameters are known; help: write `name = value`"
    );
}

#[test]
fn errors_and_warnings_have_a_line_and_a_column() {
    assert_eq!(
        error("selector {\n    sequence { tierd, work }\n    goto(\"fast\", \"a\")\n}"),
        "2:16: unknown node `tierd`; help: did you mean `tired`?"
    );
    assert_eq!(
        error("selector {\n    goto(\"fast\", \"a\")\n}"),
        "2:10: property `speed`: invalid type: string \"fast\", expected f32"
    );
    let tree = load("selector { succeed, work }");
    assert!(tree.warnings()[0].to_string().starts_with("1:21: unreachable node; note: "), "{}", tree.warnings()[0]);
    assert!(load("selector { succeed, #[allow(unreachable)] work }").warnings().is_empty());
}

#[test]
fn errors_of_arguments_are_at_the_argument() {
    for (text, expected) in [
        ("goto(1.5, 3)", "1:11: property `place`: "),
        ("goto(1.5, \"a\", times = 300)", "1:16: property `times`: "),
        ("goto(1.5, place = \"a\", tmies = 3)", "1:24: unknown property `tmies`; help: did you mean `times`?"),
        ("goto(1.5)", "1:1: missing property `place`"),
        ("wait(var(patience))", "1:6: variable `{patience}` cannot be read; help: "),
        ("machine { state a { work, enter: goto } }", "1:34: enter `goto`: missing property `speed`"),
        ("tree a { b(way = 3) } tree b(way) { goto(1.5, var(way)) }", "1:47: property `place`: "),
    ] {
        let found = error(text);
        assert!(found.starts_with(expected), "{text}\nexpected: {expected}\n   found: {found}");
    }
}

#[test]
fn errors_of_running_trees_have_a_line_and_a_column() {
    for (text, expected) in [
        (
            "selector {\n    fail,\n    timeout(mood) { work }\n}",
            "3:13: parameter `time`: value `mood` is `\"calm\"`, expected ",
        ),
        ("sequence {\n    repeat(4000000000) { succeed }\n}", "2:5: too many child restarts in one tick: "),
    ] {
        let mut registry = registry();
        registry.add_value("mood", |_: &Npc| "calm");
        let tree = registry.load_tree(text).unwrap_or_else(|error| panic!("{error}"));
        let mut memory = tree.memory();
        tree.tick(&mut Npc::default(), &mut memory);
        let found = tree.error(&memory).map(ToString::to_string).unwrap_or_default();
        assert!(found.starts_with(expected), "{text}\nexpected: {expected}\n   found: {found}");
    }
}

#[test]
fn nested_trees_take_arguments_by_name() {
    let mut npc = Npc::default();
    let text = "tree day { sequence { go(door = \"a\"), go(door = \"b\", speed = 2.0) } }\n\
                tree go(door, speed = 1.0) \"go there\" { goto(var(speed), var(door)) }";
    let tree = load(text);
    assert_eq!((tree.title(), tree.tick(&mut npc, &mut tree.memory())), ("day", Status::Success));
    assert_eq!(npc.log, ["1 a 1", "2 b 1"]);
    let project = registry().read_tree(text).expect("it is valid");
    assert!(registry().load_from(&project, Some("go there")).is_err(), "a property of it is required");
    assert_eq!(
        error("tree day { go } tree go(door) { goto(1.0, var(door)) }"),
        "1:12: missing property `door` of the nested tree"
    );
}

#[test]
fn an_edited_text_is_compared_by_structure_since_it_has_no_ids() {
    let (mut npc, old) = (Npc::default(), load("selector { tired, work }"));
    let mut memory = old.memory();
    old.tick(&mut npc, &mut memory);
    // The number of every node below changes.
    let new = load("selector { sequence { tired, goto(1.0, \"a\") } timeout(patience) { work } }");
    let matching = old.matching(&new);
    assert_eq!(old.description().matching(&new.description()), matching);
    old.reload(&new, &mut memory, &mut npc);
    new.tick(&mut npc, &mut memory);
    assert_eq!(npc.opened, 1, "the running leaf goes on");
}

#[test]
fn a_file_of_text_is_loaded_again_when_it_changes() {
    let path = std::env::temp_dir().join(format!("text-{}.bt", std::process::id()));
    fs::write(&path, "work").expect("it can be written");
    let mut file = FileTree::open(&path, registry()).expect("it is valid");
    let (mut npc, mut memory) = (Npc::default(), file.tree().memory());
    file.tree().tick(&mut npc, &mut memory);
    fs::write(&path, "\u{feff}selector {\r\n    tired\r\n    wrok\r\n}\r\n").expect("it can be written");
    let error = loop {
        if let Some(Err(error)) = file.poll() {
            break error.to_string();
        }
        std::thread::sleep(millis(20));
    };
    assert_eq!(error, format!("{}:3:5: expected `,` before the next child, found `wrok`", path.display()));
    fs::write(&path, "selector { tired, work }\r\n").expect("it can be written");
    let change = file.poll().expect("it has changed").expect("it is valid");
    change.apply(&mut memory, &mut npc);
    file.tree().tick(&mut npc, &mut memory);
    assert_eq!(npc.opened, 1);
    fs::remove_file(&path).expect("it can be removed");
}

/// The nodes of all trees of a project, as far as text has them.
#[test]
fn each_file_of_the_tests_is_the_same_as_text() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("behaviour");
    let mut read = 0;
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("a file").path();
        if !path.to_string_lossy().ends_with(".b3.json") {
            continue;
        }
        let names = NodeNames::default().open();
        let file = Project::read(&fs::read_to_string(&path).expect("text")).expect("a file");
        let text = file.to_text(&names).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
        let project = Registry::<()>::new().read_tree(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let drawn = |project: &Project| describe(&project.check(None, &names).expect("it is valid")).to_string();
        let (before, after) = (drawn(&file), drawn(&project));
        let structure =
            |drawing: &str| drawing.lines().map(|line| line.split('(').next().map(str::to_owned)).collect::<Vec<_>>();
        assert_eq!(structure(&before), structure(&after), "{text}");
        assert_eq!(project.to_text(&names).expect("it is valid"), text);
        read += 1;
    }
    assert!(read >= 7);
}

mod npc {
    #[bt_core::action]
    pub(super) fn sing(npc: &mut super::Npc, tone: &String, beats: [u8; 2]) {
        npc.log.push(format!("{tone} {beats:?}"));
    }
}

#[action]
fn once(npc: &mut Npc, speed: f32, place: &String) {
    npc.log.push(format!("{speed} {place}"));
}

fn patience(_: &Npc) -> Duration {
    secs(2)
}

fn yawn(npc: &mut Npc) {
    npc.log.push("yawn".to_owned());
}

#[test]
fn a_text_that_is_built_in_is_the_loaded_tree() {
    let mut registry = registry();
    registry.add::<npc::sing>("npc::sing").add::<once>("once").add_leaf("yawn", yawn);
    let loaded = registry.load_tree(include_str!("guard.bt")).unwrap_or_else(|error| panic!("{error}"));
    let built = tree_from_file!(
        "guard.bt" as "guard",
        for Npc: tired, yawn, patience, once(speed, place), npc::sing(tone, beats)
    );
    assert_eq!(built.description().to_string(), loaded.description().to_string());
    let [mut one, mut other] = [Npc::default(), Npc::default()];
    let (mut first, mut second) = (built.memory(), loaded.memory());
    for tick in 0..40 {
        for npc in [&mut one, &mut other] {
            npc.now = millis(300 * tick);
            npc.tired = tick % 7 > 3;
        }
        assert_eq!(built.tick(&mut one, &mut first), loaded.tick(&mut other, &mut second), "tick {tick}");
        assert_eq!(one.log, other.log, "tick {tick}");
    }
    for line in ["yawn", "1.5 door", "low [1, 2]"] {
        assert!(one.log.iter().any(|entry| entry == line), "{line}: {:?}", one.log);
    }
}
