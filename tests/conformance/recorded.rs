//! Random trees are recorded, and the tests that are written from the recordings are carried out, statement by statement.

use std::collections::VecDeque;

use bt_conformance::engine::build;
use bt_conformance::spec::{How, Spec};
use bt_core::prelude::*;
use bt_core::testing::{RecordedTest, TreeTest};
use bt_tests::world::World;
use proptest::prelude::*;

use crate::loaded::reachable;
use crate::random;
use crate::why::record;

/// The same tree without numbers and times that depend on the world.
fn fixed(spec: Spec) -> Spec {
    match spec {
        Spec::Word(word, mut args, children) => {
            args.how = How::Fixed;
            Spec::Word(word, args, children.into_iter().map(fixed).collect())
        }
        other => other,
    }
}

/// Splits the body of a test into statements. A block is `for … {`, its statements, and `}`.
fn statements(source: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut statement = String::new();
    for line in source.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        let line = line.split(" // ").next().unwrap_or(line);
        statement += line;
        let count = |sign| statement.matches(sign).count();
        let is_whole = count('(') == count(')') && count('[') == count(']');
        if is_whole && line.ends_with([';', '{', '}']) {
            all.push(core::mem::take(&mut statement));
        }
    }
    all
}

fn status(name: &str) -> Status {
    match name {
        "Success" => Status::Success,
        "Failure" => Status::Failure,
        "Running" => Status::Running,
        "Error" => Status::Error,
        other => panic!("no status {other:?}"),
    }
}

/// Returns the statuses of a script.
fn script(text: &str) -> Vec<Status> {
    let each = text.split("Status::").skip(1).flat_map(|one| {
        let name: String = one.chars().take_while(char::is_ascii_alphabetic).collect();
        let times = one[name.len()..].strip_prefix("; ").and_then(|rest| rest.split(']').next()?.parse().ok());
        core::iter::repeat_n(status(&name), times.unwrap_or(1))
    });
    each.collect()
}

/// Returns the first of two arguments, a path or an id, and the second one.
fn arguments<'a>(text: &'a str, tree: &TreeTest<BoxNode<World>, World>) -> (NodeId, &'a str) {
    let (first, second) = text.rsplit_once("), [").or(text.rsplit_once(", [")).expect("there are two arguments");
    if let Some(id) = first.strip_prefix("NodeId::new(") {
        return (NodeId::new(id.trim_end_matches(')').parse().expect("an id")), second);
    }
    let quoted = text.find("\", [").expect("a path is quoted") + 1;
    let path: String = serde_json::from_str(&text[..quoted]).expect("a path");
    (tree.description().find(&path).expect("the path names a node").id, &text[quoted..])
}

/// Carries out statements.
fn carry_out(test: &mut TreeTest<BoxNode<World>, World>, statements: &mut VecDeque<String>) {
    while let Some(statement) = statements.pop_front() {
        let range = statement.strip_prefix("for ").and_then(|text| text.split_once(" in "));
        if let Some((from, to)) = range.and_then(|(_, text)| text.trim_end_matches(" {").split_once("..=")) {
            let number = |text: &str| text.parse::<u64>().expect("a number");
            let end = statements.iter().position(|one| one == "}").expect("the block ends");
            let body: VecDeque<_> = statements.drain(..=end).collect();
            for _ in number(from)..=number(to) {
                carry_out(test, &mut body.clone());
            }
        } else if statement == "test.tick();" {
            test.tick();
        } else if statement == "test.log();" {
            test.log();
        } else if let Some(rest) =
            statement.strip_prefix("test.replace_node(").or(statement.strip_prefix("test.replace("))
        {
            let (node, given) = arguments(rest, test);
            test.replace_node(node, script(given));
        } else if let Some(rest) =
            statement.strip_prefix("test.choose_node(").or(statement.strip_prefix("test.choose("))
        {
            let (node, given) = arguments(rest, test);
            let numbers = given.split(|sign: char| !sign.is_ascii_digit()).filter_map(|number| number.parse().ok());
            test.choose_node(node, numbers.collect::<Vec<_>>());
        } else if let Some(rest) = statement.strip_prefix("assert_eq!(test.tick(), ") {
            assert_eq!(test.tick(), script(rest)[0]);
        } else if let Some(rest) =
            statement.strip_prefix("assert_eq!(test.log(), [").or(statement.strip_prefix("assert_eq!(test.log(),["))
        {
            let lines = rest.split(']').next().expect("the array ends").trim_end_matches(',');
            let lines: Vec<String> = match lines {
                "\"\"; 0" => Vec::new(),
                lines => serde_json::from_str(&format!("[{lines}]")).expect("texts"),
            };
            assert_eq!(test.log(), lines);
        } else if statement != "}" {
            panic!("an unknown statement: {statement}");
        }
    }
}

proptest! {
    #![proptest_config(crate::cases(512))]

    #[test]
    fn a_test_repeats_any_part_of_what_was_recorded(
        spec in random::spec(),
        told in random::told(),
        passes in proptest::collection::vec(0..200_u64, 1..20),
        from in 0..20_u64,
    ) {
        let spec = fixed(reachable(&spec));
        let tree = build(&spec);
        let doings: Vec<_> = passes.iter().map(|pass| crate::Doing::Tick(*pass)).collect();
        let ticks = record(&tree, &told, &doings);
        let writer = RecordedTest::new("test", "tree()", "World::default()");
        // Scores, chance and the like are not recorded.
        if let Ok(source) = writer.source(&tree.description(), &ticks, from..=u64::MAX) {
            let after = |text: &str| source.find(text).map(|place| place + text.len());
            let first = ["// Tick ", "// tick ", "tick in "].into_iter().filter_map(after).min().expect("a tick is named");
            let number: String = source[first..].chars().take_while(char::is_ascii_digit).collect();
            let number = number.parse::<u64>().expect("the number of the first tick");
            // With a clock, a closure follows the tree.
            let body = after("World::default());\n").or_else(|| after("\n    });\n")).expect("a test begins with its tree");
            let times: Vec<_> = ticks.iter().filter(|tick| tick.number >= number).map(|tick| tick.now).collect();
            let mut times = times.into_iter();
            let mut test = TreeTest::new(build(&spec), World::default()).before_each_tick(move |world| {
                world.now = times.next().expect("there are as many ticks");
            });
            carry_out(&mut test, &mut statements(&source[body..]).into());
        }
    }
}
