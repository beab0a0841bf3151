//! Files of the editor: for `tree_from_json!` and `tree_from_file!` those of the trees that behavior3js has run in which every leaf can give anything; as `tree!` source random ones with every word.

use std::fmt::Write;
use std::path::Path;

use bt_behavior3::{Arity, NodeNames, Project};
use bt_words::{Bound, ParamType, Word, file_forms, is_behavior3};
use serde_json::{Value, json};

use crate::{Random, naive};

/// So many of them.
const FILES: usize = 40;
/// No others: a tree in which something can never happen is a compile error.
const NAMES: [&str; 7] =
    ["told", "Sequence", "Priority", "MemSequence", "MemPriority", "Inverter", "RepeatUntilSuccess"];

/// Writes the files, and a test for each.
pub(crate) fn write(out: &Path) {
    println!("cargo::rerun-if-changed=../behavior3js/fixtures.json");
    let fixtures = std::fs::read_to_string("../behavior3js/fixtures.json").expect("the fixtures are there");
    let cases: Vec<Value> = serde_json::from_str(&fixtures).expect("they are JSON");
    let mut source = String::new();
    let usable = cases.into_iter().filter_map(|case| {
        let mut nodes = Nodes(serde_json::Map::new());
        let root = nodes.nested(&case["root"]);
        let all = nodes.0.len() > 2
            && nodes.0.values().all(|node| NAMES.contains(&node["name"].as_str().unwrap_or_default()));
        for node in nodes.0.values_mut() {
            if node["name"] == "told" {
                node["name"] = "Act".into();
            }
            if node["properties"]["maxLoop"].as_u64().is_some_and(|runs| naive::is_idle(Word::Retry, runs)) {
                node["properties"]["allow"] = "pointless".into();
            }
        }
        all.then(|| json!({ "title": "tree", "root": root, "nodes": nodes.0 }))
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
    for (index, file) in with_every_word().into_iter().enumerate() {
        let names = NodeNames::new([("Act", Arity::Zero), ("Late", Arity::Zero)]).with_values(["Score", "Pick"]);
        let text = file.to_string();
        let project = Project::read(&text).expect("it is a file");
        let checked = project.check(None, &names);
        let rust = checked.unwrap_or_else(|errors| panic!("{errors:?} in {text}")).to_rust();
        let _ = writeln!(
            source,
            "#[test]\nfn written_{index}() {{\n    both_engines({text:?}, &tree! {{ for World: {rust} }});\n}}\n"
        );
        // The names of its states are not names in Rust.
        if file["title"] == Word::Machine.name() {
            continue;
        }
        let path = out.join(format!("word_{index}.json"));
        std::fs::write(&path, &text).expect("OUT_DIR can be written");
        let path = format!("{:?}", path.display().to_string());
        let _ = writeln!(
            source,
            "#[test]\nfn built_in_{index}() {{\n    both_engines({text:?}, &tree_from_json!({path}, for World: Act => act, Late => late, Score => score, Pick => pick));\n}}\n"
        );
        if index % EACH == 0 {
            let path = out.join(format!("word_{index}.bt"));
            std::fs::write(&path, project.to_text(&names).expect("it is valid")).expect("OUT_DIR can be written");
            let path = format!("{:?}", path.display().to_string());
            let _ = writeln!(
                source,
                "#[test]\nfn text_{index}() {{\n    both_engines({text:?}, &tree_from_file!({path}, for World: Act => act, Late => late, Score => score, Pick => pick));\n}}\n"
            );
        }
    }
    std::fs::write(out.join("files.rs"), source).expect("OUT_DIR can be written");
}

/// So many of them under each word, the first also as text.
const EACH: usize = 2;

/// Random trees, in which nothing is such that it can never happen: a node of each name stands last, over leaves that can give anything.
fn with_every_word() -> Vec<Value> {
    let mut random = Random(0x5eed);
    let mut files = Vec::new();
    let names = Word::file_names().filter(|name| *name != Word::State.name());
    for name in names {
        for _ in 0..EACH {
            let mut nodes = Nodes(serde_json::Map::new());
            let mut children = vec![nodes.act(&mut random), nodes.act(&mut random)];
            children.push(nodes.word(name, &mut random));
            let root = random.pick(&super::words(Arity::Many)).name();
            let properties = Nodes::properties(root, children.len(), &mut random);
            let root = nodes.add(root, &properties, &children);
            files.push(json!({ "title": name, "root": root, "nodes": nodes.0 }));
        }
    }
    files
}

struct Nodes(serde_json::Map<String, Value>);

impl Nodes {
    fn add(&mut self, name: &str, properties: &Value, children: &[String]) -> String {
        let id = format!("n{}", self.0.len());
        self.0.insert(id.clone(), json!({ "name": name, "properties": properties, "children": children }));
        id
    }

    /// Adds a node as a list: its name, properties and children.
    fn nested(&mut self, node: &Value) -> String {
        let parts = node.as_array().expect("a node is a list");
        let children: Vec<_> = parts[2..].iter().map(|child| self.nested(child)).collect();
        self.add(parts[0].as_str().expect("a name"), &parts[1], &children)
    }

    fn act(&mut self, random: &mut Random) -> String {
        self.add("Act", &json!({ "number": random.below(100) }), &[])
    }

    /// Properties for one of the forms of a name.
    fn properties(name: &str, children: usize, random: &mut Random) -> Value {
        let form = random.pick(&file_forms(name).collect::<Vec<_>>());
        let (mut properties, number) = (serde_json::Map::new(), random.below(4));
        if let Some(unbounded) = form.unbounded.filter(|_| is_behavior3(name)) {
            properties.insert(unbounded.to_owned(), json!(-1));
        }
        for row in form.words.iter().map(|word| word.row()) {
            for (index, param) in row.params.iter().enumerate() {
                let value = match param.ty {
                    ParamType::Times | ParamType::Runs => json!(number),
                    ParamType::Time => json!(random.below(300)),
                    ParamType::Probability => json!(0.01 * random.pick(&[0.0, 30.0, 100.0])),
                    ParamType::Threshold(Bound::All) => json!(1 + random.below(2)),
                    ParamType::Threshold(Bound::One) => json!("one"),
                    ParamType::Weights if random.below(2) == 0 => continue,
                    ParamType::Weights => (0..children).map(|_| json!(random.pick(&[0.5, 1.5, 2.5]))).collect(),
                    ParamType::Leaf(_) => json!("Late"),
                    ParamType::Scores => {
                        (0..children).map(|_| json!(random.pick(&["Score", "0.75", "Pick"]))).collect()
                    }
                    ParamType::Bonus => json!(0.25),
                    ParamType::Value => json!("Pick"),
                    ParamType::Cases => (1..children).map(|case| json!(case)).collect(),
                    ParamType::Transitions | ParamType::Name => continue,
                };
                properties.insert(form.property(row, index).to_owned(), value);
            }
        }
        // Some numbers do nothing.
        if form.words.iter().any(|word| naive::is_idle(*word, number)) {
            properties.insert("allow".to_owned(), json!("pointless"));
        }
        Value::Object(properties)
    }

    fn word(&mut self, name: &str, random: &mut Random) -> String {
        if name == Word::Machine.name() {
            return self.machine(random);
        }
        let arity = file_forms(name).next().map_or(Arity::Zero, |form| form.words[0].row().arity());
        let below = match arity {
            Arity::Zero => Vec::new(),
            Arity::One => {
                let below = [self.act(random), self.act(random)];
                vec![self.add(Word::Sequence.name(), &json!({}), &below)]
            }
            Arity::Many | Arity::BodyAndCleanup => vec![self.act(random), self.act(random)],
            // Without `else` now and then. An action as condition may run, so it is under a node that makes it end.
            Arity::Branches => {
                let acts: Vec<_> = (0..2 + random.below(2)).map(|_| self.act(random)).collect();
                let condition = self.add("Late", &json!({}), &[]);
                [condition].into_iter().chain(acts.into_iter().skip(1)).collect()
            }
        };
        let properties = Self::properties(name, below.len(), random);
        self.add(name, &properties, &below)
    }

    fn machine(&mut self, random: &mut Random) -> String {
        let mut state = |name: &str, transitions: &[&str]| {
            let node = self.act(random);
            self.add(
                "state",
                &json!({ "name": name, "transitions": transitions, "enter": "Late", "exit": "Late" }),
                &[node],
            )
        };
        let states = [
            state("at rest", &["Late -> match", "failure -> failure"]),
            state("match", &["!Late -> at rest", "success -> Third"]),
            state("Third", &["success -> success", "failure -> at rest"]),
        ];
        self.add("machine", &json!({ "any": [] }), &states)
    }
}
