//! Writes random trees out as `tree!` text, beside the same trees as data, for the conformance test.

use std::fmt::Write;
use std::path::Path;

/// How many trees; each costs compile time.
const TREES: u64 = 90;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut source = String::new();
    for seed in 1..=TREES {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let (data, text) = tree(&mut random, 4);
        let _ = writeln!(
            source,
            "#[test]\nfn tree_{seed}() {{\n    conforms(&{data}, &tree! {{ for World: {text} }});\n}}\n"
        );
    }
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&out).join("written_trees.rs"), source).expect("OUT_DIR can be written");
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

/// A tree as data and as text.
fn tree(random: &mut Random, depth: u32) -> (String, String) {
    if depth == 0 || random.below(6) == 0 {
        return leaf(random);
    }
    match random.below(11) {
        0..6 => composite(random, depth),
        6 | 7 => machine(random, depth),
        _ => decorator(random, depth),
    }
}

fn leaf(random: &mut Random) -> (String, String) {
    let number = random.below(1000);
    match random.below(3) {
        0 => (format!("Spec::Leaf({number})"), format!("told({number})")),
        1 => (format!("Spec::Action({number})"), format!("act({number})")),
        _ => (format!("Spec::Condition({number})"), format!("check({number})")),
    }
}

fn composite(random: &mut Random, depth: u32) -> (String, String) {
    // Now and then more than the longest tuple holds.
    let len = if random.below(8) == 0 { 9 + random.below(9) } else { 1 + random.below(4) };
    let depth = if len > 8 { 1 } else { depth };
    let (data, texts): (Vec<_>, Vec<_>) = (0..len).map(|_| tree(random, depth - 1)).unzip();
    let (data, text) = (data.join(", "), texts.join(", "));
    let (open, close) = if random.below(2) == 0 { ('{', '}') } else { ('<', '>') };
    let remembers = random.below(2) == 0;
    let mem = if remembers { "mem_" } else { "" };
    match random.below(6) {
        0 | 1 => (
            format!("Spec::Selector {{ remembers: {remembers}, children: vec![{data}] }}"),
            format!("{mem}selector {open} {text} {close}"),
        ),
        2 | 3 => (
            format!("Spec::Sequence {{ remembers: {remembers}, children: vec![{data}] }}"),
            format!("{mem}sequence {open} {text} {close}"),
        ),
        4 => {
            let (selects, weighted) = (random.below(2) == 0, random.below(2) == 0);
            let word = if selects { "random_selector" } else { "random_sequence" };
            let weights = ["3 => ", "", "2.0 => "];
            let texts: Vec<_> =
                texts.iter().zip(weights.iter().cycle()).map(|(text, weight)| format!("{weight}{text}")).collect();
            let text = if weighted { texts.join(", ") } else { text };
            (
                format!("Spec::Random {{ selects: {selects}, weighted: {weighted}, children: vec![{data}] }}"),
                format!("{word} {open} {text} {close}"),
            )
        }
        _ => {
            let (success, failure) = (1 + random.below(len), 1 + random.below(len));
            (
                format!(
                    "Spec::Parallel {{ remembers: {remembers}, success: {success}, failure: {failure}, children: vec![{data}] }}"
                ),
                format!("{mem}parallel(failure = {failure}, success = {success}) {open} {text} {close}"),
            )
        }
    }
}

