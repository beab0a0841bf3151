//! Numbers and times that are variables, functions of the context or random. Each in both engines.

use bt_core::Outcomes;
use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;
use bt_core::rand_core::SeedableRng;
use bt_core::{Shift, tree_from_json};
use bt_dynamic::{LoadedTree, Registry};
use rand_pcg::Pcg32;

const PAUSE: Key<Duration> = Key::new("pause");
const COUNT: Key<u32> = Key::new("count");
const SHARE: Key<f64> = Key::new("share");

struct Npc {
    board: Board,
    random: Pcg32,
    now: Duration,
    lives: u32,
    patience: Duration,
    notes: Vec<u64>,
}

impl Default for Npc {
    fn default() -> Self {
        Self {
            board: Board::new(),
            random: Pcg32::seed_from_u64(5),
            now: Duration::ZERO,
            lives: 2,
            patience: secs(4),
            notes: Vec::new(),
        }
    }
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

impl Random for Npc {
    type Rng = Pcg32;
    fn rng(&mut self) -> &mut Pcg32 {
        &mut self.random
    }
}

impl HasBoard for Npc {
    fn board(&self) -> &Board {
        &self.board
    }
    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }
}

impl Npc {
    fn patience(&self) -> Duration {
        self.patience
    }
}

fn lives(npc: &Npc) -> u32 {
    npc.lives
}

#[action]
fn note(npc: &mut Npc) {
    npc.notes.push(npc.now.as_secs());
}

fn registry() -> Registry<Npc> {
    let mut registry = Registry::<Npc>::new().with_clock().with_random().with_board();
    registry.add::<note>("Note").add_value("Lives", lives).add_value("Patience", Npc::patience);
    registry.add_value("Share", |npc: &Npc| f64::from(npc.lives) / 2.0).add_value("Mood", |_: &Npc| "calm");
    registry
}

/// One node of a file, above a leaf if it has a child.
fn loaded(name: &str, properties: &str) -> LoadedTree<Npc> {
    let child = if name == "wait" { "" } else { r#", "child": "2""# };
    let leaf = if matches!(name, "timeout" | "delay") { "run" } else { "Note" };
    let file = format!(
        r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "{name}", "properties": {{ {properties} }} {child} }}, "2": {{ "name": "{leaf}" }} }} }}"#
    );
    registry().load(&file).unwrap_or_else(|error| panic!("{error}"))
}

/// Calls a function with each of two trees.
macro_rules! both {
    ($written:expr, $loaded:expr, |$tree:ident| $test:expr) => {{
        {
            let $tree = &$written;
            $test
        }
        let $tree = &$loaded;
        $test
    }};
}

/// Ticks a new memory once, and returns the status, and the errors that an observer receives.
fn first<N: Node<Npc>>(tree: &N, npc: &mut Npc) -> (Status, Vec<String>) {
    struct Errors(Vec<String>);
    impl Observer for Errors {
        fn error(&mut self, at: NodeId, error: &dyn std::fmt::Display) {
            self.0.push(format!("{at} {error}"));
        }
    }
    let mut errors = Errors(Vec::new());
    let status = tree.tick_with(npc, &mut tree.memory(), &mut errors);
    (status, errors.0)
}

#[test]
fn a_time_that_is_a_variable_is_read_when_the_run_starts() {
    both!(tree! { for Npc: wait(PAUSE) }, loaded("wait", r#""time": "{pause}""#), |tree| {
        let (mut npc, mut memory) = (Npc::default(), tree.memory());
        npc.board.set(&PAUSE, secs(2));
        assert_eq!(tree.tick(&mut npc, &mut memory), Running);
        npc.board.set(&PAUSE, secs(9));
        npc.now = secs(2);
        assert_eq!(tree.tick(&mut npc, &mut memory), Success);
        assert_eq!(tree.tick(&mut npc, &mut memory), Running, "the next run takes 9 seconds");
        npc.now = secs(10);
        assert_eq!(tree.tick(&mut npc, &mut memory), Running);
        npc.board.unset(&PAUSE);
        npc.now = secs(11);
        assert_eq!(tree.tick(&mut npc, &mut memory), Success, "it is not read again");
        assert_eq!(tree.tick(&mut npc, &mut memory), Error);
    });
}

