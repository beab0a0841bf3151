//! Utility selectors.

use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;
use bt_dynamic::Registry;
use bt_tests::without_layout;

/// Scores, what each action returns, and which actions were ticked and halted.
#[derive(Default)]
struct Npc {
    scores: [f32; 3],
    told: [Option<Status>; 3],
    log: Vec<String>,
}

#[derive(Clone, Copy)]
struct Act(usize);

#[leaf]
impl Leaf<Npc> for Act {
    type Open = ();
    fn open(&self, _: &mut Npc) {}
    fn tick(&self, (): &mut (), npc: &mut Npc) -> Status {
        npc.log.push(format!("{}", self.0));
        npc.told[self.0].unwrap_or(Running)
    }
    fn close(&self, (): &mut (), npc: &mut Npc, end: End) {
        if matches!(end, End::Halted(_)) {
            npc.log.push(format!("halt {}", self.0));
        }
    }
}

fn score(child: usize) -> impl Fn(&Npc) -> f32 + Copy + Send + Sync + 'static {
    move |npc| npc.scores[child]
}

fn first(npc: &Npc) -> f32 {
    npc.scores[0]
}

/// A tree and an agent.
struct Agent<N: Node<Npc>> {
    tree: N,
    memory: Memory<N>,
    npc: Npc,
}

impl<N: Node<Npc>> Agent<N> {
    fn new(tree: N) -> Self {
        Self { memory: tree.memory(), tree, npc: Npc::default() }
    }

    /// Ticks once with these scores. Returns the status and what was ticked and halted.
    fn tick(&mut self, scores: [f32; 3]) -> (Status, String) {
        self.npc.scores = scores;
        self.npc.log.clear();
        let status = self.tree.tick(&mut self.npc, &mut self.memory);
        (status, self.npc.log.join(", "))
    }
}

fn running(log: &str) -> (Status, String) {
    (Running, log.to_owned())
}

#[test]
fn the_highest_score_is_ticked_first() {
    let mut agent = Agent::new(tree! { utility_selector { first => Act(0), score(1) => Act(1), 0.5 => Act(2) } });
    assert_eq!(agent.tick([0.1, 0.2, 0.0]), running("2"));
    assert_eq!(agent.tick([0.9, 0.7, 0.0]), running("0, halt 2"));
    assert_eq!(agent.tick([0.6, 0.7, 0.0]), running("1, halt 0"));
}

#[test]
fn of_equal_scores_the_first_wins() {
    let mut agent = Agent::new(tree! { utility_selector { score(0) => Act(0), score(1) => Act(1), 0.5 => Act(2) } });
    assert_eq!(agent.tick([0.5, 0.5, 0.0]), running("0"));
}

#[test]
fn when_a_child_fails_the_one_with_the_next_highest_score_is_ticked() {
    let mut agent =
        Agent::new(tree! { utility_selector { score(0) => Act(0), score(1) => Act(1), score(2) => Act(2) } });
    agent.npc.told = [Some(Failure), None, Some(Failure)];
    assert_eq!(agent.tick([0.2, 0.1, 0.3]), running("2, 0, 1"));
    agent.npc.told = [Some(Failure); 3];
    assert_eq!(agent.tick([0.2, 0.1, 0.3]), (Failure, "2, 0, 1".to_owned()));
    agent.npc.told = [Some(Failure), Some(Error), None];
    assert_eq!(agent.tick([0.2, 0.5, 0.3]), (Error, "1".to_owned()));
    agent.npc.told = [Some(Success), None, None];
    assert_eq!(agent.tick([0.9, 0.5, 0.3]), (Success, "0".to_owned()));
}

#[test]
fn a_score_that_is_not_a_number_is_never_chosen() {
    let mut agent = Agent::new(tree! { utility_selector { score(0) => Act(0), score(1) => Act(1) } });
    assert_eq!(agent.tick([f32::NAN, -1.0, 0.0]), running("1"));
    assert_eq!(agent.tick([f32::NAN, f32::NEG_INFINITY, 0.0]), running("1"));
    assert_eq!(agent.tick([f32::NAN, f32::NAN, 0.0]), (Failure, "halt 1".to_owned()));
}

