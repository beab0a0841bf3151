//! Writes random trees out as `tree!` text, beside the same trees as data, for the conformance test.
//!
//! What can never happen in them is found naively and expected there. Since an `#[expect(…)]` in vain is an error too, that they compile
//! shows that the library finds just the same.

use std::fmt::Write;
use std::path::Path;

use naive::{Can, Cans, On, Transition};

mod files;
mod naive;

/// How many trees; each costs compile time.
const TREES: u64 = 90;

fn main() {
    println!("cargo::rerun-if-changed=build");
    let mut source = String::new();
    for seed in 1..=TREES {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let tree = tree(&mut random, 4);
        let (data, text, can) = (&tree.data, tree.expected(false), outcomes(&tree.can));
        let _ = writeln!(
            source,
            "#[test]\nfn tree_{seed}() {{\n    conforms(&{data}, &tree! {{ for World: {text} }}, {can});\n}}\n"
        );
    }
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    files::write(Path::new(&out));
    std::fs::write(Path::new(&out).join("written_trees.rs"), source).expect("OUT_DIR can be written");
}

/// `Outcomes::SUCCESS.or(…)`.
fn outcomes(can: &Cans) -> String {
    can.iter().fold("Outcomes::NONE".to_owned(), |text, can| {
        format!("{text}.or(Outcomes::{})", format!("{can:?}").to_uppercase())
    })
}

/// Xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

/// A tree as data and as text, what it can give, and what is wrong with its root.
struct Tree {
    data: String,
    text: String,
    can: Cans,
    lints: Vec<&'static str>,
}

impl Tree {
    fn new(data: String, text: String, can: Cans) -> Self {
        Self { data, text, can, lints: Vec::new() }
    }

    /// The text, and before it what has to be expected.
    fn expected(&self, unreachable: bool) -> String {
        let lints: Vec<_> =
            unreachable.then_some("unreachable").into_iter().chain(self.lints.iter().copied()).collect();
        if lints.is_empty() { self.text.clone() } else { format!("#[expect({})] {}", lints.join(", "), self.text) }
    }
}

fn tree(random: &mut Random, depth: u32) -> Tree {
    if depth == 0 || random.below(6) == 0 {
        return leaf(random);
    }
    match random.below(11) {
        0..6 => composite(random, depth),
        6 | 7 => machine(random, depth),
        _ => decorator(random, depth),
    }
}

fn leaf(random: &mut Random) -> Tree {
    let number = random.below(1000);
    match random.below(8) {
        0 | 1 => full_leaf(random),
        2 | 3 => Tree::new(
            format!("Spec::Condition({number})"),
            format!("check({number})"),
            Cans::from([Can::Success, Can::Failure]),
        ),
        other => {
            let (can, word) =
                [(Can::Success, "succeed"), (Can::Failure, "fail"), (Can::Running, "run"), (Can::Error, "error")]
                    [usize::try_from(other % 4).unwrap_or(0)];
            Tree::new(format!("Spec::Just(Status::{can:?})"), word.to_owned(), Cans::from([can]))
        }
    }
}

/// A leaf that can give any status.
fn full_leaf(random: &mut Random) -> Tree {
    let number = random.below(1000);
    if random.below(2) == 0 {
        Tree::new(format!("Spec::Leaf({number})"), format!("told({number})"), naive::any())
    } else {
        Tree::new(format!("Spec::Action({number})"), format!("act({number})"), naive::any())
    }
}

