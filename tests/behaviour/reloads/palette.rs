//! What a registry offers to editors.

use std::time::Duration;

use bt_behavior3::palette::{Entry, Kind, Type};
use bt_core::composite::Children;
use bt_core::decorator::AfterChild;
use bt_core::prelude::*;
use bt_dynamic::{NoProperties, Registry, bt_behavior3};
use serde::Deserialize;
use serde_json::json;

#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, Deserialize)]
enum Door {
    North,
    South,
}

/// Walks to a door.
///
/// Fails if there is none.
#[action]
fn walk(
    _: &mut Board,
    #[param(unit = "m/s")] speed: f32,
    door: Door,
    #[param(default = 3)] times: u8,
    #[input] hunger: i64,
    #[input] mood: Option<String>,
    #[output] goal: &mut Option<u32>,
) -> Status {
    let _ = (speed, door, times, hunger, mood, goal);
    Status::Running
}

/// Sees something.
#[condition]
fn sees(_: &Board) -> bool {
    true
}

fn undocumented(_: &mut Board) {}

#[derive(Clone)]
struct Sit;

/// Sits down.
#[leaf]
impl Leaf<Board> for Sit {
    fn tick(&self, (): &mut (), _: &mut Board) -> Status {
        Status::Running
    }
}

struct Twice;

/// Runs its child twice.
#[decorator]
impl<C: ?Sized> Decorator<C> for Twice {
    fn end(&self, outcome: Outcome, (): &mut (), (): &mut (), _: &mut C) -> AfterChild<bt_core::Never> {
        AfterChild::End(outcome)
    }
}

struct First;

/// Ticks its first child.
#[composite]
impl<C: ?Sized> Composite<C> for First {
    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        children.tick(0, ctx)
    }
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "they are read")]
struct Talk {
    words: Vec<String>,
    to: Option<Door>,
    #[serde(default)]
    time: Duration,
    loud: bool,
    #[serde(default)]
    next: Option<Box<Talk>>,
}

fn palette() -> Vec<Entry> {
    let mut registry = Registry::<Board>::new();
    registry.add::<walk>("walk").add_leaf("sees", sees).add_leaf("undocumented", undocumented).add_leaf("sit", Sit);
    registry.add_decorator("twice", |_: NoProperties| Twice).add_composite("first", |_: NoProperties| First);
    registry.add_with("talk", |_: Talk| |_: &mut Board| ());
    assert_eq!(registry.declarations().len(), 7);
    assert_eq!(registry.declarations()[2].more["description"], "Sits down.");
    registry.palette()
}

fn entry(name: &str) -> Entry {
    palette().into_iter().find(|entry| entry.name == name).expect("it is registered")
}

#[test]
fn documentation_kind_and_module_are_those_of_the_source() {
    let here = module_path!();
    for (name, kind, doc) in [
        ("walk", Kind::Leaf, "Walks to a door.\n\nFails if there is none."),
        ("sees", Kind::Leaf, "Sees something."),
        ("undocumented", Kind::Leaf, ""),
        ("sit", Kind::Leaf, "Sits down."),
        ("twice", Kind::Decorator, "Runs its child twice."),
        ("first", Kind::Composite, "Ticks its first child."),
        ("talk", Kind::Leaf, ""),
    ] {
        let entry = entry(name);
        assert_eq!((entry.kind, &*entry.doc, &*entry.group), (kind, doc, here), "{name}");
    }
    assert!(entry("sees").is_condition && !entry("sit").is_condition);
}

#[test]
fn parameters_have_types_units_defaults_and_bounds() {
    let walk = entry("walk");
    assert_eq!(walk.insert, "walk(speed = 1.0, door = \"North\", hunger = 1, goal = var(name))");
    let params: Vec<_> = { walk.params.iter() }
        .map(|param| (&*param.name, param.ty, param.unit.as_deref(), param.default.as_deref(), param.required))
        .collect();
    assert_eq!(
        params,
        [
            ("speed", Type::Number, Some("m/s"), None, true),
            ("door", Type::Choice, None, None, true),
            ("times", Type::Integer, None, Some("3"), false),
            ("hunger", Type::Integer, None, None, true),
            ("mood", Type::Text, None, None, false),
            ("goal", Type::Variable, None, None, true),
        ]
    );
    assert_eq!(walk.params[1].choices, ["North", "South"]);
    assert_eq!((walk.params[2].min, walk.params[2].max), (Some(0.0), Some(255.0)));
}

#[test]
fn the_fields_that_serde_reads_have_types() {
    let params: Vec<_> =
        entry("talk").params.into_iter().map(|param| (param.name, param.ty, param.required, param.choices)).collect();
    let doors = vec!["North".to_owned(), "South".to_owned()];
    assert_eq!(
        params,
        [
            ("words".to_owned(), Type::List, true, vec![]),
            ("to".to_owned(), Type::Choice, false, doors),
            ("time".to_owned(), Type::Time, false, vec![]),
            ("loud".to_owned(), Type::Boolean, true, vec![]),
            ("next".to_owned(), Type::Expression, false, vec![]),
        ]
    );
}

#[test]
fn words_that_the_context_cannot_use_are_left_out() {
    struct Npc;
    impl Clock for Npc {
        fn now(&self) -> Duration {
            Duration::ZERO
        }
    }
    let has = |palette: &[Entry], name: &str| palette.iter().any(|entry| entry.name == name);
    assert!(has(&palette(), "sequence") && !has(&palette(), "cooldown") && !has(&palette(), "chance"));
    let with_clock = Registry::<Npc>::new().with_clock().palette();
    assert!(has(&with_clock, "cooldown") && !has(&with_clock, "random_selector"));
}

#[test]
fn a_file_leaves_out_disabled_nodes() {
    let mut registry = Registry::<Board>::new();
    registry.add_leaf("sees", sees).add_leaf("sit", Sit);
    let file = json!({ "root": "1", "nodes": {
        "1": { "name": "Sequence", "children": ["2", "3", "4"] },
        "2": { "name": "gone", "properties": { "disabled": true, "x": 1 } },
        "3": { "name": "sees" }, "4": { "name": "sit" }
    } });
    let loaded = registry.load(&file.to_string()).expect("it is valid");
    let text = registry.load_tree("sequence { #[disabled] gone(x = 1), sees, sit }").expect("it is valid");
    let expected = registry.load_tree("sequence { sees, sit }").expect("it is valid");
    for tree in [loaded, text] {
        assert_eq!(tree.description().lines(), expected.description().lines());
    }
}
