//! Writes random trees out as `tree!` text, beside the same trees as data, for the conformance test.
//!
//! What can never happen in them is found naively and expected there. Since an `#[expect(…)]` in vain is an error too, that they compile
//! shows that the library finds just the same.

use std::fmt::Write;
use std::path::Path;

use bt_words::{Arity, Bound, Family, Lint, Param, ParamType, Returns, Word};
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
            "#[test]\nfn tree_{seed}() {{\n    conforms(&{data}, &tree! {{ for World: {text} }}, {can}, {:?});\n}}\n",
            Lint::ALL.map(|lint| tree.expects(lint, false))
        );
    }
    for word in
        [Arity::Zero, Arity::One, Arity::Many, Arity::Branches, Arity::BodyAndCleanup].into_iter().flat_map(words)
    {
        assert!(source.contains(&format!("Word::{word:?},")), "no tree has a `{}`: write more of them", word.name());
    }
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    files::write(Path::new(&out));
    std::fs::write(Path::new(&out).join("every_word.rs"), every_word()).expect("OUT_DIR can be written");
    std::fs::write(Path::new(&out).join("written_trees.rs"), source).expect("OUT_DIR can be written");
}

/// A tree of every word, and the same as data: a macro, so that another package can have it as well.
fn every_word() -> String {
    let mut random = Random(0x5eee);
    let mut missing: Vec<_> = Word::ALL.iter().map(|word| format!("Word::{word:?},")).collect();
    missing.retain(|word| !["Word::Machine,", "Word::State,"].contains(&word.as_str()));
    missing.push("Spec::Machine".to_owned());
    let mut children = Vec::new();
    while !missing.is_empty() {
        let tree = tree(&mut random, 3);
        let before = missing.len();
        missing.retain(|word| !tree.data.contains(word));
        if missing.len() < before {
            children.push(tree);
        }
    }
    // Any child can be the first.
    let args = Args { times: 0, ..Args::any(&mut random, 1) };
    let Tree { data, text, .. } = composite_of(&mut random, Word::UtilitySelector, &args, &children, false);
    let leaves = imports("::bt_tests::world", &LEAVES, &text);
    let types = imports("crate::spec", &TYPES, &data);
    format!(
        "/// A tree of every word, static or live as the crate says that calls this.\n#[macro_export]\nmacro_rules! every_word {{\n    \
         () => {{{{\n        {leaves}\n        ::bt_core::tree! {{ for World: {text} }}\n    }}}};\n}}\n\n\
         /// The same as data.\n#[must_use]\npub fn spec() -> Spec {{\n    {types}\n    {data}\n}}\n"
    )
}

/// The functions that written trees call.
const LEAVES: [&str; 10] = ["act", "check", "entered", "left", "pick", "score", "share", "span", "times", "told"];
/// The types of a tree as data, but for `Spec`.
const TYPES: [&str; 5] = ["Args", "How", "On", "StateSpec", "TransitionSpec"];

/// Returns the import of those names that are in a text: which ones are in a random tree changes with the words.
fn imports(module: &str, names: &[&str], text: &str) -> String {
    let words: Vec<_> = text.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).collect();
    let used: Vec<_> = names.iter().copied().filter(|name| words.contains(name)).collect();
    format!("use {module}::{{{}}};", used.join(", "))
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
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).unwrap_or(0)]
    }

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

    /// How often a lint is expected in the text.
    fn expects(&self, lint: Lint, unreachable: bool) -> usize {
        self.expected(unreachable)
            .split("#[expect(")
            .skip(1)
            .filter_map(|text| text.split(')').next())
            .flat_map(|names| names.split(", "))
            .filter(|name| *name == lint.name())
            .count()
    }
}