#[test]
fn a_variable_that_is_not_set_is_an_error_that_names_parameter_and_variable() {
    let time = "#0 parameter `time`: variable `pause` is not set";
    let times = "#0 parameter `times`: variable `count` is not set";
    macro_rules! missing {
        ($($name:literal $parameter:literal $variable:literal $tree:expr, $error:expr;)+) => {$(
            let properties = format!("\"{}\": \"{{{}}}\"{}", $parameter, $variable, if $name == "service" { r#", "action": "Note""# } else { "" });
            both!($tree, loaded($name, &properties), |tree| {
                let mut npc = Npc::default();
                assert_eq!(first(tree, &mut npc), (Error, vec![$error.to_owned()]), $name);
                assert!(npc.notes.is_empty());
            });
        )+};
    }
    missing! {
        "wait" "time" "pause" tree! { for Npc: wait(PAUSE) }, time;
        "timeout" "time" "pause" tree! { for Npc: timeout(PAUSE) { run } }, time;
        "delay" "time" "pause" tree! { for Npc: delay(PAUSE) { run } }, time;
        "cooldown" "time" "pause" tree! { for Npc: cooldown(PAUSE) { note } }, time;
        "service" "every" "pause" tree! {
            for Npc: service(PAUSE, note) { note }
        }, "#0 parameter `every`: variable `pause` is not set";
        "repeat" "times" "count" tree! { for Npc: repeat(COUNT) { note } }, times;
        "retry" "times" "count" tree! { for Npc: retry(COUNT) { !note } }, times;
        "repeat_while_success" "times" "count" tree! { for Npc: repeat_while_success(COUNT) { note } }, times;
        "limit" "runs" "count" tree! {
            for Npc: limit(COUNT) { note }
        }, "#0 parameter `runs`: variable `count` is not set";
        "chance" "probability" "share" tree! {
            for Npc: chance(SHARE) { note }
        }, "#0 parameter `probability`: variable `share` is not set";
    }
}

#[test]
fn a_variable_of_another_type_is_an_error() {
    let mut npc = Npc::default();
    npc.board.set(&Key::new("pause"), "soon");
    let (status, errors) = first(&tree! { for Npc: wait(PAUSE) }, &mut npc);
    assert_eq!(status, Error);
    assert_eq!(errors, ["#0 parameter `time`: variable `pause` has another type, because two keys have the same name"]);
    let (status, errors) = first(&loaded("wait", r#""time": "{pause}""#), &mut npc);
    assert_eq!(status, Error);
    assert_eq!(
        errors,
        ["#0 parameter `time`: variable `pause` is `\"soon\"`, expected a time in milliseconds, or one such as `1.5s`"]
    );
    let (status, errors) = first(&loaded("repeat", r#""times": "Mood""#), &mut npc);
    assert_eq!(status, Error);
    assert_eq!(
        errors,
        ["#0 parameter `times`: value `Mood` is `\"calm\"`, expected a whole number from 0 to 4294967295"]
    );
}

#[test]
fn a_file_reads_numbers_and_text_as_times() {
    let tree = loaded("wait", r#""time": "{pause}""#);
    let mut npc = Npc::default();
    npc.board.set(&Key::new("pause"), 250_u32);
    let mut memory = tree.memory();
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    npc.now = millis(250);
    assert_eq!(tree.tick(&mut npc, &mut memory), Success);
    for (value, is_time) in [(-1.0, false), (f64::NAN, false), (f64::INFINITY, false), (0.5, true)] {
        let mut npc = Npc::default();
        npc.board.set(&Key::new("pause"), value);
        assert_eq!(first(&tree, &mut npc).0, if is_time { Running } else { Error }, "{value}");
    }
    let tree = loaded("repeat", r#""times": "{count}""#);
    for (value, status) in [(1.5, Error), (-1.0, Error), (3.0, Success), (1e10, Error)] {
        let mut npc = Npc::default();
        npc.board.set(&Key::new("count"), value);
        assert_eq!(first(&tree, &mut npc).0, status, "{value}");
    }
}

#[test]
fn a_number_that_is_a_function_is_computed_when_the_run_starts() {
    both!(tree! { for Npc: retry(lives) { !note } }, loaded("retry", r#""times": "Lives""#), |tree| {
        let mut npc = Npc { lives: 3, ..Npc::default() };
        tree.tick(&mut npc, &mut tree.memory());
        assert!(npc.notes.len() <= 3);
        npc.lives = 0;
        assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Failure);
    });
    both!(tree! { for Npc: repeat(|npc: &Npc| npc.lives) { note } }, loaded("repeat", r#""times": "Lives""#), |tree| {
        let mut npc = Npc { lives: 3, ..Npc::default() };
        assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Success);
        assert_eq!(npc.notes.len(), 3);
        npc.lives = 0;
        assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Success);
        assert_eq!(npc.notes.len(), 3);
    });
}

#[test]
fn a_limit_that_is_a_function_is_computed_at_each_start() {
    both!(tree! { for Npc: limit(lives) { note } }, loaded("limit", r#""runs": "Lives""#), |tree| {
        let (mut npc, mut memory) = (Npc { lives: 1, ..Npc::default() }, tree.memory());
        let ticks = |npc: &mut Npc, memory: &mut _| [(); 2].map(|()| tree.tick(npc, memory));
        assert_eq!(ticks(&mut npc, &mut memory), [Success, Failure]);
        npc.lives = 2;
        assert_eq!(ticks(&mut npc, &mut memory), [Success, Failure]);
    });
}

#[test]
fn the_time_of_a_cooldown_is_determined_when_its_child_starts() {
    both!(tree! { for Npc: cooldown(Npc::patience) { note } }, loaded("cooldown", r#""time": "Patience""#), |tree| {
        let (mut npc, mut memory) = (Npc { patience: secs(3), ..Npc::default() }, tree.memory());
        assert_eq!(tree.tick(&mut npc, &mut memory), Success);
        (npc.patience, npc.now) = (secs(50), secs(2));
        assert_eq!(tree.tick(&mut npc, &mut memory), Failure);
        npc.now = secs(3);
        assert_eq!(tree.tick(&mut npc, &mut memory), Success);
        npc.now = secs(52);
        assert_eq!(tree.tick(&mut npc, &mut memory), Failure);
    });
}

#[test]
fn a_probability_can_be_a_function_or_a_variable() {
    both!(
        tree! { for Npc: chance(|npc: &Npc| f64::from(npc.lives) / 2.0) { note } },
        loaded("chance", r#""probability": "Share""#),
        |tree| {
            assert_eq!(first(tree, &mut Npc { lives: 2, ..Npc::default() }).0, Success);
            assert_eq!(first(tree, &mut Npc { lives: 0, ..Npc::default() }).0, Failure);
        }
    );
    both!(tree! { for Npc: chance(SHARE) { note } }, loaded("chance", r#""probability": "{share}""#), |tree| {
        let mut npc = Npc::default();
        npc.board.set(&SHARE, 1.0);
        assert_eq!(first(tree, &mut npc).0, Success);
    });
}

/// How long each of these runs takes, in milliseconds.
fn lengths<N: Node<Npc>>(tree: &N, runs: usize) -> Vec<u64> {
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    let length = |_| {
        let mut length = 0;
        while tree.tick(&mut npc, &mut memory) == Running {
            npc.now += millis(100);
            length += 100;
        }
        length
    };
    (0..runs).map(length).collect()
}

#[test]
fn a_time_that_is_a_range_is_drawn_for_each_run() {
    let mut before = None;
    both!(tree! { for Npc: wait(secs(1)..=secs(3)) }, loaded("wait", r#""time": "1s..=3s""#), |tree| {
        let lengths = lengths(tree, 200);
        assert!(lengths.iter().all(|length| (1000..=3000).contains(length)));
        for part in [1000..1700, 1700..2400, 2400..3100] {
            assert!(lengths.iter().filter(|length| part.contains(*length)).count() > 40, "{lengths:?}");
        }
        assert_eq!(*before.get_or_insert_with(|| lengths.clone()), lengths, "both engines draw the same");
    });
}

#[test]
fn a_number_that_is_a_range_is_drawn_for_each_run() {
    both!(tree! { for Npc: repeat(1..=3) { note } }, loaded("repeat", r#""times": "1..=3""#), |tree| {
        let mut npc = Npc::default();
        let mut counts = [0; 4];
        for _ in 0..300 {
            npc.notes.clear();
            assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Success);
            counts[npc.notes.len()] += 1;
        }
        assert!(counts[0] == 0 && counts[1..].iter().all(|count| *count > 70), "{counts:?}");
    });
}

#[test]
fn a_range_whose_end_is_less_than_its_start_is_its_start() {
    let (long, short) = (secs(3), secs(1));
    assert_eq!(lengths(&tree! { for Npc: wait(long..=short) }, 5), [3000; 5]);
    assert_eq!(lengths(&tree! { for Npc: wait(long..=long) }, 5), [3000; 5]);
    let error = |text: &str| {
        let file = format!(
            r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "wait", "properties": {{ "time": {text} }} }} }} }}"#
        );
        registry().load(&file).err().map(|error| error.to_string()).unwrap_or_default()
    };
    for wrong in ["-1", "true", "[]", r#""1s..=""#, r#""..=1s""#, r#""1s..3s""#, r#""1h""#] {
        let text = error(wrong);
        assert!(
            text.contains("property `time`: expected a time in milliseconds, or one such as `1.5s`, a range such as `1s..=3s`, the name of a registered value or a variable, `{name}` or in a text `var(name)`, found"),
            "{text}"
        );
    }
    assert!(error(r#""patience""#).contains("unknown value `patience`; help: did you mean `Patience`?"));
    assert!(error(r#""Note""#).contains("unknown value `Note`; note: it is a node"));
}

#[test]
fn the_period_of_a_service_is_drawn_each_time_its_action_is_run() {
    both!(
        tree! { for Npc: service(secs(2)..=secs(6), note) { run } },
        registry().load(r#"{ "root": "1", "nodes": {
            "1": { "name": "service", "properties": { "every": "2s..=6s", "action": "Note" }, "child": "2" }, "2": { "name": "run" }
        } }"#).unwrap(),
        |tree| {
            let (mut npc, mut memory) = (Npc::default(), tree.memory());
            for second in 0..400 {
                npc.now = secs(second);
                tree.tick(&mut npc, &mut memory);
            }
            let gaps: Vec<_> = npc.notes.windows(2).map(|two| two[1] - two[0]).collect();
            assert!(gaps.iter().all(|gap| (2..=6).contains(gap)));
            assert!((3..=6).all(|gap| gaps.contains(&gap)), "{gaps:?}");
        }
    );
}

#[test]
fn a_clock_that_jumps_back_prolongs_a_run_at_most_to_the_length_that_it_has() {
    both!(tree! { for Npc: wait(Npc::patience) }, loaded("wait", r#""time": "Patience""#), |tree| {
        let (mut npc, mut memory) = (Npc { patience: secs(4), now: secs(100), ..Npc::default() }, tree.memory());
        assert_eq!(tree.tick(&mut npc, &mut memory), Running);
        (npc.now, npc.patience) = (secs(10), secs(50));
        assert_eq!(tree.tick(&mut npc, &mut memory), Running);
        npc.now = secs(13);
        assert_eq!(tree.tick(&mut npc, &mut memory), Running);
        npc.now = secs(14);
        assert_eq!(tree.tick(&mut npc, &mut memory), Success);
    });
}

#[test]
fn saved_and_shifted_runs_keep_their_lengths() {
    both!(
        tree! { for Npc: mem_sequence { wait(Npc::patience), repeat(COUNT) { wait(secs(1)) } } },
        registry()
            .load(
                r#"{ "root": "0", "nodes": {
            "0": { "name": "mem_sequence", "children": ["1", "2"] },
            "1": { "name": "wait", "properties": { "time": "Patience" } },
            "2": { "name": "repeat", "properties": { "times": "{count}" }, "child": "3" },
            "3": { "name": "wait", "properties": { "time": "1s" } }
        } }"#
            )
            .unwrap(),
        |tree| {
            let (mut npc, mut memory) = (Npc { patience: secs(4), now: secs(100), ..Npc::default() }, tree.memory());
            npc.board.set(&COUNT, 3);
            assert_eq!(tree.tick(&mut npc, &mut memory), Running);
            npc.patience = secs(50);
            let again = |memory: &_| {
                let text = serde_json::to_string(&tree.saved(memory)).unwrap();
                let mut loaded = tree.memory();
                tree.load(&mut loaded, &mut serde_json::Deserializer::from_str(&text)).unwrap();
                loaded
            };
            memory = again(&memory);
            tree.shift(&mut memory, Shift::new(secs(103), secs(0)));
            npc.now = millis(900);
            assert_eq!(tree.tick(&mut npc, &mut memory), Running);
            for second in 1..=3 {
                npc.now = secs(second);
                assert_eq!(tree.tick(&mut npc, &mut memory), Running, "{second}");
                npc.board.set(&COUNT, 50);
                memory = again(&memory);
            }
            npc.now = secs(4);
            assert_eq!(tree.tick(&mut npc, &mut memory), Success);
        }
    );
}

