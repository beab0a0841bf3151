//! Files of the editor, for `tree_from_json!`: those of the trees that behavior3js has run in which every leaf can give anything.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

/// So many of them.
const FILES: usize = 40;
/// No others: a tree in which something can never happen is a compile error.
const NAMES: [&str; 7] =
    ["told", "Sequence", "Priority", "MemSequence", "MemPriority", "Inverter", "RepeatUntilSuccess"];

/// Writes the files, and a test for each.
pub(crate) fn write(out: &Path) {
    println!("cargo::rerun-if-changed=behavior3js/fixtures.json");
    let fixtures = std::fs::read_to_string("behavior3js/fixtures.json").expect("the fixtures are there");
    let cases: Vec<Value> = serde_json::from_str(&fixtures).expect("they are JSON");
    let mut source = String::new();
    let usable = cases.into_iter().filter_map(|mut case| {
        let nodes = case["file"]["nodes"].as_object_mut()?;
        let all =
            nodes.len() > 2 && nodes.values().all(|node| NAMES.contains(&node["name"].as_str().unwrap_or_default()));
        for node in nodes.values_mut().filter(|node| node["name"] == "told") {
            node["name"] = "Act".into();
        }
        all.then(|| case["file"].take())
    });
    for (index, file) in usable.take(FILES).enumerate() {
        let path = out.join(format!("file_{index}.json"));
        std::fs::write(&path, file.to_string()).expect("OUT_DIR can be written");
        let path = format!("{:?}", path.display().to_string());
        let _ = writeln!(
            source,
            "#[test]\nfn file_{index}() {{\n    both_engines(include_str!({path}), &tree_from_json!({path}, for World: Act => act));\n}}\n"
        );
    }
    std::fs::write(out.join("files.rs"), source).expect("OUT_DIR can be written");
}
