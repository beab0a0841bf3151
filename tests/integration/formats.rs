//! Saves of loaded trees in formats of other crates.

use bt_core::Status::Running;
use bt_core::prelude::*;
use bt_dynamic::Registry;
use serde::{Deserialize, Serialize};

/// What a leaf remembers: of a type that is more than a number.
#[derive(Clone, Serialize, Deserialize)]
struct Walked {
    steps: u32,
    way: Vec<(i16, f32)>,
    by: Option<Foot>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Foot {
    Left,
    Right { lame: bool },
}

struct Walk;

#[leaf]
impl Leaf<Vec<String>> for Walk {
    type Open = Walked;

    fn open(&self, log: &mut Vec<String>) -> Walked {
        log.push("open".to_owned());
        Walked { steps: 0, way: Vec::new(), by: Some(Foot::Left) }
    }

    fn tick(&self, walked: &mut Walked, log: &mut Vec<String>) -> Status {
        walked.steps += 1;
        walked.way.push((-1, 0.1));
        log.push(format!("{} {} {:?}", walked.steps, walked.way.len(), walked.by));
        walked.by = Some(Foot::Right { lame: true });
        Running
    }
}

#[test]
fn a_saved_memory_continues_whatever_the_format() {
    let mut registry = Registry::<Vec<String>>::new();
    registry.add_with("walk", |_: bt_dynamic::NoProperties| Walk);
    registry.add_with("pair", |_: bt_dynamic::NoProperties| tree! { mem_sequence { succeed, Walk } });
    let nodes = r#"{
        "1": { "name": "parallel", "children": ["2", "3", "4"] },
        "2": { "name": "walk" },
        "3": { "name": "pair" },
        "4": { "name": "Limiter", "properties": { "maxLoop": 2 }, "child": "5" },
        "5": { "name": "walk" }
    }"#;
    let tree = registry.load(&format!(r#"{{ "root": "1", "nodes": {nodes} }}"#)).expect("nothing is wrong");
    let (mut log, mut memory) = (Vec::new(), tree.memory());
    assert_eq!(tree.tick(&mut log, &mut memory), Running);
    assert_eq!(tree.tick(&mut log, &mut memory), Running);
    let saved = tree.saved(&memory);
    let pack = rmp_serde::to_vec(&saved).expect("it can be written");
    let named = rmp_serde::to_vec_named(&saved).expect("it can be written");
    let ron = ron::to_string(&saved).expect("it can be written");
    let mut memories: [_; 3] = std::array::from_fn(|_| tree.memory());
    let [one, two, three] = &mut memories;
    tree.load(one, &mut rmp_serde::Deserializer::from_read_ref(&pack)).expect("MessagePack");
    tree.load(two, &mut rmp_serde::Deserializer::from_read_ref(&named)).expect("MessagePack with names");
    tree.load(three, &mut ron::Deserializer::from_str(&ron).expect("it is RON")).expect("RON");
    for mut memory in memories {
        log.clear();
        assert_eq!(tree.tick(&mut log, &mut memory), Running);
        assert_eq!(log, ["3 3 Some(Right { lame: true })"; 3]);
    }
}