#[test]
fn a_shift_does_not_change_the_length_of_a_cooldown_whose_child_runs() {
    fn busy(npc: &mut Npc) -> Status {
        if npc.lives > 0 { Running } else { Success }
    }
    let mut registry = registry();
    registry.add_leaf("Busy", busy);
    let loaded = |time: &str| {
        let file = format!(
            r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "cooldown", "properties": {{ "time": {time} }}, "child": "2" }}, "2": {{ "name": "Busy" }} }} }}"#
        );
        registry.load(&file).unwrap()
    };
    macro_rules! shifted {
        ($($tree:expr),+) => {$(
            let tree = &$tree;
            let (mut npc, mut memory) = (Npc { now: secs(100), patience: secs(2), ..Npc::default() }, tree.memory());
            assert_eq!(tree.tick(&mut npc, &mut memory), Running);
            tree.shift(&mut memory, Shift::new(secs(100), secs(1000)));
            (npc.now, npc.lives) = (secs(1000), 0);
            assert_eq!(tree.tick(&mut npc, &mut memory), Success);
            npc.now = millis(1_001_900);
            assert_eq!(tree.tick(&mut npc, &mut memory), Failure);
            npc.now = secs(1002);
            assert_eq!(tree.tick(&mut npc, &mut memory), Success);
        )+};
    }
    shifted!(
        tree! { for Npc: cooldown(secs(2)) { busy } },
        tree! { for Npc: cooldown(Npc::patience) { busy } },
        loaded("2000"),
        loaded("\"Patience\"")
    );
}

