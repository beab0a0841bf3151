//! Observers: told of whole ticks, joined, asleep; counting, recording, drawing.

use bt_core::observe::{ReadError, RecordFile, Recorded, Recorder, Recording, Tick};
use bt_core::observe::{Statistics, Statuses};
use bt_core::prelude::*;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the context is a bool")]
fn near(near: &bool) -> bool {
    *near
}

fn guard() -> impl Node<bool> {
    tree! { selector "guard" { sequence "fight" { near, run } mem_sequence "patrol" { succeed, run } } }
}

/// Writes down whole ticks.
#[derive(Default)]
struct Ticks(Vec<Told>);

#[derive(PartialEq, Debug)]
enum Told {
    Begin(Tick),
    End(Tick, Option<Status>),
}

impl Observer for Ticks {
    fn begin(&mut self, tick: Tick) {
        self.0.push(Told::Begin(tick));
    }
    fn end(&mut self, tick: Tick, status: Option<Status>) {
        self.0.push(Told::End(tick, status));
    }
}

#[test]
fn an_observer_is_told_whose_tick_it_is_and_when() {
    let (tree, mut ticks) = (guard(), Ticks::default());
    let mut memory = tree.memory();
    tree.tick_with(&mut false, &mut memory, &mut ticks.for_agent(7, secs(2)));
    tree.halt_with(&mut false, &mut memory, &mut ticks.for_agent(7, secs(3)));
    tree.halt_with(&mut false, &mut memory, &mut ticks.for_agent(7, secs(4)));
    let tick = |now| Tick { agent: 7, now: secs(now) };
    let running = Told::End(tick(2), Some(Status::Running));
    assert_eq!(ticks.0, [Told::Begin(tick(2)), running, Told::Begin(tick(3)), Told::End(tick(3), None)]);
}

#[test]
fn a_brain_and_a_box_tell_of_whole_ticks_once() {
    let tree = std::sync::Arc::new(tree! { for bool: selector { (boxed(guard())) } });
    let mut ticks = Ticks::default();
    Brain::new(&tree).tick_with(&mut true, &mut ticks.for_agent(1, secs(1)));
    assert_eq!(ticks.0.len(), 2);
}

#[test]
fn several_observers_are_told_the_same() {
    let tree = guard();
    let (mut first, mut second, mut third) = (Statistics::default(), Statuses::default(), Ticks::default());
    tree.tick_with(&mut true, &mut tree.memory(), &mut (&mut first, &mut second, &mut third, ()));
    assert_eq!(first.of(NodeId::ROOT).running, 1);
    assert!(second.is_running(NodeId::ROOT));
    assert_eq!(third.0.len(), 2);
}

#[test]
fn an_observer_that_is_asleep_is_told_nothing() {
    struct Drowsy {
        asleep: bool,
        visits: u32,
        skipped: u32,
    }
    impl Observer for Drowsy {
        const SLEEPS: bool = true;
        fn is_asleep(&self) -> bool {
            self.asleep
        }
        fn skipped(&mut self) {
            self.skipped += 1;
        }
        fn enter(&mut self, _: NodeId) {
            self.visits += 1;
        }
    }
    let tree = guard();
    let mut memory = tree.memory();
    let mut drowsy = Drowsy { asleep: true, visits: 0, skipped: 0 };
    tree.halt_with(&mut true, &mut memory, &mut drowsy);
    assert_eq!(drowsy.skipped, 0, "nothing was running");
    tree.tick_with(&mut true, &mut memory, &mut drowsy);
    assert_eq!((drowsy.visits, drowsy.skipped), (0, 1));
    tree.halt_with(&mut true, &mut memory, &mut drowsy.for_agent(7, secs(1)));
    assert_eq!((drowsy.visits, drowsy.skipped), (0, 2));
    drowsy.asleep = false;
    tree.tick_with(&mut true, &mut memory, &mut drowsy);
    assert_eq!(drowsy.visits, 4);
    // Among others who are awake it is told too.
    drowsy.asleep = true;
    tree.tick_with(&mut true, &mut memory, &mut (&mut drowsy, Ticks::default()));
    assert_eq!(drowsy.visits, 8);
    tree.tick_with(&mut true, &mut memory, &mut (&mut drowsy, None::<Ticks>));
    assert_eq!(drowsy.visits, 8);
}