/// A machine of up to ten states. An arrow leads from each state to the next, so that all are reached.
fn machine(random: &mut Random, depth: u32) -> (String, String) {
    let len = if random.below(6) == 0 { 9 + random.below(2) } else { 1 + random.below(4) };
    let mut next = 0;
    let mut arrow = |random: &mut Random, from: u64, to: u64| {
        next += 1;
        let number = 2000 + next;
        let to = if to == from { (from + 1) % len } else { to };
        let (to_data, to_text) = match random.below(6) {
            0 if from + 1 != to => ("Err(Status::Success)".to_owned(), "success".to_owned()),
            1 if from + 1 != to => ("Err(Status::Failure)".to_owned(), "failure".to_owned()),
            _ if to == from => ("Err(Status::Failure)".to_owned(), "failure".to_owned()),
            _ => (format!("Ok({to})"), format!("s{to}")),
        };
        if random.below(2) == 0 {
            (
                format!("ArrowSpec {{ on: On::Condition({number}), to: {to_data} }}"),
                format!("check({number}) -> {to_text}"),
            )
        } else {
            (format!("ArrowSpec {{ on: On::Not({number}), to: {to_data} }}"), format!("!check({number}) -> {to_text}"))
        }
    };
    let (mut data, mut text) = (Vec::new(), Vec::new());
    for state in 0..len {
        let plain = random.below(2) == 0 || len > 8;
        let (node_data, node_text) = if plain { full_leaf(random) } else { tree(random, depth - 1) };
        let number = 1000 + random.below(1000);
        let mut arrows: Vec<_> = (0..random.below(3))
            .map(|_| {
                let to = random.below(len);
                arrow(random, state, to)
            })
            .collect();
        if state + 1 < len {
            arrows.push(arrow(random, state, state + 1));
        }
        for (outcome, word) in [("Success", "success"), ("Failure", "failure")] {
            let to = random.below(len);
            if plain && random.below(3) == 0 && to != state {
                let at = usize::try_from(random.below(arrows.len() as u64 + 1)).unwrap_or(0);
                arrows.insert(
                    at,
                    (format!("ArrowSpec {{ on: On::{outcome}, to: Ok({to}) }}"), format!("{word} -> s{to}")),
                );
            }
        }
        let (arrow_data, arrow_text): (Vec<_>, Vec<_>) = arrows.into_iter().unzip();
        let arrow_data = arrow_data.join(", ");
        data.push(format!("StateSpec {{ node: {node_data}, number: {number}, arrows: vec![{arrow_data}] }}"));
        let parts = [node_text, format!("enter: entered({number})"), format!("exit: left({number})")];
        text.push(format!(
            "state s{state} {{ {} }}",
            parts.into_iter().chain(arrow_text).collect::<Vec<_>>().join(", ")
        ));
    }
    let mut any: Vec<_> = (0..random.below(2)).map(|_| arrow(random, len, 0)).collect();
    for (outcome, word) in [("Success", "success"), ("Failure", "failure")] {
        if random.below(3) == 0 {
            let to = random.below(len);
            any.push((format!("ArrowSpec {{ on: On::{outcome}, to: Ok({to}) }}"), format!("{word} -> s{to}")));
        }
    }
    let (any_data, any_text): (Vec<_>, Vec<_>) = any.into_iter().unzip();
    if !any_text.is_empty() {
        text.push(format!("any {{ {} }}", any_text.join(", ")));
    }
    let (data, any_data) = (data.join(", "), any_data.join(", "));
    (
        format!("Spec::Machine {{ states: vec![{data}], any: vec![{any_data}] }}"),
        format!("machine {{ {} }}", text.join(" ")),
    )
}

/// A leaf that can give any status.
fn full_leaf(random: &mut Random) -> (String, String) {
    let number = random.below(1000);
    if random.below(2) == 0 {
        (format!("Spec::Leaf({number})"), format!("told({number})"))
    } else {
        (format!("Spec::Action({number})"), format!("act({number})"))
    }
}

fn decorator(random: &mut Random, depth: u32) -> (String, String) {
    let (data, text) = tree(random, depth - 1);
    let (times, millis) = (random.below(4), random.below(300));
    let plain =
        |name: &str, keyword: &str| (format!("Spec::{name}(Box::new({data}))"), format!("{keyword} {{ {text} }}"));
    let times = |name: &str, keyword: &str| {
        (format!("Spec::{name}({times}, Box::new({data}))"), format!("{keyword}({times}) {{ {text} }}"))
    };
    let lasting = |name: &str, keyword: &str| {
        (format!("Spec::{name}({millis}, Box::new({data}))"), format!("{keyword}(millis({millis})) {{ {text} }}"))
    };
    match random.below(15) {
        0 => plain("Invert", "invert"),
        1 => (format!("Spec::Invert(Box::new({data}))"), format!("!{text}")),
        2 => plain("ForceSuccess", "force_success"),
        3 => plain("ForceFailure", "force_failure"),
        4 => plain("Repeat", "repeat"),
        5 => times("RepeatTimes", "repeat"),
        6 => times("Retry", "retry"),
        7 => plain("UntilFailure", "until_failure"),
        8 => plain("UntilSuccess", "until_success"),
        9 => plain("WaitUntil", "wait_until"),
        10 => times("Limit", "limit"),
        11 => plain("RunOnce", "run_once"),
        12 => lasting("Timeout", "timeout"),
        13 => lasting("Delay", "delay"),
        _ => lasting("Cooldown", "cooldown"),
    }
}