#[test]
fn numbers_that_are_not_finite_are_numbers_in_files_too() {
    for (share, status) in [(f64::NAN, Failure), (f64::INFINITY, Success), (f64::NEG_INFINITY, Failure)] {
        both!(tree! { for Npc: chance(SHARE) { note } }, loaded("chance", r#""probability": "{share}""#), |tree| {
            let mut npc = Npc::default();
            npc.board.set(&SHARE, share);
            assert_eq!(first(tree, &mut npc).0, status, "{share}");
        });
    }
}

#[test]
fn a_loaded_tree_keeps_the_reason_and_passes_it_to_the_context() {
    struct Taker(Vec<String>);
    impl OnError<bt_dynamic::RunError> for Taker {
        fn on_error(&mut self, at: NodeId, error: bt_dynamic::RunError) {
            self.0.push(format!("{at} {error}"));
        }
    }
    impl Clock for Taker {
        fn now(&self) -> Duration {
            Duration::ZERO
        }
    }
    let mut registry = Registry::<Taker>::new().with_clock().with_errors();
    registry.add_value("Mood", |_: &Taker| "calm");
    for (name, node, child) in [
        ("wait", r#""name": "wait", "properties": { "time": "Mood" }"#, ""),
        (
            "timeout",
            r#""name": "timeout", "properties": { "time": "Mood" }, "child": "2""#,
            r#", "2": { "name": "run" }"#,
        ),
    ] {
        let file = format!(r#"{{ "root": "1", "nodes": {{ "1": {{ {node} }} {child} }} }}"#);
        let tree = registry.load(&file).unwrap();
        let (mut taker, mut memory) = (Taker(Vec::new()), tree.memory());
        assert_eq!(tree.tick(&mut taker, &mut memory), Error);
        let reason = format!(
            "node 1 (\"{name}\"): parameter `time`: value `Mood` is `\"calm\"`, expected a time in milliseconds, or one such as `1.5s`"
        );
        assert_eq!(taker.0, [format!("#0 {reason}")]);
        assert_eq!(tree.error(&memory).unwrap().to_string(), reason);
    }
}

#[test]
fn a_range_in_a_file_does_not_end_before_its_start() {
    for wrong in ["3s..=1s", "1s..=3"] {
        let file = format!(
            r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "wait", "properties": {{ "time": "{wrong}" }} }} }} }}"#
        );
        let error = registry().load(&file).err().unwrap().to_string();
        assert_eq!(
            error,
            format!("node 1 (\"wait\"): property `time`: the end of the range \"{wrong}\" is less than its start")
        );
    }
    // A computed one is written as what it is.
    let (long, short) = (secs(3), secs(1));
    let tree = tree! { for Npc: wait(long..=short) };
    assert_eq!(tree.description().lines()[0], "wait(time: 3s..=3s)");
    let written = bt_dynamic::to_behavior3(&tree.description(), "wait").write();
    assert!(registry().load(&written).is_ok());
    let longest = tree! { for Npc: wait(Duration::MAX) };
    assert!(registry().load(&bt_dynamic::to_behavior3(&longest.description(), "wait").write()).is_ok());
}