#[test]
fn statistics_count_each_way_a_visit_can_end() {
    let (tree, mut statistics) = (guard(), Statistics::default());
    let mut memory = tree.memory();
    for is_near in [false, false, true, false] {
        tree.tick_with(&mut is_near.clone(), &mut memory, &mut statistics);
    }
    let patrol = statistics.of(NodeId::new(4));
    assert_eq!((patrol.visits, patrol.runs, patrol.running, patrol.halts), (3, 2, 3, 1));
    let near = statistics.of(NodeId::new(2));
    assert_eq!((near.visits, near.success, near.failure), (4, 1, 3));
    let mut twice = statistics.clone();
    twice.add(&statistics);
    assert_eq!(twice.of(NodeId::new(2)).visits, 8);
}

#[test]
fn coverage_names_what_never_happened_with_its_place() {
    let (tree, mut statistics) = (guard(), Statistics::default());
    tree.tick_with(&mut false, &mut tree.memory(), &mut statistics);
    let description = tree.description();
    let coverage = statistics.coverage(&description);
    assert_eq!((coverage.visited, coverage.nodes), (6, 7));
    let text = coverage.to_string();
    let lines: Vec<_> = text.lines().map(|line| line.split(" at ").next().unwrap_or("")).collect();
    assert_eq!(lines, ["6 of 7 nodes visited", "never visited:   #3 run", "never succeeded: #2 near"]);
    assert!(text.contains("observers.rs:"), "{text}");
}

#[test]
fn a_recording_keeps_the_last_ticks_that_fit() {
    let (tree, mut recording) = (guard(), Recording::new(20));
    let mut memory = tree.memory();
    for _ in 0..50 {
        tree.tick_with(&mut true, &mut memory, &mut recording);
    }
    // Four events each.
    assert_eq!(recording.count(), 50);
    let ticks: Vec<_> = recording.ticks().collect();
    assert_eq!(ticks.iter().map(|tick| tick.number).collect::<Vec<_>>(), [45, 46, 47, 48, 49]);
    assert_eq!(recording.since(48).count(), 2);
    assert!(ticks.iter().all(|tick| tick.events.len() == 4 && tick.cut == 0));
}

#[test]
fn a_tick_that_does_not_fit_is_cut_off_and_says_so() {
    let (tree, mut recording) = (guard(), Recording::new(3));
    for _ in 0..3 {
        tree.tick_with(&mut false, &mut tree.memory(), &mut recording);
    }
    let ticks: Vec<_> = recording.ticks().collect();
    assert_eq!((ticks.len(), ticks[0].events.len(), ticks[0].cut), (1, 3, 3));
    tree.tick_with(&mut false, &mut tree.memory(), &mut Recording::new(0));
}

#[test]
fn a_recording_knows_which_node_is_executing() {
    struct Looking(Recording, Vec<Option<NodeId>>);
    impl Observer for Looking {
        fn begin(&mut self, tick: Tick) {
            self.0.begin(tick);
        }
        fn enter(&mut self, at: NodeId) {
            self.0.enter(at);
            self.1.push(self.0.executing());
        }
        fn exit(&mut self, at: NodeId, status: Status) {
            self.0.exit(at, status);
            self.1.push(self.0.executing());
        }
        fn end(&mut self, tick: Tick, status: Option<Status>) {
            assert!(self.0.current().is_some());
            self.0.end(tick, status);
            assert!(self.0.current().is_none());
        }
    }
    let tree = tree! { for bool: sequence { near, near } };
    let mut looking = Looking(Recording::new(100), Vec::new());
    tree.tick_with(&mut true, &mut tree.memory(), &mut looking);
    let ids = [Some(0), Some(1), Some(0), Some(2), Some(0), None];
    assert_eq!(looking.1, ids.map(|id| id.map(NodeId::new)));
}

fn written(ticks: u64) -> String {
    let tree = guard();
    let mut memory = tree.memory();
    let mut file = RecordFile::new(Vec::new(), "guard", &tree).expect("a vector takes all");
    for tick in 0..ticks {
        tree.tick_with(&mut (tick % 3 == 1), &mut memory, &mut file.for_agent(7, millis(tick * 50)));
    }
    String::from_utf8(file.finish().expect("a vector takes all")).expect("JSON is UTF-8")
}

