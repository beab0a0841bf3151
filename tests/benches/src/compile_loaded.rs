//! What a program compiles for loaded trees: lines of LLVM IR of its own crate in a debug build, as `cargo llvm-lines` counts them.

use std::fmt::Write;
use std::fs;
use std::io::{Error, Result};
use std::path::Path;
use std::process::Command;

/// Kinds of leaves. In the source of one and in what adds it, `#` is its number.
const LEAVES: [(&str, &str, &str); 3] = [
    (
        "function",
        "fn act#(npc: &mut Npc) -> Status { npc.now += 1.0; Status::Running }",
        "registry.add_leaf(\"Act#\", act#);",
    ),
    (
        "`#[action]` with a parameter",
        "#[action]\nfn act#(npc: &mut Npc, seconds: f32) -> bool { npc.now > seconds }",
        "registry.add::<act#>(\"Act#\");",
    ),
    (
        "`#[leaf]` with a state and properties of its own types",
        "#[derive(serde::Deserialize)]\n\
         struct Act# { seconds: f32 }\n\
         #[derive(Clone, serde::Serialize, serde::Deserialize)]\n\
         struct State# { began: f32 }\n\
         #[leaf]\n\
         impl Leaf<Npc> for Act# {\n\
             type Open = State#;\n\
             fn open(&self, npc: &mut Npc) -> State# { State# { began: npc.now } }\n\
             fn tick(&self, state: &mut State#, npc: &mut Npc) -> Status { (npc.now > state.began + self.seconds).into() }\n\
             fn close(&self, _: &mut State#, npc: &mut Npc, _: End) { npc.now = 0.0 }\n\
         }",
        "registry.add_with(\"Act#\", |act: Act#| act);",
    ),
];

/// How many leaves the larger program has.
const MANY: usize = 20;

/// Returns the table of lines per kind of leaf: those of a program without leaves, and of each leaf.
pub fn table() -> Result<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let package = std::env::temp_dir().join(format!("bt-benches-loaded-{}", std::process::id()));
    fs::create_dir_all(package.join("src"))?;
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock"))?;
    fs::write(package.join("Cargo.toml"), manifest(&root))?;
    let mut table =
        String::from("| leaf of a loaded tree | lines of LLVM IR without leaves | per leaf |\n|---|---|---|\n");
    for (kind, source, add) in LEAVES {
        let [one, many] = [1, MANY].map(|count| lines(&package, &program(count, source, add)));
        let (one, many) = (one?, many?);
        let each = many.saturating_sub(one) / (MANY - 1);
        let _ = writeln!(table, "| {kind} | {} | {each} |", one.saturating_sub(each));
    }
    fs::remove_dir_all(package)?;
    Ok(table)
}

fn manifest(root: &Path) -> String {
    format!(
        "[package]\nname = \"loaded\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         bt-core = {{ path = {:?} }}\nbt-dynamic = {{ path = {:?} }}\nserde = {{ version = \"1\", features = [\"derive\"] }}\n",
        root.join("bt-core"),
        root.join("bt-dynamic")
    )
}

/// Returns a program that loads a tree from a file and ticks it.
fn program(leaves: usize, source: &str, add: &str) -> String {
    let each = |text: &str| -> String { (0..leaves).map(|leaf| text.replace('#', &leaf.to_string()) + "\n").collect() };
    // An attribute begins with the character too.
    let source = each(&source.replace("#[", "\u{1}[")).replace('\u{1}', "#");
    format!(
        "use bt_core::prelude::*;\n\
         use bt_dynamic::Registry;\n\
         struct Npc {{ now: f32 }}\n\
         {source}\
         fn main() {{\n\
             let mut registry = Registry::<Npc>::new();\n\
             {}\
             let text = std::fs::read_to_string(\"tree.json\").unwrap();\n\
             let tree = registry.load(&text).unwrap();\n\
             let (mut npc, mut memory) = (Npc {{ now: 0.0 }}, tree.memory());\n\
             tree.tick(&mut npc, &mut memory);\n\
             println!(\"{{}}\", npc.now);\n\
         }}\n",
        each(add)
    )
}

/// Returns the lines of the functions in a program.
fn lines(package: &Path, program: &str) -> Result<usize> {
    fs::write(package.join("src/main.rs"), program)?;
    let output = package.join("loaded.ll");
    let status = Command::new("cargo")
        .args(["rustc", "-q", "--target-dir", "target", "--", "-Ccodegen-units=1", "-Cno-prepopulate-passes"])
        .arg(format!("--emit=llvm-ir={}", output.display()))
        .current_dir(package)
        .status()?;
    if !status.success() {
        return Err(Error::other("cannot compile a program that loads trees"));
    }
    Ok(fs::read_to_string(output)?.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")).count())
}
