//! Files of the editor: for `tree_from_json!` those of the trees that behavior3js has run in which every leaf can give anything; as `tree!` source random ones with every word.

use std::fmt::Write;
use std::path::Path;

use bt_behavior3::{Arity, NodeNames, Project};
use serde_json::{Value, json};

use crate::Random;

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
    for (index, file) in with_every_word().into_iter().enumerate() {
        let names = NodeNames::new([("Act", Arity::Zero), ("Late", Arity::Zero)]);
        let text = file.to_string();
        let checked = Project::read(&text).expect("it is a file").check(None, &names);
        let rust = checked.unwrap_or_else(|errors| panic!("{errors:?} in {text}")).to_rust();
        let _ = writeln!(
            source,
            "#[test]\nfn written_{index}() {{\n    both_engines({text:?}, &tree! {{ for World: {rust} }});\n}}\n"
        );
    }
    std::fs::write(out.join("files.rs"), source).expect("OUT_DIR can be written");
}

/// So many of them under each word.
const EACH: u64 = 2;

/// Random trees, in which nothing is such that it can never happen: a node of the word stands last, over leaves that can give anything.
fn with_every_word() -> Vec<Value> {
    let composites = [
        "Priority",
        "Sequence",
        "MemPriority",
        "MemSequence",
        "random_selector",
        "random_sequence",
        "parallel",
        "mem_parallel",
    ];
    let mut random = Random(0x5eed);
    let mut files = Vec::new();
    for word in
        composites.into_iter().chain(DECORATORS).chain(["machine", "Succeeder", "Failer", "Runner", "Error", "Wait"])
    {
        for _ in 0..EACH {
            let mut nodes = Nodes(serde_json::Map::new());
            let root = composites[usize::try_from(random.below(8)).unwrap_or(0)];
            let mut children = vec![nodes.act(&mut random), nodes.act(&mut random)];
            children.push(nodes.word(word, &mut random));
            let root = nodes.composite(root, &children, &mut random);
            files.push(json!({ "title": word, "root": root, "nodes": nodes.0 }));
        }
    }
    files
}

const DECORATORS: [&str; 21] = [
    "Inverter",
    "force_success",
    "force_failure",
    "Repeater",
    "repeat",
    "retry",
    "RepeatUntilFailure",
    "RepeatUntilSuccess",
    "until_failure",
    "until_success",
    "wait_until",
    "Limiter",
    "limit",
    "run_once",
    "MaxTime",
    "timeout",
    "delay",
    "cooldown",
    "service",
    "invert",
    "RepeatUntilFailure",
];

struct Nodes(serde_json::Map<String, Value>);

impl Nodes {
    fn add(&mut self, name: &str, properties: &Value, children: &[String]) -> String {
        let id = format!("n{}", self.0.len());
        self.0.insert(id.clone(), json!({ "name": name, "properties": properties, "children": children }));
        id
    }

    fn act(&mut self, random: &mut Random) -> String {
        self.add("Act", &json!({ "number": random.below(100) }), &[])
    }

    fn composite(&mut self, name: &str, children: &[String], random: &mut Random) -> String {
        let properties = match name {
            "parallel" | "mem_parallel" => json!({ "success": 1 + random.below(2), "failure": "one" }),
            "random_selector" | "random_sequence" if random.below(2) == 0 => {
                json!({ "weights": children.iter().map(|_| [0.5, 1.5, 2.5][usize::try_from(random.below(3)).unwrap_or(0)]).collect::<Vec<_>>() })
            }
            _ => json!({}),
        };
        self.add(name, &properties, children)
    }

    fn word(&mut self, name: &str, random: &mut Random) -> String {
        let time = json!({ "time": random.below(300) });
        let properties = match name {
            "Succeeder" | "Failer" | "Runner" | "Error" => return self.add(name, &json!({}), &[]),
            "Wait" => return self.add(name, &json!({ "milliseconds": random.below(300) }), &[]),
            "machine" => return self.machine(random),
            "Repeater" | "RepeatUntilFailure" | "RepeatUntilSuccess" => {
                json!({ "maxLoop": i64::try_from(random.below(4)).unwrap_or(0) - 1 })
            }
            "Limiter" => json!({ "maxLoop": 1 + random.below(3) }),
            "repeat" | "retry" => json!({ "times": random.below(4) }),
            "limit" => json!({ "runs": 1 + random.below(3) }),
            "MaxTime" => json!({ "maxTime": random.below(300) }),
            "timeout" | "delay" | "cooldown" => time,
            "service" => json!({ "every": random.below(300), "action": "Late" }),
            _ => json!({}),
        };
        let below = [self.act(random), self.act(random)];
        if DECORATORS.contains(&name) {
            let child = self.composite("Sequence", &below, random);
            return self.add(name, &properties, &[child]);
        }
        self.composite(name, &below, random)
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