#[test]
fn a_file_that_breaks_off_is_read_up_to_its_last_whole_line() {
    let text = written(5);
    let whole = Recorded::read(text.as_bytes()).expect("it is whole");
    assert_eq!((whole.ticks.len(), &*whole.dropped), (5, &[][..]));
    assert_eq!(whole.fingerprint, guard().fingerprint());
    let header = text.find('\n').expect("it has lines") + 1;
    for end in header..text.len() {
        let part = Recorded::read(&text.as_bytes()[..end]).expect("it is broken off only");
        let lines = text[header..end].matches('\n').count();
        let last_is_whole = text[end..].starts_with('\n');
        assert_eq!(part.ticks, whole.ticks[..lines + usize::from(last_is_whole)], "up to {end}");
        let is_dropped = !text[..end].ends_with('\n') && !last_is_whole;
        let dropped: Vec<_> = part.dropped.iter().map(|dropped| dropped.line).collect();
        assert_eq!(dropped, if is_dropped { vec![lines + 2] } else { vec![] }, "up to {end}");
        assert!(part.dropped.iter().all(|dropped| dropped.reason.starts_with("truncated: ")), "up to {end}");
    }
}

#[test]
fn a_file_that_is_wrong_says_where_and_why() {
    let text = written(2);
    let reason = |text: &str| match Recorded::read(text.as_bytes()) {
        Err(ReadError { line, reason }) => format!("{line}: {reason}"),
        Ok(_) => "nothing".to_owned(),
    };
    assert_eq!(reason(""), "1: expected a header, found the end of the input");
    assert!(reason("x\n").starts_with("1: not a recording: expected a header with `format` and `version`"));
    assert_eq!(
        reason(&text.replacen("bt-recording", "bt-other", 1)),
        "1: not a recording: expected format `bt-recording`, found `bt-other`"
    );
    assert_eq!(
        reason(&text.replacen("\"version\":2", "\"version\":9", 1)),
        "1: unsupported version: expected 1 to 2, found 9"
    );
    assert!(reason(&text.replacen("\"id\":3", "\"id\":4", 1)).starts_with("1: nodes are not in pre-order"));
    assert!(reason(&text.replacen("\"parent\":1", "\"parent\":5", 1)).starts_with("1: nodes are not in pre-order"));
}

