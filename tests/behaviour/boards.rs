//! The blackboard.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Waker;

use bt_core::Status::{Error, Failure, Success};
use bt_core::board::{Scope, VariableView};
use bt_core::board::{compare, copy, is_set, set, unset};
use bt_core::prelude::*;

const HUNGER: Key<u32> = Key::saved("hunger");
const NAME: Key<String> = Key::saved("name");
const SECRET: Key<&str> = Key::new("secret");

fn tick<C: ?Sized, N: Node<C>>(tree: &N, ctx: &mut C) -> Status {
    tree.tick(ctx, &mut tree.memory())
}

#[test]
fn each_scope_has_its_own_variable_of_a_name() {
    let mut board = Board::new();
    let keys = [
        HUNGER,
        HUNGER.in_tree("patrol"),
        HUNGER.in_tree("work"),
        HUNGER.in_node("patrol", NodeId::new(3)),
        HUNGER.in_node("patrol", NodeId::new(4)),
    ];
    for (value, key) in (0..).zip(&keys) {
        board.set(key, value);
    }
    let values: Vec<_> = keys.iter().map(|key| board.get(key).copied()).collect();
    assert_eq!(values, [0, 1, 2, 3, 4].map(Some));
    assert_eq!(*keys[0].scope(), Scope::Global);
}

#[test]
fn an_unset_variable_is_none() {
    let mut board = Board::new();
    assert_eq!(board.get(&HUNGER), None);
    board.set(&HUNGER, 3);
    board.unset(&HUNGER);
    assert_eq!(board.get(&HUNGER), None);
    board.unset(&NAME);
    assert_eq!(board.get_mut(&NAME), None);
}

#[test]
fn reset_gives_defaults_and_unsets_the_rest() {
    let mut board = Board::new();
    board.define(&HUNGER, 5);
    board.set(&NAME, "ann".to_owned());
    assert_eq!(board.get(&HUNGER), Some(&5));
    board.set(&HUNGER, 9);
    board.reset();
    assert_eq!((board.get(&HUNGER), board.get(&NAME)), (Some(&5), None));
    board.unset(&HUNGER);
    board.reset();
    assert_eq!(board.get(&HUNGER), Some(&5));
}

#[test]
fn defining_a_default_does_not_overwrite_a_value() {
    let mut board = Board::new();
    board.set(&HUNGER, 9);
    board.define(&HUNGER, 5);
    assert_eq!(board.get(&HUNGER), Some(&9));
}

#[test]
fn changes_are_counted() {
    let mut board = Board::new();
    let mut last = board.changes(&HUNGER);
    assert_eq!(last, 0);
    let mut changed = |board: &Board| {
        let now = board.changes(&HUNGER);
        std::mem::replace(&mut last, now) != now
    };
    board.set(&HUNGER, 1);
    assert!(changed(&board) && !changed(&board));
    *board.get_mut(&HUNGER).expect("it is set") += 1;
    assert!(changed(&board));
    let _ = (board.get(&HUNGER), board.get(&NAME));
    assert!(!changed(&board));
    board.unset(&HUNGER);
    assert!(changed(&board));
    board.unset(&HUNGER);
    assert!(!changed(&board));
}

#[test]
fn two_keys_of_one_name_and_different_types_are_an_error_that_names_both() {
    const OTHER: Key<f32> = Key::new("hunger");
    let mut board = Board::new();
    board.set(&HUNGER, 1);
    let error = board.try_set(&OTHER, 1.5).unwrap_err();
    assert_eq!(error.to_string(), "variable `hunger` has type `u32`, not `f32`");
    assert_eq!(board.try_get(&OTHER).unwrap_err(), error);
    assert_eq!(board.key::<f32>("hunger").unwrap_err(), error);
    let panic = catch_unwind(AssertUnwindSafe(|| board.set(&OTHER, 1.5))).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>(), Some(&error.to_string()));
    assert_eq!(board.get(&HUNGER), Some(&1), "nothing is lost");
    assert_eq!(tick(&tree! { for Board: set(OTHER, 1.5) }, &mut board), Error);
    assert_eq!(tick(&tree! { for Board: is_set(OTHER) }, &mut board), Failure);
}