fn composite(random: &mut Random, depth: u32) -> Tree {
    // Now and then more than the longest tuple holds.
    let len = if random.below(8) == 0 { 9 + random.below(9) } else { 1 + random.below(4) };
    let (depth, kind, remembers) = (if len > 8 { 1 } else { depth }, random.below(6), random.below(2) == 0);
    // There are too many ways for so many to go, so of those nothing is wrong.
    let plain = kind == 5 && len > 8;
    let children: Vec<_> = (0..len).map(|_| if plain { full_leaf(random) } else { tree(random, depth - 1) }).collect();
    let cans: Vec<Cans> = children.iter().map(|child| child.can.clone()).collect();
    let data = children.iter().map(|child| child.data.as_str()).collect::<Vec<_>>().join(", ");
    let texts = |reached: &[bool]| -> Vec<String> {
        children.iter().zip(reached).map(|(child, reached)| child.expected(!reached)).collect()
    };
    let (open, close) = if random.below(2) == 0 { ('{', '}') } else { ('<', '>') };
    let mem = if remembers { "mem_" } else { "" };
    match kind {
        0..=3 => {
            let (name, word, goes_on) =
                if kind < 2 { ("Selector", "selector", Can::Failure) } else { ("Sequence", "sequence", Can::Success) };
            let (can, reached) = naive::sequential(&cans, goes_on);
            Tree::new(
                format!("Spec::{name} {{ remembers: {remembers}, children: vec![{data}] }}"),
                format!("{mem}{word} {open} {} {close}", texts(&reached).join(", ")),
                can,
            )
        }
        4 => {
            let (selects, weighted) = (random.below(2) == 0, random.below(2) == 0);
            let (word, goes_on) =
                if selects { ("random_selector", Can::Failure) } else { ("random_sequence", Can::Success) };
            // Any child may come first, and the last goes on only if all do.
            let mut can: Cans = cans.iter().flatten().copied().filter(|status| *status != goes_on).collect();
            if cans.iter().all(|can| can.contains(&goes_on)) {
                can.insert(goes_on);
            }
            let weights = ["3 => ", "", "2.0 => "];
            let texts = texts(&vec![true; children.len()]);
            // An attribute stands behind the weight.
            let texts: Vec<_> = if weighted {
                texts.iter().zip(weights.iter().cycle()).map(|(text, weight)| format!("{weight}{text}")).collect()
            } else {
                texts
            };
            Tree::new(
                format!("Spec::Random {{ selects: {selects}, weighted: {weighted}, children: vec![{data}] }}"),
                format!("{word} {open} {} {close}", texts.join(", ")),
                can,
            )
        }
        _ => {
            let (success, failure) = (1 + random.below(len), 1 + random.below(len));
            let (can, reached) = if plain {
                (naive::any(), vec![true; children.len()])
            } else {
                naive::parallel(&cans, success, failure, remembers)
            };
            let idle = [Can::Success, Can::Failure].iter().any(|outcome| !can.contains(outcome));
            Tree {
                lints: if idle { vec!["threshold"] } else { Vec::new() },
                ..Tree::new(
                    format!(
                        "Spec::Parallel {{ remembers: {remembers}, success: {success}, failure: {failure}, children: vec![{data}] }}"
                    ),
                    format!(
                        "{mem}parallel(failure = {failure}, success = {success}) {open} {} {close}",
                        texts(&reached).join(", ")
                    ),
                    can,
                )
            }
        }
    }
}

/// A transition as data and as text, and when and where to it leads.
type Written = (String, String, Transition);