#[test]
fn a_value_has_a_name_that_is_no_number_time_range_or_variable() {
    for name in ["500", "3s", "{x}", "1..=2", "", " ", "2nd", "50%"] {
        let mut registry = Registry::<Npc>::new();
        registry.add_value(name, |_: &Npc| 1);
        let error = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "run" } } }"#).err().unwrap().to_string();
        assert!(error.contains(&format!("`{name}` cannot be the name of a value")), "{error}");
    }
}

#[test]
fn a_board_of_fields_has_variables_too() {
    #[derive(Blackboard, Default)]
    struct Settings {
        pause: Option<Duration>,
    }
    struct Robot {
        settings: Settings,
        now: Duration,
    }
    impl Clock for Robot {
        fn now(&self) -> Duration {
            self.now
        }
    }
    impl HasBoard<Settings> for Robot {
        fn board(&self) -> &Settings {
            &self.settings
        }
        fn board_mut(&mut self) -> &mut Settings {
            &mut self.settings
        }
    }
    let tree = tree! { for Robot: wait(Settings::PAUSE) };
    let mut robot = Robot { settings: Settings::default(), now: secs(0) };
    assert_eq!(tree.tick(&mut robot, &mut tree.memory()), Error);
    robot.settings.pause = Some(secs(1));
    assert_eq!(tree.tick(&mut robot, &mut tree.memory()), Running);
    assert_eq!(tree.description().lines()[0], "wait(time: {pause})");
}