#[test]
fn two_dynamic_keys_of_one_name_and_different_types_are_an_error_before_any_value() {
    let mut board = Board::new();
    let hunger = board.key::<u32>(String::from("hunger")).expect("it is the first");
    assert!(board.key::<u32>("hunger").is_ok());
    assert_eq!(
        board.key::<String>("hunger").unwrap_err().to_string(),
        "variable `hunger` has type `u32`, not `alloc::string::String`"
    );
    board.set(&hunger, 4);
    assert_eq!(board.get(&HUNGER), Some(&4), "a key in the source and one made at run time are one by their name");
}

#[test]
fn tools_see_name_type_value_scope_and_changes() {
    let mut board = Board::new();
    board.set(&HUNGER, 3);
    board.set(&SECRET.in_node("patrol", NodeId::new(2)), "x");
    board.unset(&HUNGER);
    let mut lines = Vec::new();
    board.show(&mut |VariableView { name, of, type_name, value, changes, .. }| {
        lines.push(format!("{name} {of:?} {type_name} {value:?} {changes:?}"));
    });
    assert_eq!(
        lines,
        ["hunger None u32 None Some(2)", "secret Some((\"patrol\", Some(NodeId(2)))) &str Some(\"x\") Some(1)"]
    );
}

/// An agent's board over that of its village.
struct Villager<'v> {
    own: Board,
    village: &'v Board,
}

impl HasBoard for Villager<'_> {
    fn board(&self) -> &Board {
        &self.own
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.own
    }

    fn shared_board(&self) -> Option<&Board> {
        Some(self.village)
    }
}

#[action]
fn eat(villager: &mut Villager<'_>, #[input] bites: u32) {
    villager.own.set(&Key::new("eaten"), bites);
}