/// A machine of up to ten states.
fn machine(random: &mut Random, depth: u32) -> Tree {
    let len = if random.below(6) == 0 { 9 + random.below(2) } else { 1 + random.below(4) };
    let mut next = 0;
    let mut transition = |random: &mut Random, from: u64, to: u64| -> Written {
        next += 1;
        let number = 2000 + next;
        let to = if to == from { (from + 1) % len } else { to };
        let (to_data, to_text, to) = match random.below(6) {
            0 if from + 1 != to => ("Err(Status::Success)".to_owned(), "success".to_owned(), Err(Can::Success)),
            1 if from + 1 != to => ("Err(Status::Failure)".to_owned(), "failure".to_owned(), Err(Can::Failure)),
            _ if to == from => ("Err(Status::Failure)".to_owned(), "failure".to_owned(), Err(Can::Failure)),
            _ => (format!("Ok({to})"), format!("s{to}"), Ok(usize::try_from(to).unwrap_or(0))),
        };
        let (on, not) = if random.below(2) == 0 { ("Condition", "") } else { ("Not", "!") };
        (
            format!("TransitionSpec {{ on: On::{on}({number}), to: {to_data} }}"),
            format!("{not}check({number}) -> {to_text}"),
            (On::Condition, to),
        )
    };
    let lead = |random: &mut Random, to: u64| match random.below(4) {
        0 => ("Err(Status::Success)".to_owned(), "success".to_owned(), Err(Can::Success)),
        1 => ("Err(Status::Failure)".to_owned(), "failure".to_owned(), Err(Can::Failure)),
        _ => (format!("Ok({to})"), format!("s{to}"), Ok(usize::try_from(to).unwrap_or(0))),
    };
    let end = |random: &mut Random, can: Can, to: u64| -> Written {
        let word = format!("{can:?}").to_lowercase();
        let (to_data, to_text, to) = lead(random, to);
        (
            format!("TransitionSpec {{ on: On::{can:?}, to: {to_data} }}"),
            format!("{word} -> {to_text}"),
            (On::End(can), to),
        )
    };
    // A condition that always or never holds.
    let constant = |random: &mut Random, holds: bool, to: u64| -> Written {
        let (can, word, on) = if holds { ("Success", "succeed", On::Always) } else { ("Failure", "fail", On::Never) };
        let (to_data, to_text, to) = lead(random, to);
        (
            format!("TransitionSpec {{ on: On::Just(Status::{can}), to: {to_data} }}"),
            format!("{word} -> {to_text}"),
            (on, to),
        )
    };
    let mut states: Vec<(Tree, u64, Vec<Written>)> = Vec::new();
    for state in 0..len {
        let node = if random.below(2) == 0 || len > 8 { full_leaf(random) } else { tree(random, depth - 1) };
        let number = 1000 + random.below(1000);
        let mut transitions: Vec<_> = (0..random.below(3))
            .map(|_| {
                let to = random.below(len);
                transition(random, state, to)
            })
            .collect();
        // Now and then nothing leads to the next state.
        if state + 1 < len && random.below(8) > 0 {
            transitions.push(transition(random, state, state + 1));
        }
        for can in [Can::Success, Can::Failure] {
            let to = random.below(len);
            if random.below(3) == 0 && to != state {
                let at = usize::try_from(random.below(transitions.len() as u64 + 1)).unwrap_or(0);
                transitions.insert(at, end(random, can, to));
            }
        }
        for holds in [true, false] {
            let to = random.below(len);
            if random.below(8) == 0 && to != state {
                let at = usize::try_from(random.below(transitions.len() as u64 + 1)).unwrap_or(0);
                transitions.insert(at, constant(random, holds, to));
            }
        }
        states.push((node, number, transitions));
    }
    let mut any: Vec<_> = (0..random.below(2)).map(|_| transition(random, len, 0)).collect();
    for can in [Can::Success, Can::Failure] {
        if random.below(3) == 0 {
            let to = random.below(len);
            any.push(end(random, can, to));
        }
    }
    if random.below(6) == 0 {
        let (holds, to) = (random.below(2) == 0, random.below(len));
        any.push(constant(random, holds, to));
    }
    write_machine(&states, &any)
}

fn write_machine(states: &[(Tree, u64, Vec<Written>)], any: &[Written]) -> Tree {
    let only_arrows = |transitions: &[Written]| transitions.iter().map(|(_, _, transition)| *transition).collect();
    let seen = naive::Machine {
        states: states.iter().map(|(node, _, transitions)| (node.can.clone(), only_arrows(transitions))).collect(),
        any: only_arrows(any),
    }
    .run();
    // Of the transitions of a state that is never entered nothing is said.
    let text_of = |state: Option<usize>, transitions: &[Written]| -> Vec<String> {
        let transitions = transitions.iter().enumerate().map(|(place, (_, text, _))| {
            let entered = state.is_none_or(|state| seen.entered.contains(&state));
            let stuck = entered && !seen.followed.contains(&(state, place));
            if stuck { format!("#[expect(unreachable)] {text}") } else { text.clone() }
        });
        transitions.collect()
    };
    let data_of =
        |transitions: &[Written]| transitions.iter().map(|(data, _, _)| data.as_str()).collect::<Vec<_>>().join(", ");
    let (mut data, mut text) = (Vec::new(), Vec::new());
    for (state, (node, number, transitions)) in states.iter().enumerate() {
        let arrow_data = data_of(transitions);
        data.push(format!("StateSpec {{ node: {}, number: {number}, transitions: vec![{arrow_data}] }}", node.data));
        let parts = [node.expected(false), format!("enter: entered({number})"), format!("exit: left({number})")];
        let parts: Vec<_> = parts.into_iter().chain(text_of(Some(state), transitions)).collect();
        let allow = if seen.entered.contains(&state) { "" } else { "#[expect(unreachable)] " };
        text.push(format!("{allow}state s{state} {{ {} }}", parts.join(", ")));
    }
    if !any.is_empty() {
        text.push(format!("any {{ {} }}", text_of(None, any).join(", ")));
    }
    let (data, any_data) = (data.join(", "), data_of(any));
    Tree::new(
        format!("Spec::Machine {{ states: vec![{data}], any: vec![{any_data}] }}"),
        format!("machine {{ {} }}", text.join(" ")),
        seen.gives,
    )
}