fn tree(random: &mut Random, depth: u32) -> Tree {
    if depth == 0 || random.below(6) == 0 {
        return leaf(random);
    }
    match random.below(13) {
        12 => body_and_cleanup(random, depth),
        11 => branches(random, depth),
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
        _ => {
            let word = random.pick(&words(Arity::Zero));
            let args = Args::any(random, 0);
            Tree::new(args.data(word, ""), args.text(word), naive::leaf(word))
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
    let (depth, word) = (if len > 8 { 1 } else { depth }, random.pick(&words(Arity::Many)));
    let args = Args::any(random, len);
    // There are too many ways for so many to go, so of those nothing is wrong.
    let plain = matches!(word.row().returns, Returns::Thresholds(_)) && len > 8;
    let children: Vec<_> = (0..len).map(|_| if plain { full_leaf(random) } else { tree(random, depth - 1) }).collect();
    composite_of(random, word, &args, &children, plain)
}

/// A node waits for what a halt has left in these nodes.
fn or_waiting(mut can: Cans, below: &str) -> Cans {
    if below.contains("Word::Finally") {
        can.insert(Can::Running);
    }
    can
}

fn body_and_cleanup(random: &mut Random, depth: u32) -> Tree {
    let (word, args) = (random.pick(&words(Arity::BodyAndCleanup)), Args::any(random, 2));
    let children = [0; 2].map(|_| tree(random, depth - 1));
    composite_of(random, word, &args, &children, false)
}

/// A composite of these children. Of a `plain` one, nothing is wrong.
fn composite_of(random: &mut Random, word: Word, args: &Args, children: &[Tree], plain: bool) -> Tree {
    let cans: Vec<Cans> = children.iter().map(|child| child.can.clone()).collect();
    let (can, reached) = if plain {
        (naive::any(), vec![true; children.len()])
    } else {
        naive::composite(word, &cans, args.success, args.failure)
    };
    let data = children.iter().map(|child| child.data.as_str()).collect::<Vec<_>>().join(", ");
    let can = match word.row().returns {
        Returns::AnyChild(_) | Returns::BodyAndCleanup => or_waiting(can, &data),
        _ => can,
    };
    // An attribute stands behind what stands before the child.
    let texts = children
        .iter()
        .zip(&reached)
        .enumerate()
        .map(|(index, (child, reached))| args.before(word, index, children.len()) + &child.expected(!reached));
    let texts = texts.collect::<Vec<_>>().join(", ");
    let needs_braces = !word.is_before_children();
    let (open, close) = if needs_braces || random.below(2) == 0 { ('{', '}') } else { ('<', '>') };
    let idle = [Can::Success, Can::Failure].iter().any(|outcome| !can.contains(outcome));
    let has_thresholds = matches!(word.row().returns, Returns::Thresholds(_));
    Tree {
        lints: if has_thresholds && idle { vec!["threshold"] } else { Vec::new() },
        ..Tree::new(args.data(word, &data), format!("{} {open} {texts} {close}", args.text(word)), can)
    }
}

/// A condition as data and as text, and what it can give.
fn condition(random: &mut Random, depth: u32) -> (String, String, Cans) {
    let both = || Cans::from([Can::Success, Can::Failure]);
    let constant =
        |word: Word| (Args::any(&mut Random(1), 0).data(word, ""), word.name().to_owned(), naive::leaf(word));
    match random.below(if depth == 0 { 6 } else { 12 }) {
        0 if random.below(3) == 0 => constant(Word::Succeed),
        1 if random.below(3) == 0 => constant(Word::Fail),
        6 | 7 => {
            let (data, text, can) = condition(random, 0);
            let data = Args::any(random, 1).data(Word::Invert, &data);
            (data, format!("!{text}"), naive::decorator(Word::Invert, &can, 0).0)
        }
        number @ 8.. => {
            let (word, sign) = if number < 10 { (Word::Sequence, "&&") } else { (Word::Selector, "||") };
            // With a constant before its end, the rest would be unreachable.
            let (one, other) = (random.below(1000), condition(random, depth - 1));
            let (data, can) =
                (format!("Spec::Condition({one}), {}", other.0), naive::composite(word, &[both(), other.2], 1, 1).0);
            (Args::any(random, 2).data(word, &data), format!("(check({one}) {sign} ({}))", other.1), can)
        }
        _ => {
            let number = random.below(1000);
            (format!("Spec::Condition({number})"), format!("check({number})"), both())
        }
    }
}

fn branches(random: &mut Random, depth: u32) -> Tree {
    let (word, condition) = (random.pick(&words(Arity::Branches)), condition(random, 2));
    let branches: Vec<_> = (0..=random.below(2)).map(|_| tree(random, depth - 1)).collect();
    let cans: Vec<Cans> = branches.iter().map(|branch| branch.can.clone()).collect();
    let (can, reached) = naive::branches(&condition.2, &cans);
    let data: Vec<_> =
        [condition.0.as_str()].into_iter().chain(branches.iter().map(|node| node.data.as_str())).collect();
    let mut texts = branches.iter().zip(&reached).map(|(branch, reached)| branch.expected(!reached));
    let then = texts.next().unwrap_or_default();
    let otherwise = texts.next().map(|node| format!(" else {{ {node} }}")).unwrap_or_default();
    let text = format!("{} {} {{ {then} }}{otherwise}", word.name(), condition.1);
    let data = data.join(", ");
    let can = or_waiting(can, &data);
    Tree::new(Args::any(random, 1).data(word, &data), text, can)
}

fn decorator(random: &mut Random, depth: u32) -> Tree {
    let child = tree(random, depth - 1);
    let (word, args) = (random.pick(&words(Arity::One)), Args::any(random, 1));
    // A number that is not written may be 0.
    let least = if args.how == "Fixed" { args.times } else { 0 };
    let (can, lint) = naive::decorator(word, &child.can, least);
    let lint = lint.or_else(|| (args.how == "Fixed" && naive::is_idle(word, args.times)).then_some("pointless"));
    let (head, text) = (args.text(word), child.expected(false));
    let text =
        if word == Word::Invert && random.below(2) == 0 { format!("!{text}") } else { format!("{head} {{ {text} }}") };
    Tree { lints: lint.into_iter().collect(), ..Tree::new(args.data(word, &child.data), text, can) }
}

/// The words of this arity, except machines and their states.
fn words(arity: Arity) -> Vec<Word> {
    let families = [Family::Machine, Family::State];
    let words = Word::ALL.iter().copied().filter(|word| !families.contains(&word.row().family));
    words.filter(|word| word.row().arity() == arity).collect()
}

/// What the arguments of a word are made of: `Args` of the tests.
struct Args {
    times: u64,
    millis: u64,
    percent: u64,
    success: u64,
    failure: u64,
    weighted: bool,
    action: u64,
    how: &'static str,
}

impl Args {
    fn any(random: &mut Random, children: u64) -> Self {
        Self {
            times: random.below(4),
            millis: random.below(300),
            percent: random.below(101),
            success: 1 + random.below(children.max(1)),
            failure: 1 + random.below(children.max(1)),
            weighted: random.below(2) == 0,
            action: random.below(4),
            how: random.pick(&["Fixed", "Fixed", "Computed", "Ranged"]),
        }
    }

    /// A node of the word as data.
    fn data(&self, word: Word, children: &str) -> String {
        let Self { times, millis, percent, success, failure, weighted, action, how } = self;
        format!(
            "Spec::Word(Word::{word:?}, Args {{ times: {times}, millis: {millis}, percent: {percent}, success: {success}, failure: {failure}, \
             weighted: {weighted}, action: {action}, how: How::{how} }}, vec![{children}])"
        )
    }

    /// What stands before a child.
    fn before(&self, word: Word, child: usize, len: usize) -> String {
        let has = |ty| word.row().params.iter().any(|param| param.ty == ty);
        if has(ParamType::Weights) && self.weighted {
            ["3 => ", "", "2.0 => "][child % 3].to_owned()
        } else if has(ParamType::Scores) {
            format!("score({}) => ", self.times + child as u64)
        } else if has(ParamType::Cases) {
            if child + 1 == len { "_ => ".to_owned() } else { format!("{child} => ") }
        } else {
            String::new()
        }
    }

    /// The word and its arguments as text.
    fn text(&self, word: Word) -> String {
        if word.row().params.iter().any(|param| param.ty == ParamType::Cases) {
            return format!("{} pick({})", word.name(), self.times);
        }
        let params = word.row().params.iter();
        let written: Vec<_> = params.filter_map(|param| self.argument(param)).collect();
        if written.is_empty() { word.name().to_owned() } else { format!("{}({})", word.name(), written.join(", ")) }
    }

    fn argument(&self, param: &Param) -> Option<String> {
        let share = f64::from(u32::try_from(self.percent).unwrap_or(0)) / 100.0;
        let (times, millis) = (self.times, self.millis);
        match param.ty {
            ParamType::Times | ParamType::Runs if self.how == "Computed" => Some(format!("times({times})")),
            ParamType::Times | ParamType::Runs if self.how == "Ranged" => Some(format!("{times}..={}", times + 2)),
            ParamType::Time if self.how == "Computed" => Some(format!("span({millis})")),
            ParamType::Time if self.how == "Ranged" => Some(format!("millis({millis})..=millis({})", 2 * millis)),
            ParamType::Probability if self.how == "Computed" => Some(format!("share({times})")),
            ParamType::Probability if self.how == "Ranged" => Some(format!("{share:?}..=1.0")),
            ParamType::Times | ParamType::Runs => Some(self.times.to_string()),
            ParamType::Time => Some(format!("millis({})", self.millis)),
            ParamType::Probability => Some(format!("{share:?}")),
            ParamType::Threshold(Bound::All) => Some(format!("{} = {}", param.name, self.success)),
            ParamType::Threshold(Bound::One) => Some(format!("{} = {}", param.name, self.failure)),
            ParamType::Leaf(_) => Some(format!("entered({})", self.action)),
            ParamType::Bonus => Some(format!("{} = {share:?}", param.name)),
            ParamType::Weights
            | ParamType::Scores
            | ParamType::Value
            | ParamType::Cases
            | ParamType::Transitions
            | ParamType::Name => None,
        }
    }
}

/// A transition as data and as text, and when and where to it leads.
type Written = (String, String, Transition);

/// A machine of up to 4 states, or of 12 or 13: the longest list that is a tuple, and the shortest that is joined.
fn machine(random: &mut Random, depth: u32) -> Tree {
    let len = if random.below(6) == 0 { 12 + random.below(2) } else { 1 + random.below(4) };
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
        let node = if random.below(2) == 0 || len > 4 { full_leaf(random) } else { tree(random, depth - 1) };
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
        // A state needs a node, and one of these says nothing.
        let is_filler = ["run", "succeed", "fail"].contains(&node.text.as_str());
        let idle = !is_filler && seen.entered.contains(&state) && !seen.ticked.contains(&state);
        let parts = [node.expected(idle), format!("enter: entered({number})"), format!("exit: left({number})")];
        let parts: Vec<_> = parts.into_iter().chain(text_of(Some(state), transitions)).collect();
        let allow = if seen.entered.contains(&state) { "" } else { "#[expect(unreachable)] " };
        text.push(format!("{allow}state s{state} {{ {} }}", parts.join(", ")));
    }
    if !any.is_empty() {
        text.push(format!("any {{ {} }}", text_of(None, any).join(", ")));
    }
    let (data, any_data) = (data.join(", "), data_of(any));
    let can = or_waiting(seen.gives, &data);
    Tree::new(
        format!("Spec::Machine {{ states: vec![{data}], any: vec![{any_data}] }}"),
        format!("machine {{ {} }}", text.join(" ")),
        can,
    )
}