#[test]
fn descriptions_show_where_numbers_and_times_come_from() {
    let pause = Npc::patience;
    let tree = tree! {
        for Npc: sequence {
            wait(PAUSE),
            wait(Npc::patience),
            wait(pause),
            wait(|npc: &Npc| npc.patience),
            wait(secs(1)..=secs(3)),
            repeat(lives) { note }
            limit(1..=3) { note }
            chance(SHARE) { note }
        }
    };
    let lines: Vec<_> = tree
        .description()
        .lines()
        .iter()
        .map(|line| line.trim_start_matches(['├', '└', '│', '─', ' ']).to_owned())
        .collect();
    assert_eq!(
        lines[1..6],
        [
            "wait(time: {pause})",
            "wait(time: patience)",
            "wait(time: patience)",
            "wait(time: |_| …)",
            "wait(time: 1s..=3s)"
        ]
    );
    assert_eq!(
        [&lines[6], &lines[8], &lines[10]],
        ["repeat(times: lives)", "limit(runs: 1..=3)", "chance(probability: {share})"]
    );
}

#[test]
fn only_variables_can_be_missing() {
    fn returns<N: Node<Npc>>(_: &N) -> Outcomes {
        N::RETURNS
    }
    let waits = Outcomes::SUCCESS.or(Outcomes::RUNNING);
    assert_eq!(returns(&tree! { for Npc: wait(Npc::patience) }), waits);
    assert_eq!(returns(&tree! { for Npc: wait(secs(1)..=secs(2)) }), waits);
    assert_eq!(returns(&tree! { for Npc: wait(PAUSE) }), waits.or(Outcomes::ERROR));
    assert_eq!(returns(&tree! { for Npc: repeat(3) { note } }), Outcomes::SUCCESS);
    assert_eq!(returns(&tree! { for Npc: repeat(lives) { note } }), Outcomes::SUCCESS);
    assert_eq!(returns(&tree! { for Npc: retry(lives) { !note } }), Outcomes::FAILURE);
    assert_eq!(returns(&tree! { for Npc: repeat(COUNT) { note } }), Outcomes::SUCCESS.or(Outcomes::ERROR));
}