#[test]
fn keep_is_added_to_the_score_of_the_running_child() {
    let mut agent = Agent::new(tree! { utility_selector(keep = 0.2) { score(0) => Act(0), score(1) => Act(1) } });
    assert_eq!(agent.tick([0.5, 0.4, 0.0]), running("0"));
    assert_eq!(agent.tick([0.5, 0.6, 0.0]), running("0"));
    assert_eq!(agent.tick([0.5, 0.8, 0.0]), running("1, halt 0"));
    assert_eq!(agent.tick([0.9, 0.8, 0.0]), running("1"));
}

#[test]
fn with_memory_the_scores_are_computed_when_a_run_starts_or_a_child_fails() {
    let mut agent =
        Agent::new(tree! { mem_utility_selector { score(0) => Act(0), score(1) => Act(1), score(2) => Act(2) } });
    assert_eq!(agent.tick([0.5, 0.4, 0.3]), running("0"));
    assert_eq!(agent.tick([0.0, 0.4, 0.3]), running("0"));
    agent.npc.told[0] = Some(Failure);
    assert_eq!(agent.tick([0.9, 0.4, 0.6]), running("0, 2"));
    agent.npc.told[2] = Some(Failure);
    agent.npc.told[1] = Some(Failure);
    assert_eq!(agent.tick([0.9, 0.4, 0.6]), (Failure, "2, 1".to_owned()));
    agent.npc.told = [None; 3];
    assert_eq!(agent.tick([0.9, 0.4, 0.6]), running("0"));
}

#[test]
fn scores_are_numbers_of_any_type() {
    let tree = tree! {
        for u8: utility_selector {
            |n: &u8| *n => run,
            3 => succeed,
            2.5 => fail,
            |n: &u8| f64::from(*n) - 10.0 => error,
        }
    };
    assert_eq!(tree.tick(&mut 4, &mut tree.memory()), Running);
    assert_eq!(tree.tick(&mut 2, &mut tree.memory()), Success);
    // Of 20 and 10, the first is the highest, and both are above the constants.
    assert_eq!(tree.tick(&mut 20, &mut tree.memory()), Running);
}

#[test]
fn observers_receive_the_scores() {
    #[derive(Default)]
    struct Seen(Vec<(usize, f32)>);
    impl Observer for Seen {
        fn score(&mut self, at: NodeId, score: f32) {
            self.0.push((at.index(), score));
        }
    }
    let tree = tree! {
        for f32: selector { fail, utility_selector(keep = 1.0) { |n: &f32| *n => sequence { run } 0.5 => run } }
    };
    let (mut seen, mut memory) = (Seen::default(), tree.memory());
    tree.tick_with(&mut 2.0, &mut memory, &mut seen);
    tree.tick_with(&mut 2.0, &mut memory, &mut seen);
    assert_eq!(seen.0, [(3, 2.0), (5, 0.5), (3, 3.0), (5, 0.5)]);
}

#[test]
fn descriptions_show_the_scores_as_written() {
    let tree = tree! {
        for Npc: utility_selector(keep = 0.1) {
            first => Act(0),
            |npc: &Npc| npc.scores[1] * 2.0 => Act(1),
            0.5 => Act(2),
        }
    };
    assert_eq!(
        tree.description().lines()[0],
        r#"utility_selector(keep: 0.1, scores: ["first", "|npc: &Npc| npc.scores[1] * 2.0", 0.5])"#
    );
}

