//! How the code of a tree grows with its depth: lines of machine code of nested words, before the optimizer removes anything.

use std::fmt::Write;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

/// Words with the place of the node below them, `#`.
const WORDS: [&str; 17] = [
    "sequence { sees, # }",
    "mem_selector { sees, # }",
    "if sees { # } else { wait(secs(1)) }",
    "if sees { wait(secs(1)) } else { # }",
    "mem_if sees { # } else { wait(secs(1)) }",
    "match |npc: &Npc| npc.health { 0 => #, _ => wait(secs(1)) }",
    "parallel { wait(secs(1)), # }",
    "mem_parallel { wait(secs(1)), # }",
    "kept_sequence { wait(secs(1)), # }",
    "utility_selector { |npc: &Npc| npc.health as f32 => #, |_: &Npc| 1.0 => wait(secs(1)) }",
    "machine { state calm { #, sees -> angry } state angry { wait(secs(1)), !sees -> calm } }",
    "repeat(2) { # }",
    "retry(2) { sequence { sees, # } }",
    "limit(2) { # }",
    "invert { # }",
    "timeout(secs(1)) { # }",
    "cooldown(secs(1)) { # }",
];

/// The depths that are compared.
pub const LEVELS: [u32; 2] = [4, 8];

/// Returns each word with the lines of code at each depth.
pub fn lines() -> Result<Vec<(&'static str, [usize; 2])>> {
    let package = Package::new()?;
    let [few, many] = LEVELS.map(|levels| package.lines(levels));
    let lines = few?.into_iter().zip(many?);
    Ok(WORDS.into_iter().zip(lines).map(|(word, (few, many))| (word, [few, many])).collect())
}

/// Returns the table of lines.
pub fn table() -> Result<String> {
    let mut table = String::from("| word | lines, 4 levels | 8 levels |\n|---|---|---|\n");
    for (word, [first, second]) in lines()? {
        let _ = writeln!(table, "| `{word}` | {first} | {second} |");
    }
    Ok(table)
}

/// A package in a temporary folder.
struct Package(PathBuf);

impl Package {
    fn new() -> Result<Self> {
        let folder = env::temp_dir().join(format!("bt-benches-nested-{}", process::id()));
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        fs::create_dir_all(folder.join("src"))?;
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        let library = root.join("bt-core");
        let manifest = format!(
            "[package]\nname = \"nested\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nbt-core = {{ path = {library:?} }}\n"
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        Ok(Self(folder))
    }

    /// Returns the lines of the functions that belong to each word.
    fn lines(&self, levels: u32) -> Result<Vec<usize>> {
        fs::write(self.0.join("src/main.rs"), program(levels))?;
        let output = self.0.join("nested.s");
        // The library as in a release build, in which nodes are inlined; the program without the passes that come after. The names of
        // functions contain their types.
        let status = Command::new("cargo")
            .args(["rustc", "-q", "--release", "--target-dir", "target", "--"])
            .args(["-Copt-level=0", "-Ccodegen-units=1", "-Csymbol-mangling-version=v0"])
            .arg(format!("--emit=asm={}", output.display()))
            .current_dir(&self.0)
            .status()?;
        if !status.success() {
            return Err(Error::other(format!("cannot compile {levels} levels")));
        }
        let (mut lines, mut word) = (vec![0; WORDS.len()], None);
        for line in fs::read_to_string(output)?.lines() {
            if let Some(function) = line.strip_suffix(':').filter(|label| label.starts_with("_R")) {
                word = (0..WORDS.len()).find(|word| function.contains(&module(*word)));
            } else if let Some(word) = word.filter(|_| line.starts_with('\t') && !line.starts_with("\t.")) {
                lines[word] += 1;
            }
        }
        Ok(lines)
    }
}

/// The name of the module of a word. None is part of another.
fn module(word: usize) -> String {
    format!("word_{word}_")
}

/// Returns a program with a tree of each word, over a context of its own.
fn program(levels: u32) -> String {
    let mut program = String::from("#![allow(dead_code)]\n");
    for (number, word) in WORDS.iter().enumerate() {
        let tree = (0..levels).fold("wait(secs(1))".to_owned(), |tree, _| word.replace('#', &tree));
        let _ = write!(
            program,
            "mod {} {{\n\
                 use bt_core::prelude::*;\n\
                 pub struct Npc {{ pub health: u32, pub now: Duration }}\n\
                 impl Clock for Npc {{ fn now(&self) -> Duration {{ self.now }} }}\n\
                 fn sees(npc: &Npc) -> bool {{ npc.health > 3 }}\n\
                 pub fn tick() {{\n\
                     let tree = tree! {{ for Npc: {tree} }};\n\
                     tree.tick(&mut Npc {{ health: 9, now: secs(0) }}, &mut tree.memory());\n\
                 }}\n\
             }}\n",
            module(number)
        );
    }
    let calls: String = (0..WORDS.len()).map(|word| module(word) + "::tick(); ").collect();
    program + "fn main() { " + &calls + "}\n"
}

impl Drop for Package {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
