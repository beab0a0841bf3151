//! What several machines count, as one.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::names::Fields;

/// What all agents of a tree do, at one machine or at all.
#[derive(Clone, Default, Deserialize)]
pub(super) struct Overview {
    pub(super) tree: usize,
    pub(super) agents: u64,
    pub(super) ticks: u64,
    /// The numbers of each node, by their names.
    pub(super) nodes: Vec<serde_json::Map<String, Value>>,
}

/// Returns breakpoints or watches. The same one of several machines is one, with the hits of all.
pub(super) fn merged_hits<'a>(machines: impl Iterator<Item = &'a [Fields]>) -> Vec<Value> {
    let mut hits: Vec<(BTreeMap<&str, &str>, u64)> = Vec::new();
    for item in machines.flatten() {
        let number = item.get("hits").and_then(|hits| serde_json::from_str::<u64>(hits.get()).ok()).unwrap_or(0);
        let rest: BTreeMap<_, _> =
            item.iter().filter(|(name, _)| *name != "hits").map(|(name, value)| (name.as_str(), value.get())).collect();
        match hits.iter_mut().find(|(known, _)| *known == rest) {
            Some((_, all)) => *all = all.saturating_add(number),
            None => hits.push((rest, number)),
        }
    }
    let item = |(fields, hits): (BTreeMap<&str, &str>, u64)| {
        let values =
            fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), serde_json::from_str(value).ok()?)));
        let mut item: serde_json::Map<String, Value> = values.collect();
        item.insert("hits".to_owned(), hits.into());
        Value::Object(item)
    };
    hits.into_iter().map(item).collect()
}

/// Returns what all agents of a tree do at all machines, as a message; `None` if no machine has sent it.
pub(super) fn merged_overview<'a>(mut machines: impl Iterator<Item = &'a Overview>) -> Option<String> {
    let mut all = machines.next()?.clone();
    for other in machines {
        all.agents = all.agents.saturating_add(other.agents);
        all.ticks = all.ticks.saturating_add(other.ticks);
        for (node, other) in all.nodes.iter_mut().zip(&other.nodes) {
            for (name, count) in other {
                let sum = node.get(name).and_then(Value::as_u64).unwrap_or(0) + count.as_u64().unwrap_or(0);
                node.insert(name.clone(), sum.into());
            }
        }
    }
    let Overview { tree, agents, ticks, nodes } = all;
    Some(json!({ "overview": { "tree": tree, "agents": agents, "ticks": ticks, "nodes": nodes } }).to_string())
}
