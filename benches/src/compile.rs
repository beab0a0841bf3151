//! What a tree costs to compile: trees in one macro, over an empty program.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// How a program is compiled.
const KINDS: [(&str, &[&str]); 3] =
    [("check", &["--emit=metadata"]), ("debug", &["--emit=link"]), ("release", &["--emit=link", "-O"])];

/// Seconds over an empty program, by the number of nodes; the best of three.
pub fn table() -> Result<String, std::io::Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::temp_dir().join(format!("bt-benches-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let cargo = Command::new("cargo")
        .args(["build", "-q", "-p", "bt-core", "--target-dir"])
        .arg(folder.join("target"))
        .arg("--manifest-path")
        .arg(root.join("../Cargo.toml"))
        .status()?;
    assert!(cargo.success(), "bt-core does not build");
    let mut table = String::from("| nodes in one `tree!` | check, s | debug, s | release, s |\n|---|---|---|---|\n");
    let empty = seconds(&folder, "fn main() {}")?;
    for nodes in [10, 100, 1000] {
        let times = seconds(&folder, &program(nodes))?;
        let over: Vec<_> = times.iter().zip(empty).map(|(time, empty)| format!("{:.2}", time - empty)).collect();
        let _ = writeln!(table, "| {nodes} | {} |", over.join(" | "));
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(table)
}

fn seconds(folder: &Path, program: &str) -> Result<[f64; 3], std::io::Error> {
    let source = folder.join("program.rs");
    std::fs::write(&source, program)?;
    let library = folder.join("target/debug");
    let mut best = [f64::INFINITY; 3];
    for (best, (_, flags)) in best.iter_mut().zip(KINDS) {
        for _ in 0..3 {
            let began = Instant::now();
            let status = Command::new("rustc")
                .args(["--edition", "2024", "-A", "warnings"])
                .args(flags)
                .arg("-o")
                .arg(folder.join("program"))
                .arg("--extern")
                .arg(format!("bt_core={}", library.join("libbt_core.rlib").display()))
                .arg("-L")
                .arg(library.join("deps"))
                .arg(&source)
                .status()?;
            assert!(status.success(), "a generated program does not compile");
            *best = best.min(began.elapsed().as_secs_f64());
        }
    }
    Ok(best)
}

/// A program with a tree of so many nodes.
fn program(nodes: u32) -> String {
    let mut source = String::from("use bt_core::prelude::*;\npub struct Npc { a: u32 }\n");
    for number in 0..10 {
        let _ = write!(
            source,
            "fn cond{number}(npc: &Npc) -> bool {{ npc.a > {number} }}\n\
             fn act{number}(npc: &mut Npc) -> Status {{ npc.a += {number}; Status::Running }}\n"
        );
    }
    let mut random = 7_u64;
    let mut tree = node(nodes, &mut random);
    tree.insert_str(0, "fn tree() -> impl Node<Npc> {\n    tree! { for Npc: ");
    tree.push_str(
        " }\n}\nfn main() { let (tree, mut npc) = (tree(), Npc { a: 1 }); tree.tick(&mut npc, &mut tree.memory()); }\n",
    );
    source + &tree
}

fn node(nodes: u32, random: &mut u64) -> String {
    let mut below = |bound: u32| {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        u32::try_from((*random >> 11) % u64::from(bound)).unwrap_or(0)
    };
    if nodes == 1 {
        let word = if below(2) == 0 { "cond" } else { "act" };
        return format!("{word}{}", below(10));
    }
    let children = (nodes - 1).min(2 + below(4));
    let word = ["selector", "sequence", "mem_selector", "mem_sequence"][below(4) as usize];
    let mut sizes = vec![1; children as usize];
    for _ in 0..nodes - 1 - children {
        sizes[below(children) as usize] += 1;
    }
    let children: Vec<_> = sizes.into_iter().map(|size| node(size, random)).collect();
    format!("{word} {{ {} }}", children.join(", "))
}
