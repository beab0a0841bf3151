//! Entities that run a tree, in bt-bevy and in what else runs trees in Bevy, side by side.
//!
//! ```sh
//! cargo build --release --workspace
//! cargo run --release --workspace --bin bevy-benches
//! ```
#![allow(clippy::cast_precision_loss, clippy::cast_possible_wrap)]

#[cfg(feature = "bevior_tree")]
mod bevior;
mod measure;
mod ours;
mod plain;
mod work;

use std::process::Command;

fn main() {
    if std::env::args().nth(1).is_some() {
        let mut cases = plain::cases();
        cases.extend(ours::cases());
        #[cfg(feature = "bevior_tree")]
        cases.extend(bevior::cases());
        return measure::run(&cases, plain::bare);
    }
    let this = std::env::current_exe().expect("the path of this program");
    let other = this.with_file_name("bevy-018");
    println!(
        "| Entities | Crate | Situation | ns per entity and frame, or per action | Instructions | Bytes per entity |\n|---|---|---|---|---|---|"
    );
    let mut lines: Vec<String> = Vec::new();
    for program in [&this, &other] {
        let output = Command::new(program).arg("measure").output();
        let output =
            output.unwrap_or_else(|error| panic!("{}: {error}; help: build with `--workspace`", program.display()));
        lines.extend(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned));
    }
    for situation in ["idle", "waiting", "changing", "falling"] {
        for line in &lines {
            if let [name, is, entities, time, instructions, bytes] = line.split(',').collect::<Vec<_>>()[..]
                && is == situation
            {
                println!("| {entities} | {name} | {situation} | {time} | {instructions} | {bytes} |");
            }
        }
    }
}
