//! `bt check guard.b3.json`, `bt draw …`, `bt to-rust …`: for those who only have the file.

#![forbid(unsafe_code)]

use std::io::IsTerminal;
use std::process::ExitCode;

use bt_core::describe::Description;
use bt_core::dynamic::bt_behavior3::{Checked, Names, Project, Takes};

const USAGE: &str = "\
usage: bt check   FILE [options]              tell all that is wrong with it
       bt draw    FILE [options] [--dot | --mermaid | --svg]
       bt to-rust FILE [options]              as it stands in a `tree!`
options: --tree NAME      the tree of this id or title, of a project
         --leaf NAME      a leaf that the file does not declare among its custom nodes
         --decorator NAME the same of a decorator";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// What is asked for.
#[derive(Default)]
struct Asked {
    form: Option<String>,
    tree: Option<String>,
    names: Vec<(String, Takes)>,
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<String, String> {
    let (Some(command), Some(path)) = (arguments.next(), arguments.next()) else { return Err(USAGE.to_owned()) };
    let mut asked = Asked::default();
    while let Some(option) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("`{option}` needs a name\n{USAGE}"));
        match option.as_str() {
            "--dot" | "--mermaid" | "--svg" if command == "draw" => asked.form = Some(option),
            "--tree" => asked.tree = Some(value()?),
            "--leaf" => asked.names.push((value()?, Takes::Nothing)),
            "--decorator" => asked.names.push((value()?, Takes::One)),
            _ => return Err(format!("unknown option `{option}`\n{USAGE}")),
        }
    }
    let tree = || read(&path, &asked);
    match command.as_str() {
        "check" => tree().map(|tree| format!("{path}: nothing is wrong with its {} nodes\n", tree.nodes.len())),
        "to-rust" => tree().map(|tree| tree.to_rust()),
        "draw" => tree().map(|tree| drawn(&Description::of_file(&tree), asked.form.as_deref())),
        other => Err(format!("unknown command `{other}`\n{USAGE}")),
    }
}

fn read(path: &str, asked: &Asked) -> Result<Checked, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let project = Project::read(&text).map_err(|error| format!("{path}: {error}"))?;
    let mut names = asked.names.clone();
    let declared = project.trees.iter().flat_map(|tree| &tree.custom_nodes).chain(&project.custom_nodes);
    names.extend(declared.map(|node| {
        let takes = match node.more.get("category").and_then(|category| category.as_str()) {
            Some("decorator") => Takes::One,
            Some("composite") => Takes::Some,
            _ => Takes::Nothing,
        };
        (node.name.clone(), takes)
    }));
    project.check(asked.tree.as_deref(), &Names::new(names)).map_err(|faults| {
        let lines: Vec<_> = faults.iter().map(|fault| format!("{path}: {fault}")).collect();
        lines.join("\n")
    })
}

fn drawn(description: &Description, form: Option<&str>) -> String {
    let drawing = description.draw();
    match form {
        Some("--dot") => drawing.dot(),
        Some("--mermaid") => drawing.mermaid(),
        Some("--svg") => drawing.svg(),
        _ => drawing.coloured(std::io::stdout().is_terminal()).to_string(),
    }
}
