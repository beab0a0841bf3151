//! The messages of the compiler without what changes with other code than that of the case.

use serde_json::Value;

/// Returns the messages without line numbers outside of the case. The compiler writes a message as JSON per line.
pub(crate) fn normal(output: &str) -> String {
    let messages = output.lines().map(|line| serde_json::from_str::<Value>(line).unwrap_or_else(|_| line.into()));
    let is_about_code = |message: &Value| !message["spans"].as_array().is_some_and(Vec::is_empty);
    let text: String = messages
        .filter(is_about_code)
        .map(|message| message["rendered"].as_str().or(message.as_str()).unwrap_or_default().to_owned())
        .collect();
    let blocks: Vec<_> = text.trim_end().split("\n\n").map(normal_block).collect();
    blocks.join("\n\n").replace("tests/errors/ui/", "ui/") + "\n"
}

/// What types are listed behind that implement a trait. There are more of them with each word.
const LISTED: &str = "             ";

/// A block has a column of line numbers, as wide as the longest of them.
fn normal_block(block: &str) -> String {
    let mut is_outside = false;
    let (mut wide, mut narrow) = (1, 1);
    let (mut listed, mut lines) = (0, Vec::new());
    for line in block.lines() {
        let text = line.trim_start();
        if let Some(path) = text.strip_prefix("--> ").or_else(|| text.strip_prefix("::: ")) {
            wide = line.len() - text.len();
            is_outside = !path.starts_with("tests/errors/ui/");
            let arrow = &line[..line.len() - path.len()];
            let file = path.split(':').next().unwrap_or(path);
            lines.push(if is_outside { format!("{arrow}$WORKSPACE/{file}") } else { line.to_owned() });
        } else if let Some((number, code)) = line.split_once(" |").filter(|(number, _)| is_number(number)) {
            let number = if is_outside { "" } else { number.trim_start() };
            narrow = narrow.max(number.len());
            lines.push(format!("{number:>wide$} |{code}"));
        } else if line.starts_with(LISTED) {
            listed += 1;
            match listed {
                ..=8 => lines.push(line.to_owned()),
                9 => lines.push(format!("{}and $N others", &line[2..line.len() - text.len()])),
                10.. => {}
            }
        } else {
            listed = 0;
            lines.push(line.to_owned());
        }
    }
    let surplus = " ".repeat(wide - narrow);
    lines.iter().map(|line| line.strip_prefix(&surplus).unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

fn is_number(text: &str) -> bool {
    text.trim_start().parse::<u32>().is_ok()
}
