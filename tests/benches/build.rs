//! Generates two random trees, as `tree!` text and as equivalent hand-written Rust; and broad and deep trees.

use std::fmt::Write;
use std::path::Path;

use random::Random;

#[path = "src/random.rs"]
mod random;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/random.rs");
    let mut source = String::new();
    for (nodes, seed) in [(100, 11_u64), (1000, 5)] {
        let random = Random::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut writer = Writer { random, leaves: 0, labels: 0, memories: 0 };
        let (tree, hand) = writer.node(nodes);
        let _ = writeln!(
            source,
            "pub fn tree_{nodes}() -> impl Node<Agent> {{\n    tree! {{ for Agent: {tree} }}\n}}\n\n\
             /// Ticks the tree. `running` is the running `mem_sequence` and its child.\n\
             #[allow(unused_labels, unused_assignments, unused_parens, clippy::all, clippy::pedantic)]\n\
             pub fn by_hand_{nodes}(agent: &mut Agent, running: &mut (u16, u8)) -> Status {{\n    \
             let was = *running;\n    let mut now = (0, 0);\n    let status = {hand};\n    *running = now;\n    status\n}}\n"
        );
    }
    write("generated.rs", &source);
    let mut source = String::new();
    let functions = shapes(&mut source, "broad", &[1, 10, 100, 1000], broad);
    let functions = functions + &shapes(&mut source, "deep", &[1, 3, 10, 30, 100], deep);
    let _ = writeln!(source, "/// The trees of all shapes and sizes.\npub const SHAPES: &[Shape] = &[\n{functions}];");
    write("shapes.rs", &source);
}

fn write(name: &str, source: &str) {
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&out).join(name), source).expect("OUT_DIR is writable");
}

/// Writes a function per size. Returns the table rows that name the functions.
fn shapes(source: &mut String, word: &str, sizes: &[u32], tree: fn(u32, &mut u32) -> String) -> String {
    let rows = sizes.iter().map(|size| {
        let tree = tree(*size, &mut 0);
        let _ = writeln!(source, "fn {word}_{size}() -> impl Node<Agent> {{\n    tree! {{ for Agent: {tree} }}\n}}\n");
        format!("    shape!(\"{word}\", {size}, {word}_{size}),\n")
    });
    rows.collect()
}

/// Returns a tree of `nodes` nodes that are all visited each tick: sequences of up to 9 children.
fn broad(nodes: u32, leaves: &mut u32) -> String {
    if nodes == 1 {
        *leaves += 1;
        return format!("work::<{leaves}>");
    }
    let children = (nodes - 1).min(9);
    let sizes = (0..children).map(|child| (nodes - 1) / children + u32::from(child < (nodes - 1) % children));
    let children: Vec<_> = sizes.map(|size| broad(size, leaves)).collect();
    format!("sequence {{ {} }}", children.join(", "))
}

/// Returns `levels` nested sequences, each with a leaf before the nested sequence.
fn deep(levels: u32, leaves: &mut u32) -> String {
    *leaves += 1;
    let leaf = *leaves;
    let rest = if levels == 1 { "stay".to_owned() } else { deep(levels - 1, leaves) };
    format!("sequence {{ work::<{leaf}>, {rest} }}")
}

struct Writer {
    random: Random,
    leaves: u32,
    labels: u32,
    memories: u32,
}

impl Writer {
    /// Returns a random tree of `nodes` nodes, and its hand-written equivalent.
    fn node(&mut self, nodes: u32) -> (String, String) {
        if nodes == 1 {
            return self.leaf();
        }
        if nodes < 6 && self.random.below(2) == 0 {
            return self.memory(nodes - 1);
        }
        let children = (nodes - 1).min(2 + self.random.below(4));
        let sizes = self.random.sizes(nodes - 1, children);
        let (word, expected) =
            if self.random.below(2) == 0 { ("selector", "Failure") } else { ("sequence", "Success") };
        self.labels += 1;
        let label = self.labels;
        let (trees, hands): (Vec<_>, Vec<_>) = sizes.into_iter().map(|size| self.node(size)).unzip();
        let mut hand = format!("'n{label}: {{ ");
        for child in hands {
            let _ = write!(hand, "match {child} {{ Status::{expected} => {{}} status => break 'n{label} status }} ");
        }
        let _ = write!(hand, "Status::{expected} }}");
        (format!("{word} {{ {} }}", trees.join(", ")), hand)
    }

    /// Returns a condition or an action.
    fn leaf(&mut self) -> (String, String) {
        self.leaves += 1;
        let number = self.leaves;
        if self.random.below(2) == 0 {
            return (
                format!("cond::<{number}>"),
                format!("(if cond::<{number}>(agent) {{ Status::Success }} else {{ Status::Failure }})"),
            );
        }
        (format!("act::<{number}>"), format!("act::<{number}>(agent)"))
    }

    /// Returns a sequence of actions with memory.
    fn memory(&mut self, children: u32) -> (String, String) {
        self.memories += 1;
        let memory = self.memories;
        let numbers: Vec<u32> = (0..children).map(|child| self.leaves + 1 + child).collect();
        self.leaves += children;
        let tree: Vec<_> = numbers.iter().map(|number| format!("act::<{number}>")).collect();
        let mut hand = format!("'m{memory}: {{ let from = if was.0 == {memory} {{ was.1 }} else {{ 0 }}; ");
        for (index, number) in numbers.iter().enumerate() {
            let _ = write!(
                hand,
                "if from <= {index} {{ match act::<{number}>(agent) {{ Status::Success => {{}} \
                 Status::Running => {{ now = ({memory}, {index}); break 'm{memory} Status::Running }} \
                 status => break 'm{memory} status }} }} "
            );
        }
        hand += "Status::Success }";
        (format!("mem_sequence {{ {} }}", tree.join(", ")), hand)
    }
}