#[test]
fn a_line_that_cannot_be_read_is_reported_and_those_before_and_after_it_are_kept() {
    let text = written(2);
    let (header, ticks) = text.split_once('\n').expect("it has lines");
    let (first, second) = ticks.split_once('\n').expect("it has two ticks");
    let dropped = |line: &str| {
        let recorded =
            Recorded::read(format!("{header}\n{first}\n{line}\n{second}").as_bytes()).expect("it has a header");
        assert_eq!(recorded.ticks.iter().map(|tick| tick.number).collect::<Vec<_>>(), [0, 1], "{line}");
        let [ReadError { line: 3, reason }] = &*recorded.dropped else { panic!("{:?}", recorded.dropped) };
        reason.clone()
    };
    assert!(dropped("x").starts_with("expected value"));
    assert!(dropped("").starts_with("EOF"));
    assert!(dropped(&second[..second.len() / 2]).starts_with("EOF"));
    let line =
        |events: &str, now: &str| format!(r#"{{"agent":7,"tick":0,"now":{now},"status":null,"events":"{events}"}}"#);
    assert_eq!(dropped(&line("7s", "0")), "unknown node #7: the tree has 7 nodes");
    assert!(dropped(&line("1x", "0")).starts_with("invalid event `1x`"));
    assert!(dropped(&line("1s", "-1")).starts_with("invalid `now`: "));
    assert_eq!(
        dropped(&line("99999999999s", "0")),
        "invalid event `99999999999s`: expected a form such as `3s`, `3R`, `3h`, `3@1` or `3=0.5`"
    );
    assert!(dropped(&line("1s", "\"soon\"")).starts_with("invalid type: string \"soon\", expected f64"));
    assert!(dropped(r#"{"agent":7,"tick":0}"#).starts_with("missing field `now`"));
    assert!(dropped(r#"{"agent":7,"name":3}"#).starts_with("invalid type: integer `3`, expected a string"));
    assert!(dropped(r#"{"variable":"x","value":null}"#).starts_with("missing field `agent`"));
    let unknown = "unknown kind of line: expected a field `tick`, `variable`, `name` or `matching`";
    assert_eq!(dropped(r#"{"weather":"fine"}"#), unknown);
    assert_eq!(dropped(r#"{"agent":7,"tixk":0,"now":0}"#), unknown);

    let two = Recorded::read(format!("{text}{text}").as_bytes()).expect("it has a header");
    assert_eq!(two.ticks.len(), 2, "ticks of another recording are not mixed with those of the first");
    assert_eq!(two.dropped.len(), 1);
    assert_eq!(two.dropped[0].to_string(), "line 4: the header of another recording: the lines after it were not read");
}

#[test]
fn a_recording_on_disk_is_lost_only_if_the_program_says_so() {
    let path = std::env::temp_dir().join(format!("bt-recording-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let tree = guard();
    let record = |file: std::io::Result<RecordFile<_>>, agent| {
        let mut file = file?;
        tree.tick_with(&mut true, &mut tree.memory(), &mut file.for_agent(agent, secs(1)));
        file.finish().map(drop)
    };
    let create = || RecordFile::create(&path, "guard", &tree);
    let append = || RecordFile::append(&path, "guard", &tree);
    let ticks = || {
        let text = std::fs::read(&path).expect("the file exists");
        let recorded = Recorded::read(&*text).expect("it has a header");
        let numbers: Vec<_> = recorded.ticks.iter().map(|tick| (tick.agent, tick.number)).collect();
        (numbers, recorded.dropped.iter().map(|dropped| dropped.line).collect::<Vec<_>>())
    };
    record(create(), 7).expect("the file is new");
    let error = create().err().expect("the file exists");
    assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists);
    assert!(error.to_string().ends_with("the file exists; help: use `RecordFile::append` to continue the recording, or `RecordFile::overwrite` to replace it"), "{error}");
    assert_eq!(ticks(), (vec![(7, 0)], vec![]));
    // A program is stopped in the middle of a line, and started again.
    record(append(), 8).expect("it is the same tree");
    let text = std::fs::read(&path).expect("the file exists");
    std::fs::write(&path, &text[..text.len() - 9]).expect("the file can be written");
    for agent in [7, 8, 7] {
        record(append(), agent).expect("it is the same tree");
    }
    assert_eq!(ticks(), (vec![(7, 0), (7, 1), (8, 0), (7, 2)], vec![3]));

    let other = tree! { for bool: succeed };
    let error = RecordFile::append(&path, "guard", &other).err().expect("it is another tree");
    assert!(
        error.to_string().contains(": a recording of a tree with another structure: expected fingerprint 0x"),
        "{error}"
    );
    record(RecordFile::overwrite(&path, "guard", &tree), 9).expect("the file can be written");
    assert_eq!(ticks(), (vec![(9, 0)], vec![]));
    std::fs::write(&path, "a letter\n").expect("the file can be written");
    let error = append().err().expect("it is no recording");
    assert!(error.to_string().contains("line 1: not a recording"), "{error}");
    std::fs::remove_file(&path).expect("the file exists");
    record(append(), 7).expect("the file is new");
    assert_eq!(ticks(), (vec![(7, 0)], vec![]));
    std::fs::remove_file(&path).expect("the file exists");
}

#[test]
fn a_file_that_cannot_be_written_says_so_in_the_end() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(text.len()).ok_or_else(|| std::io::Error::other("the disk is full"))?;
            Ok(text.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let tree = guard();
    let mut file = RecordFile::new(Full(3000), "guard", &tree).expect("there is room for the first line");
    for _ in 0..100 {
        tree.tick_with(&mut true, &mut tree.memory(), &mut file);
    }
    assert_eq!(file.finish().err().expect("there is no room").to_string(), "the disk is full");
}

#[test]
fn after_an_error_a_file_is_not_written_on() {
    use std::cell::RefCell;
    /// What was written, and which call fails.
    struct Once<'a>(&'a RefCell<Vec<u8>>, usize);
    impl std::io::Write for Once<'_> {
        fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
            self.1 = self.1.wrapping_sub(1);
            if self.1 == 0 {
                // A full disk takes a part of the line.
                self.0.borrow_mut().extend(&text[..text.len() / 2]);
                return Err(std::io::Error::other("once"));
            }
            self.0.borrow_mut().extend(text);
            Ok(text.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (tree, written) = (guard(), RefCell::new(Vec::new()));
    let mut file = RecordFile::new(Once(&written, 5), "guard", &tree).expect("there is room for the first line");
    let tick = |file: &mut RecordFile<Once<'_>>| tree.tick_with(&mut true, &mut tree.memory(), file);
    for _ in 0..9 {
        tick(&mut file);
    }
    let length = written.borrow().len();
    assert_eq!(file.flush().unwrap_err().to_string(), "once");
    tick(&mut file);
    file.show(7, &3);
    let ended = "the recording ended at an earlier error";
    assert_eq!(file.name(7, "Ann").unwrap_err().to_string(), ended);
    assert_eq!(file.flush().unwrap_err().to_string(), ended);
    assert_eq!(written.borrow().len(), length, "a gap would be taken for a whole recording");
    assert_eq!(Recorded::read(&**written.borrow()).expect("what is there can be read").ticks.len(), 3);

    let written = RefCell::new(Vec::new());
    let mut file = RecordFile::new(Once(&written, 2), "guard", &tree).expect("there is room for the first line");
    assert_eq!(file.name(7, "Ann").unwrap_err().to_string(), "once");
    let length = written.borrow().len();
    tick(&mut file);
    assert_eq!(file.finish().err().expect("the name could not be written").to_string(), ended);
    assert_eq!(written.borrow().len(), length);
}

#[test]
fn a_panic_ends_a_recorded_tick() {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    let tree = tree! {
        for u32: sequence {
            |n: &u32| *n > 0,
            |n: &mut u32| { *n += 1; if n.is_multiple_of(2) { resume_unwind(Box::new(())) } },
        }
    };
    let description = tree.description();
    let mut recorder = Recorder::new(100);
    let mut file = RecordFile::new(Vec::new(), "guard", &tree).expect("a vector takes all");
    let mut statistics = Statistics::timed(|| secs(1));
    let (mut n, mut memory) = (1, tree.memory());
    for _ in 0..6 {
        let mut all = (&mut recorder, &mut file, &mut statistics);
        let _ = catch_unwind(AssertUnwindSafe(|| tree.tick_with(&mut n, &mut memory, &mut all)));
    }
    let ticks: Vec<_> = recorder.recording(0).expect("it was recorded").ticks().collect();
    let statuses: Vec<_> = ticks.iter().map(|tick| tick.status).collect();
    let ended = Some(Status::Success);
    assert_eq!(statuses, [None, ended, None, ended, None, ended]);
    let read = Recorded::read(&*file.finish().expect("a vector takes all")).expect("it was just written");
    assert_eq!(read.ticks, ticks);
    let mut statuses = Statuses::default();
    for tick in &ticks {
        tick.replay(&description, &mut statuses);
    }
    assert_eq!(statistics.of(NodeId::ROOT).visits, 6);
}

#[test]
fn a_recorder_keeps_agents_apart() {
    let (tree, mut recorder) = (guard(), Recorder::new(100));
    for (agent, is_near) in [(1, true), (2, false), (1, true)] {
        tree.tick_with(&mut is_near.clone(), &mut tree.memory(), &mut recorder.for_agent(agent, secs(0)));
    }
    assert_eq!(recorder.recording(1).expect("it was recorded").count(), 2);
    assert_eq!(recorder.forget(2).expect("it was recorded").count(), 1);
    assert_eq!(recorder.agents().collect::<Vec<_>>(), [1]);
}

#[test]
fn a_description_is_read_as_it_was_written() {
    let description = guard().description();
    let text = serde_json::to_string(&description).expect("it is data");
    assert_eq!(
        serde_json::from_str::<bt_core::describe::Description>(&text).expect("it was just written"),
        description
    );
    let wrong = text.replacen("Success | Failure", "Succes", 1);
    let error = serde_json::from_str::<bt_core::describe::Description>(&wrong).unwrap_err();
    assert!(error.to_string().starts_with("unknown status `Succes`"), "{error}");
}

#[test]
fn drawings_show_statuses_in_every_form() {
    let tree = tree! { for bool: selector { sequence { near, run } |_: &bool| 1 < 2 && "\"<&>".len() > 2 } };
    let mut statuses = Statuses::default();
    tree.tick_with(&mut false, &mut tree.memory(), &mut statuses);
    let description = tree.description();
    let drawing = description.draw().with(&statuses);
    assert!(drawing.colored(true).to_string().starts_with("\u{1b}[1;32mselector"));
    assert!(!drawing.to_string().contains('\u{1b}'));
    let mermaid = drawing.mermaid();
    assert!(mermaid.contains("n0[\"selector\"]\n    class n0 success"), "{mermaid}");
    assert!(mermaid.contains("n1 --- n2") && mermaid.contains("classDef success stroke:#2e7d32"), "{mermaid}");
    let dot = drawing.dot();
    assert!(dot.contains("n0 [label=\"selector\", shape=box, color=\"#2e7d32\", penwidth=3];"), "{dot}");
    let svg = drawing.svg();
    assert!(svg.contains("class=\"composite success\""), "{svg}");
    assert!(svg.contains(".success rect{stroke:#2e7d32") && svg.contains(".success rect{stroke:#66bb6a}"), "{svg}");
    assert!(svg.contains("1 &lt; 2 &amp;&amp; ") && !svg.contains("1 < 2"), "{svg}");
    assert_eq!(svg.matches("<g ").count(), 5);
}

#[test]
fn changes_of_a_board_are_told_once_each() {
    use bt_core::board::{Changes, VariableView};
    #[derive(Default)]
    struct Told(Vec<(u64, String, Option<String>)>);
    impl Observer for Told {
        fn variable(&mut self, tick: Tick, variable: &VariableView<'_>) {
            self.0.push((tick.agent, variable.to_string(), variable.value.map(|value| format!("{value:?}"))));
        }
    }
    const HUNGER: Key<u32> = Key::new("hunger");
    let (mut board, mut changes, mut told) = (Board::new(), Changes::default(), Told::default());
    changes.report(&board, &mut told.for_agent(7, secs(0)));
    board.set(&HUNGER, 3);
    changes.report(&board, &mut (&mut told.for_agent(7, secs(1)), ()));
    board.set(&HUNGER, 3);
    changes.report(&board, &mut told.for_agent(7, secs(2)));
    board.unset(&HUNGER);
    changes.report(&board, &mut told.for_agent(7, secs(3)));
    let hunger = || "hunger".to_owned();
    assert_eq!(told.0, [(7, hunger(), Some("3".to_owned())), (7, hunger(), None)]);
}

#[test]
fn variables_are_recorded_between_ticks() {
    use bt_core::board::Changes;
    const TICKS: Key<u64> = Key::new("ticks");
    let tree =
        tree! { for Board: |board: &mut Board| { let ticks = board.changes(&TICKS) / 2; board.set(&TICKS, ticks) } };
    let mut file = RecordFile::new(Vec::new(), "counter", &tree).expect("a vector takes all");
    let (mut board, mut changes, mut memory) = (Board::new(), Changes::default(), tree.memory());
    for tick in 0..5 {
        let mut observer = file.for_agent(7, secs(tick));
        tree.tick_with(&mut board, &mut memory, &mut observer);
        changes.report(&board, &mut observer);
    }
    let recorded = Recorded::read(&*file.finish().expect("a vector takes all")).expect("it was just written");
    let variables: Vec<_> = recorded.variables.iter().map(|one| (one.after, one.value.as_deref())).collect();
    assert_eq!(variables, [(1, Some("0")), (3, Some("1")), (5, Some("2"))]);
}

#[test]
fn a_recording_contains_the_values_that_have_changed() {
    use std::collections::BTreeMap;
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let mut file = RecordFile::new(Vec::new(), "counter", &tree).expect("a vector takes all");
    let mut memory = tree.memory();
    let mut tick = |file: &mut RecordFile<Vec<u8>>, agent, time| {
        tree.tick_with(&mut 0, &mut memory, &mut file.for_agent(agent, secs(time)));
    };
    for agent in [3, 4] {
        tick(&mut file, agent, 0);
        file.show(agent, &BTreeMap::from([("hp", 3.5), ("speed", f32::NAN)]));
        tick(&mut file, agent, 1);
        file.show(agent, &BTreeMap::from([("hp", 3.5)]));
    }
    file.show(3, &BTreeMap::from([("hp", 3.5)]));
    file.show(3, "asleep");
    file.show(3, &BTreeMap::from([((1, 2), 3)]));
    let written = file.finish().expect("a vector takes all");
    let recorded = Recorded::read(&*written).expect("valid recording");
    let changes: Vec<_> = recorded
        .variables
        .iter()
        .map(|change| (change.agent, change.after, &*change.name, change.value.as_deref()))
        .collect();
    let unserializable = "\"cannot be serialized: key must be a string\"";
    assert_eq!(
        changes,
        [
            (3, 1, "hp", Some("3.5")),
            (3, 1, "speed", Some("null")),
            (3, 2, "speed", None),
            (4, 3, "hp", Some("3.5")),
            (4, 3, "speed", Some("null")),
            (4, 4, "speed", None),
            (3, 4, "hp", None),
            (3, 4, "value", Some("\"asleep\"")),
            (3, 4, "value", Some(unserializable)),
        ]
    );
}