fn decorator(random: &mut Random, depth: u32) -> Tree {
    use Can::{Error, Failure, Running, Success};

    let child = tree(random, depth - 1);
    let (times, millis) = (random.below(4), random.below(300));
    let (data, text, can) = (&child.data, child.expected(false), child.can.clone());
    // What becomes of the child's success, failure and running, and what comes without them.
    let map = |success: &[Can], failure: &[Can], running: &[Can], always: &[Can]| -> Cans {
        let becomes = |status: &Can| match status {
            Success => success.to_vec(),
            Failure => failure.to_vec(),
            Running => running.to_vec(),
            Error => vec![Error],
        };
        can.iter().flat_map(becomes).chain(always.iter().copied()).collect()
    };
    let same = |running: &[Can], always: &[Can]| map(&[Success], &[Failure], running, always);
    let plain =
        |name: &str, keyword: &str| (format!("Spec::{name}(Box::new({data}))"), format!("{keyword} {{ {text} }}"));
    // Zero as the type does not know it: written, it is an error.
    let counted = |name: &str, keyword: &str| {
        let written = if times == 0 { "ZERO".to_owned() } else { times.to_string() };
        (format!("Spec::{name}({times}, Box::new({data}))"), format!("{keyword}({written}) {{ {text} }}"))
    };
    let lasting = |name: &str, keyword: &str| {
        (format!("Spec::{name}({millis}, Box::new({data}))"), format!("{keyword}(millis({millis})) {{ {text} }}"))
    };
    let ends = [Success, Failure].iter().any(|outcome| can.contains(outcome));
    let loops = |last: Can| {
        if !can.contains(&last) {
            Some("endless")
        } else if can.iter().all(|status| *status == last || *status == Error) {
            Some("pointless")
        } else {
            None
        }
    };
    let idle = |useful: bool| if useful { None } else { Some("pointless") };
    let none: &[Can] = &[];
    let zero = |outcome: Can| if times == 0 { vec![outcome] } else { Vec::new() };
    let ((data, text), can, lint) = match random.below(16) {
        0 => (plain("Invert", "invert"), map(&[Failure], &[Success], &[Running], none), idle(ends)),
        1 => (
            (format!("Spec::Invert(Box::new({data}))"), format!("!{text}")),
            map(&[Failure], &[Success], &[Running], none),
            idle(ends),
        ),
        2 => (plain("ForceSuccess", "force_success"), map(&[Success], &[Success], &[Running], none), idle(ends)),
        3 => (plain("ForceFailure", "force_failure"), map(&[Failure], &[Failure], &[Running], none), idle(ends)),
        4 => (plain("Repeat", "repeat"), map(&[Running], &[Running], &[Running], none), idle(ends)),
        5 => (counted("RepeatTimes", "repeat"), map(&[Success], &[Success], &[Running], &zero(Success)), idle(ends)),
        6 => (counted("Retry", "retry"), same(&[Running], &zero(Failure)), idle(can.contains(&Failure))),
        7 => (plain("UntilFailure", "until_failure"), map(&[Running], &[Success], &[Running], none), loops(Failure)),
        8 => (plain("UntilSuccess", "until_success"), map(&[Success], &[Running], &[Running], none), loops(Success)),
        9 => (plain("WaitUntil", "wait_until"), map(&[Success], &[Running], &[Running], none), loops(Success)),
        10 => (counted("Limit", "limit"), same(&[Running], &[Failure]), None),
        11 => (plain("RunOnce", "run_once"), same(&[Running], none), idle(ends)),
        12 => (lasting("Timeout", "timeout"), same(&[Running, Failure], none), idle(can.contains(&Running))),
        13 => (lasting("Delay", "delay"), same(&[Running], &[Running]), None),
        14 => (lasting("Cooldown", "cooldown"), same(&[Running], &[Failure]), None),
        _ => (
            (
                format!("Spec::Service({millis}, {times}, Box::new({data}))"),
                format!("service(millis({millis}), entered({times})) {{ {text} }}"),
            ),
            same(&[Running], none),
            None,
        ),
    };
    Tree { lints: lint.into_iter().collect(), ..Tree::new(data, text, can) }
}