#[test]
fn files_name_registered_values_variables_and_numbers() {
    let mut registry = Registry::<Board>::new().with_board();
    registry.add_value("Double", |board: &Board| board.get(&Key::<f32>::new("n")).map_or(0.0, |n| 2.0 * n));
    registry.add_leaf("A", |board: &mut Board| board.set(&Key::new("did"), 'A'));
    registry.add_leaf("B", |board: &mut Board| board.set(&Key::new("did"), 'B'));
    registry.add_leaf("C", |board: &mut Board| board.set(&Key::new("did"), 'C'));
    let file = r#"{ "root": "0", "nodes": {
        "0": { "name": "utility_selector", "properties": { "keep": 0, "scores": ["Double", "{threat}", 0.5] }, "children": ["1", "2", "3"] },
        "1": { "name": "A" }, "2": { "name": "B" }, "3": { "name": "C" }
    } }"#;
    let tree = registry.load(file).expect("the file is valid");
    let mut board = Board::new();
    let mut did = |set: &dyn Fn(&mut Board)| {
        set(&mut board);
        assert_eq!(tree.tick(&mut board, &mut tree.memory()), Success);
        *board.get(&Key::<char>::new("did")).expect("one of them did")
    };
    // A variable that is not set is never chosen.
    assert_eq!(did(&|_| {}), 'C');
    assert_eq!(did(&|board| board.set(&Key::new("threat"), 0.7)), 'B');
    assert_eq!(did(&|board| board.set(&Key::new("n"), 0.4_f32)), 'A');
    let again = registry.load(&tree.to_behavior3().write()).expect("it was just written");
    assert_eq!(without_layout(&again.description()), without_layout(&tree.description()));
}

#[test]
fn wrong_scores_in_files_are_errors() {
    let mut registry = Registry::<()>::new();
    registry.add_value("hunger", |(): &()| 1);
    let error = |scores: &str| {
        let file = format!(
            r#"{{ "root": "0", "nodes": {{ "0": {{ "name": "utility_selector", "properties": {{ "scores": {scores} }}, "children": ["1", "2"] }},
                "1": {{ "name": "Succeeder" }}, "2": {{ "name": "Failer" }} }} }}"#
        );
        registry.load(&file).expect_err("it is wrong").to_string()
    };
    assert!(error("[1]").contains("property `scores`: expected a list of 2 scores"), "{}", error("[1]"));
    assert!(error(r#"["huger", 1]"#).contains("unknown value `huger`; help: did you mean `hunger`?"));
    assert!(
        error(r#"["{x}", 1]"#).contains("variable `{x}` cannot be read; help: call `with_board()` on the registry")
    );
    assert!(error("null").contains("missing property `scores`"));
}

#[test]
fn recordings_contain_the_scores() {
    use bt_core::observe::{Event, Recorder};
    #[derive(Default)]
    struct Seen(Vec<f32>);
    impl Observer for Seen {
        fn score(&mut self, _: NodeId, score: f32) {
            self.0.push(score);
        }
    }
    let tree = tree! { for f32: utility_selector { |n: &f32| *n => run, 0.25 => run } };
    let mut recorder = Recorder::new(100);
    tree.tick_with(&mut 0.3, &mut tree.memory(), &mut recorder.for_agent(1, secs(0)));
    let tick = recorder.recording(1).expect("it was recorded").ticks().next().expect("one tick");
    assert_eq!(Event::to_text(&tick.events), "0r 1=0.3 2=0.25 1r");
    let mut seen = Seen::default();
    tick.replay(&tree.description(), &mut seen);
    assert_eq!(seen.0, [0.3, 0.25]);
}

#[test]
fn a_variable_that_is_not_set_is_no_score_of_zero() {
    let mut registry = Registry::<Board>::new().with_board();
    registry.add_leaf("A", |_: &mut Board| ());
    for word in ["utility_selector", "mem_utility_selector"] {
        let file = format!(
            r#"{{ "root": "0", "nodes": {{
                "0": {{ "name": "{word}", "properties": {{ "scores": ["{{threat}}", -1] }}, "children": ["1", "2"] }},
                "1": {{ "name": "A" }}, "2": {{ "name": "Failer" }}
            }} }}"#
        );
        let tree = registry.load(&file).expect("the file is valid");
        let mut board = Board::new();
        assert_eq!(tree.tick(&mut board, &mut tree.memory()), Failure, "{word}");
        board.set(&Key::new("threat"), -2.0);
        assert_eq!(tree.tick(&mut board, &mut tree.memory()), Success, "{word}");
    }
}