#[test]
fn lookups_fall_through_to_the_shared_board_and_writes_do_not() {
    let mut village = Board::new();
    village.set(&HUNGER, 7);
    let mut ann = Villager { own: Board::new(), village: &village };
    assert_eq!(tick(&tree! { for Villager<'_>: is_set(HUNGER) }, &mut ann), Success);
    assert_eq!(tick(&tree! { for Villager<'_>: compare(HUNGER, |hunger| *hunger == 7) }, &mut ann), Success);
    assert_eq!(tick(&tree! { eat(HUNGER) }, &mut ann), Success);
    assert_eq!(ann.own.get(&Key::<u32>::new("eaten")), Some(&7));
    assert_eq!(tick(&tree! { for Villager<'_>: copy(HUNGER, HUNGER) }, &mut ann), Success);
    assert_eq!(tick(&tree! { for Villager<'_>: set(HUNGER, 1) }, &mut ann), Success);
    assert_eq!(ann.own.get(&HUNGER), Some(&1));
    assert_eq!(village.get(&HUNGER), Some(&7));
}

#[test]
fn an_input_is_a_value_or_a_key_and_unset_it_is_an_error() {
    let village = Board::new();
    let mut ann = Villager { own: Board::new(), village: &village };
    let tree = tree! { sequence { eat(2), eat(HUNGER) } };
    assert_eq!(tick(&tree, &mut ann), Error);
    assert_eq!(ann.own.get(&Key::<u32>::new("eaten")), Some(&2));
    ann.own.set(&HUNGER, 5);
    assert_eq!(tick(&tree, &mut ann), Success);
    assert_eq!(ann.own.get(&Key::<u32>::new("eaten")), Some(&5));
    assert_eq!(tree.description().lines()[1..], ["├─ eat(bites: 2)", "└─ eat(bites: {hunger})"]);
}

#[test]
fn leaves_are_described_with_their_variables() {
    let tree = tree! {
        for Board: sequence {
            is_set(NAME),
            set(HUNGER, 3),
            unset(HUNGER),
            copy(HUNGER, HUNGER),
            compare(HUNGER, |_| true),
        }
    };
    assert_eq!(
        tree.description().lines()[1..],
        [
            "├─ is_set(variable: {name})",
            "├─ set(variable: {hunger}, value: 3)",
            "├─ unset(variable: {hunger})",
            "├─ copy(from: {hunger}, to: {hunger})",
            "└─ compare(variable: {hunger})",
        ]
    );
}

/// A mind of plain fields.
#[derive(Blackboard, Clone, PartialEq, Debug)]
pub(crate) struct Mind<T> {
    /// How hungry it is.
    #[board(default = 3)]
    hunger: u32,
    target: Option<T>,
    #[board(default = 4)]
    steps: Option<u8>,
    #[board(skip)]
    nothing: (),
}

fn mind() -> Mind<char> {
    Mind { hunger: 9, target: None, steps: None, nothing: () }
}

#[test]
fn fields_have_keys_like_variables() {
    let mut mind = mind();
    let tree = tree! {
        for Mind<char>: sequence {
            compare(Mind::<char>::HUNGER, |hunger| *hunger == 9),
            !is_set(Mind::<char>::TARGET),
            set(Mind::<char>::TARGET, 'x'),
            is_set(Mind::<char>::TARGET),
            unset(Mind::<char>::HUNGER),
        }
    };
    assert_eq!(tick(&tree, &mut mind), Success);
    assert_eq!(mind, Mind { hunger: 3, target: Some('x'), steps: None, nothing: () });
    assert_eq!(tree.description().lines()[1], "├─ compare(variable: {hunger})");
}

#[test]
fn fields_reset_to_their_defaults_and_are_shown() {
    let mut mind = mind();
    let shown = |mind: &Mind<char>| {
        let mut lines = Vec::new();
        mind.show(&mut |shown| lines.push(format!("{}: {} = {:?}", shown.name, shown.type_name, shown.value)));
        lines
    };
    assert_eq!(shown(&mind), ["hunger: u32 = Some(9)", "target: T = None", "steps: u8 = None"]);
    mind.reset();
    assert_eq!(mind, Mind { hunger: 3, target: None, steps: Some(4), nothing: () });
}

#[test]
fn a_board_is_saved_and_loaded() {
    let fresh = || {
        let mut board = Board::new();
        board.define(&HUNGER, 1);
        board.define(&HUNGER.in_tree("patrol"), 2);
        board.define(&HUNGER.in_node("patrol", NodeId::new(3)), 3);
        board.define(&NAME, "nobody".to_owned());
        board.set(&SECRET, "not saved");
        board
    };
    let mut board = fresh();
    board.set(&HUNGER, 40);
    board.set(&HUNGER.in_node("patrol", NodeId::new(3)), 60);
    board.unset(&NAME);
    let save = serde_json::to_string(&board).expect("it can be saved");
    assert!(!save.contains("secret"));

    for save in [save.clone(), serde_json::from_str::<serde_json::Value>(&save).expect("it is JSON").to_string()] {
        let mut loaded = fresh();
        loaded.load(&mut serde_json::Deserializer::from_str(&save)).expect("the variables are there");
        assert_eq!(loaded.get(&HUNGER), Some(&40));
        assert_eq!(loaded.get(&HUNGER.in_tree("patrol")), Some(&2));
        assert_eq!(loaded.get(&HUNGER.in_node("patrol", NodeId::new(3))), Some(&60));
        assert_eq!((loaded.get(&NAME), loaded.get(&SECRET)), (None, Some(&"not saved")));
        assert_eq!(loaded.changes(&HUNGER), board.changes(&HUNGER));
        loaded.reset();
        assert_eq!(loaded.get(&HUNGER), Some(&1), "defaults are those of the board");
    }

    let bytes = postcard::to_allocvec(&board).expect("it can be saved");
    let mut loaded = fresh();
    loaded.load(&mut postcard::Deserializer::from_bytes(&bytes)).expect("the variables are there");
    assert_eq!(loaded.get(&HUNGER), Some(&40));
}

#[test]
fn what_cannot_be_loaded_is_an_error_and_leaves_the_board_alone() {
    let mut board = Board::new();
    board.define(&HUNGER, 1);
    board.define(&SECRET, "x");
    let line = |name: &str, value: &str| {
        format!(r#"[{{"changes":1,"name":"{name}","node":null,"tree":null,"value":{value}}}]"#)
    };
    let two =
        format!("{},{}", line("hunger", "8").trim_end_matches(']'), line("hunger", "true").trim_start_matches('['));
    let cases = [
        (
            line("thirst", "1"),
            "unknown variable `thirst`; help: before loading, define it on the board with a key created by `Key::saved`",
        ),
        (
            line("secret", "1"),
            "unknown variable `secret`; help: before loading, define it on the board with a key created by `Key::saved`",
        ),
        (line("hunger", "true"), "variable `hunger` of type `u32`: invalid type: boolean `true`, expected u32"),
        (two, "variable `hunger` of type `u32`: "),
        (r#"[{"name":"hunger"}]"#.to_owned(), "missing field `value`"),
        (r#"[{"value":3}]"#.to_owned(), "missing field `name`"),
        (
            r#"[{"name":"hunger","value":3,"changes":1}]"#.to_owned(),
            "variable `hunger`: `value` must be the last field",
        ),
        ("{}".to_owned(), "expected a list of board variables"),
        ("[[1]]".to_owned(), "invalid length 1, expected a board variable with 5 fields"),
    ];
    for (save, expected) in cases {
        let error = board.load(&mut serde_json::Deserializer::from_str(&save)).unwrap_err().to_string();
        assert!(error.contains(expected), "{save}: {error}");
        assert_eq!(board.get(&HUNGER), Some(&1));
    }
}

#[test]
fn a_variable_of_another_type_is_an_error_not_a_failure() {
    const OTHER: Key<f32> = Key::new("hunger");
    let number = tree! { for Villager<'_>: eat(HUNGER) };
    let test = tree! { for Villager<'_>: compare(HUNGER, |hunger| *hunger > 3) };
    let from = tree! { for Villager<'_>: copy(HUNGER, Key::<u32>::new("eaten")) };
    let to =
        tree! { for Villager<'_>: sequence { set(Key::<u32>::new("seen"), 1), copy(Key::<u32>::new("seen"), HUNGER) } };
    let statuses = |own: Board, village: &Board| {
        let mut ann = Villager { own, village };
        [tick(&number, &mut ann), tick(&test, &mut ann), tick(&from, &mut ann), tick(&to, &mut ann)]
    };
    let (empty, mut wrong) = (Board::new(), Board::new());
    wrong.set(&OTHER, 0.5);
    assert_eq!(statuses(Board::new(), &empty), [Error, Failure, Failure, Success], "not set");
    assert_eq!(statuses(wrong.clone(), &empty), [Error; 4], "on the own board");
    assert_eq!(statuses(Board::new(), &wrong)[..3], [Error; 3], "on the shared board");
    let mut right = Board::new();
    right.set(&HUNGER, 4);
    assert_eq!(statuses(right, &wrong), [Success; 4], "the own board comes first");
}

#[test]
fn a_local_key_and_its_clones_have_a_variable_of_their_own() {
    let (one, other) = (Key::<u32>::local("count"), Key::<u32>::local("count"));
    let mut board = Board::new();
    board.set(&one, 1);
    board.set(&other, 2);
    board.set(&Key::new("count"), 3_u32);
    assert_eq!([&one, &one.clone(), &other].map(|key| board.get(key).copied()), [Some(1), Some(1), Some(2)]);
    assert_eq!(board.get(&Key::<u32>::new("count")), Some(&3));
    assert_eq!(format!("{one:?}"), "{count}");
}

#[test]
fn a_watched_variable_calls_its_wakers_when_it_changes() {
    struct Calls(AtomicUsize);
    impl std::task::Wake for Calls {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    const WATCHED: Key<u32> = Key::saved("watched");
    const OTHER: Key<u32> = Key::new("other");

    let calls = Arc::new(Calls(AtomicUsize::new(0)));
    let waker = Waker::from(calls.clone());
    let mut board = Board::new();
    board.watch(&WATCHED, &waker);
    board.watch(&WATCHED, &waker);
    let mut seen = vec![];
    macro_rules! calls {
        ($($act:expr),+ $(,)?) => {$(
            #[allow(clippy::let_unit_value)]
            let _ = $act;
            seen.push(calls.0.swap(0, Ordering::Relaxed));
        )+};
    }
    calls!(
        board.set(&OTHER, 1),
        board.get(&WATCHED).is_some(),
        board.get_mut(&WATCHED).is_some(),
        board.unset(&WATCHED),
        board.set(&WATCHED, 1),
        board.get_mut(&WATCHED).is_some(),
        board.unset(&WATCHED),
        board.define(&WATCHED, 3),
        board.reset(),
    );
    assert_eq!(seen, [0, 0, 0, 0, 1, 1, 1, 1, 1]);
    let saved = serde_json::to_string(&board).unwrap();
    seen.clear();
    calls!(board.load(&mut serde_json::Deserializer::from_str(&saved)).unwrap(), board.clone().set(&WATCHED, 4));
    assert_eq!(seen, [1, 0]);
    assert!(board.unwatch(&WATCHED, &waker) && !board.unwatch(&WATCHED, &waker) && !board.unwatch(&OTHER, &waker));
    board.set(&WATCHED, 5);
    assert_eq!(calls.0.load(Ordering::Relaxed), 0);
}