#[test]
fn only_what_varies_is_stored() {
    fn size<N: Node<Npc>>(_: &N) -> usize {
        size_of::<Memory<N>>()
    }
    let fixed = size(&tree! { for Npc: wait(secs(1)) });
    assert_eq!(fixed, size_of::<u64>());
    assert!(size(&tree! { for Npc: wait(PAUSE) }) <= fixed + size_of::<Duration>());
    let waiting = |_: &mut Npc| Running;
    assert_eq!(size(&tree! { for Npc: repeat(3) { waiting } }), 8);
    assert_eq!(size(&tree! { for Npc: repeat(lives) { waiting } }), 12);
}

#[test]
fn a_file_with_all_of_them_is_the_same_in_both_engines() {
    let file = include_str!("amounts.b3.json");
    let built = tree_from_json!("amounts.b3.json", for Npc: Note => note, Lives => lives, Patience => Npc::patience);
    let loaded = registry().load(file).unwrap();
    let run = |npc: &mut Npc, tick: &mut dyn FnMut(&mut Npc) -> Status| {
        npc.board.set(&PAUSE, millis(700));
        let mut statuses = Vec::new();
        for step in 0..400 {
            npc.now = millis(100 * step);
            statuses.push(tick(npc));
        }
        (statuses, std::mem::take(&mut npc.notes))
    };
    let (mut one, mut other) = (built.memory(), loaded.memory());
    let first = run(&mut Npc::default(), &mut |npc| built.tick(npc, &mut one));
    assert_eq!(run(&mut Npc::default(), &mut |npc| loaded.tick(npc, &mut other)), first);
    assert!(first.0.contains(&Success) && first.0.contains(&Failure));
    let lower = |description: bt_core::describe::Description| description.lines().join("\n").to_lowercase();
    assert_eq!(lower(built.description()), lower(loaded.description()));
    // What is written of both is the same tree.
    for written in [loaded.to_behavior3(), bt_dynamic::to_behavior3(&built.description(), "amounts")] {
        let again = registry().load(&written.write()).unwrap();
        assert_eq!(again.description().lines(), loaded.description().lines());
    }
}

#[test]
fn a_file_says_what_its_numbers_need() {
    let load = |registry: Registry<Npc>, time: &str| {
        let file = format!(
            r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "wait", "properties": {{ "time": "{time}" }} }} }} }}"#
        );
        registry.load(&file).map(drop).unwrap_err().to_string()
    };
    let registry = || Registry::<Npc>::new().with_clock();
    assert!(load(registry(), "1s..=2s").contains("missing random number generator; help: use `Registry::with_random`"));
    assert!(
        load(registry(), "{pause}")
            .contains("variable `{pause}` cannot be read; help: call `with_board()` on the registry")
    );
}

#[test]
fn seconds_can_be_fractions() {
    assert_eq!([secs(0.5), secs(2), secs(0.25_f32)], [millis(500), millis(2000), millis(250)]);
    assert!(std::panic::catch_unwind(|| secs(-1.0)).is_err());
}
