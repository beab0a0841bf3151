//! The cost of compiling a tree, in one macro or in many functions: time, memory, size of the expansion, length of symbols.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::random::Random;

/// The compiler options per kind of build.
const KINDS: [(&str, &[&str]); 3] =
    [("check", &["--emit=metadata"]), ("debug", &["--emit=link"]), ("release", &["--emit=link", "-O"])];

/// The compiler options of a build after an edit, as those of the profile `dev` with `debug = 0`, `"line-tables-only"` and `2`.
const DEBUG_INFO: [&str; 3] = ["-Cdebuginfo=0", "-Cdebuginfo=line-tables-only", "-Cdebuginfo=2"];

/// Returns the table of compile times in seconds, relative to an empty program, and the table of builds after an edit. Best of 3.
pub fn table() -> Result<String, std::io::Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::temp_dir().join(format!("bt-benches-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let cargo = Command::new("cargo")
        .args(["build", "-q", "-p", "bt-core", "--target-dir"])
        .arg(folder.join("target"))
        .arg("--manifest-path")
        .arg(root.join("../../Cargo.toml"))
        .status()?;
    assert!(cargo.success(), "cannot build bt-core");
    let mut table = String::from(
        "| nodes | check, s | debug, s | release, s | peak memory, MB | expansion, bytes per node | longest symbol, bytes |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let empty = seconds(&folder, "fn main() {}")?;
    for (nodes, split) in [(10, false), (100, false), (1000, false), (100, true), (1000, true)] {
        let times = seconds(&folder, &program(nodes, split))?;
        let over: Vec<_> = times.iter().zip(empty).map(|(time, empty)| format!("{:.2}", time - empty)).collect();
        let how = if split { "in functions" } else { "in one `tree!`" };
        let [memory, expanded, symbol] = sizes(&folder)?;
        let (memory, expanded) = (memory / 1_000_000, expanded / u64::from(nodes));
        let _ = writeln!(table, "| {nodes} {how} | {} | {memory} | {expanded} | {symbol} |", over.join(" | "));
    }
    table.push_str("\n| debug build after an edit of one of 1000 nodes in functions | s |\n|---|---|\n");
    for flags in DEBUG_INFO {
        let _ = writeln!(table, "| `{flags}` | {:.2} |", after_an_edit(&folder, flags)?);
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(table)
}

fn seconds(folder: &Path, program: &str) -> Result<[f64; 3], std::io::Error> {
    std::fs::write(folder.join("program.rs"), program)?;
    let mut best = [f64::INFINITY; 3];
    for (best, (_, flags)) in best.iter_mut().zip(KINDS) {
        for _ in 0..3 {
            let began = Instant::now();
            let status = rustc(folder).args(flags).status()?;
            assert!(status.success(), "cannot compile a generated program");
            *best = best.min(began.elapsed().as_secs_f64());
        }
    }
    Ok(best)
}

/// Returns the time of an incremental debug build after the exchange of one leaf, including the linker.
fn after_an_edit(folder: &Path, debug_info: &str) -> Result<f64, std::io::Error> {
    let program = program(1000, true);
    let state = folder.join("incremental");
    let mut best = f64::INFINITY;
    for number in 0..4 {
        // The first part is a leaf function of about 20 nodes.
        let (head, rest) = program.split_once("fn part1()").expect("the tree has parts");
        let (part, rest) = rest.split_once('}').expect("a part has a body");
        let part =
            (0..10).fold(part.to_owned(), |part, old| part.replace(&format!("act{old}"), &format!("act{number}")));
        std::fs::write(folder.join("program.rs"), format!("{head}fn part1(){part}}}{rest}"))?;
        let began = Instant::now();
        let incremental = format!("-Cincremental={}", state.display());
        let status = rustc(folder).args(["--emit=link", debug_info, &incremental]).status()?;
        assert!(status.success(), "cannot compile a generated program");
        if number > 0 {
            best = best.min(began.elapsed().as_secs_f64());
        }
    }
    std::fs::remove_dir_all(state)?;
    Ok(best)
}

/// Returns for the last compiled program: the peak memory of a release build in bytes, and the lengths of the expanded source and of the
/// longest symbol of a debug build. Values that cannot be measured are 0.
fn sizes(folder: &Path) -> Result<[u64; 3], std::io::Error> {
    let mut most = 0;
    let mut compiling = rustc(folder).args(["--emit=link", "-O"]).spawn()?;
    while compiling.try_wait()?.is_none() {
        // The peak only grows, so the last value read is close to the final one.
        let status = std::fs::read_to_string(format!("/proc/{}/status", compiling.id())).unwrap_or_default();
        let peak =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse().ok());
        most = most.max(peak.unwrap_or(0) * 1024);
        std::thread::sleep(Duration::from_millis(2));
    }
    // `-Zunpretty` is unstable; this variable enables it on the stable compiler.
    let expanded = rustc(folder).env("RUSTC_BOOTSTRAP", "1").arg("-Zunpretty=expanded").output()?.stdout.len();
    rustc(folder).arg("--emit=link").status()?;
    let symbols =
        Command::new("nm").arg(folder.join("program")).output().map(|output| output.stdout).unwrap_or_default();
    let symbols = String::from_utf8_lossy(&symbols);
    let longest = symbols.lines().filter_map(|line| line.rsplit(' ').next()).map(str::len).max();
    Ok([most, expanded as u64, longest.unwrap_or(0) as u64])
}

fn rustc(folder: &Path) -> Command {
    let library = folder.join("target/debug");
    let mut rustc = Command::new("rustc");
    rustc
        .args(["--edition", "2024", "-A", "warnings"])
        .current_dir(folder)
        .arg("--extern")
        .arg(format!("bt_core={}", library.join("libbt_core.rlib").display()))
        .arg("-L")
        .arg(library.join("deps"))
        .arg(folder.join("program.rs"));
    rustc
}

/// Returns a program with a tree of `nodes` nodes, in one macro or in functions of about 30 nodes each.
fn program(nodes: u32, split: bool) -> String {
    let mut source = String::from("use bt_core::prelude::*;\npub struct Npc { a: u32 }\n");
    for number in 0..10 {
        let _ = write!(
            source,
            "fn cond{number}(npc: &Npc) -> bool {{ npc.a > {number} }}\n\
             fn act{number}(npc: &mut Npc) -> Status {{ npc.a += {number}; Status::Running }}\n"
        );
    }
    let mut writer = Writer { random: Random::new(7), split, functions: source, parts: 0 };
    let root = writer.node(nodes);
    writer.function("tree", &root);
    writer.functions
        + "fn main() { let (tree, mut npc) = (tree(), Npc { a: 1 }); tree.tick(&mut npc, &mut tree.memory()); }\n"
}

struct Writer {
    random: Random,
    split: bool,
    functions: String,
    parts: u32,
}

impl Writer {
    fn function(&mut self, name: &str, tree: &str) {
        let _ = writeln!(self.functions, "fn {name}() -> impl Node<Npc> {{\n    tree! {{ for Npc: {tree} }}\n}}");
    }

    fn node(&mut self, nodes: u32) -> String {
        if nodes == 1 {
            let word = if self.random.below(2) == 0 { "cond" } else { "act" };
            return format!("{word}{}", self.random.below(10));
        }
        let children = (nodes - 1).min(2 + self.random.below(4));
        let word = ["selector", "sequence", "mem_selector", "mem_sequence"][self.random.below(4) as usize];
        let sizes = self.random.sizes(nodes - 1, children);
        let children: Vec<_> = sizes.into_iter().map(|size| self.node(size)).collect();
        let tree = format!("{word} {{ {} }}", children.join(", "));
        // Larger trees have already moved their subtrees to functions.
        if !self.split || nodes < 20 {
            return tree;
        }
        self.parts += 1;
        let name = format!("part{}", self.parts);
        self.function(&name, &tree);
        name
    }
}
