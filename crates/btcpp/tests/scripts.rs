//! Scripts have the values, types, variables and errors that BehaviorTree.CPP gives them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use bt_btcpp::script::{Scope, Script};
use bt_core::board::Untyped;
use bt_core::prelude::*;
use serde_json::{Map, Value, json};

/// Returns the kind of a value and the value itself, as the runner of the C++ library writes them.
fn shown(value: Option<&Untyped>) -> (&'static str, Value) {
    match value {
        None => ("none", Value::Null),
        Some(Untyped::Int(int)) => ("int", json!(int)),
        Some(Untyped::Real(real)) if real.is_nan() => ("double", json!("<nan>")),
        Some(Untyped::Real(real)) if real.is_infinite() => {
            ("double", json!(if *real > 0.0 { "<inf>" } else { "<-inf>" }))
        }
        Some(Untyped::Real(real)) => ("double", json!(real)),
        Some(Untyped::Text(text)) => ("string", json!(text)),
        Some(Untyped::Other(_)) => ("none", Value::Null),
    }
}

fn scope() -> Scope {
    let constants = [("RED", 1), ("GREEN", 2), ("BLUE", 3)].map(|(name, value)| (name.to_owned(), value));
    Scope { constants: Arc::new(BTreeMap::from(constants)), ..Scope::default() }
}

/// Returns the board of a case before its script runs.
fn board(variables: &Map<String, Value>) -> Board {
    let mut board = Board::new();
    for (name, value) in variables {
        if let Some(text) = value.as_str() {
            let key = board.key(name.as_str()).unwrap();
            board.set(&key, text.to_owned());
        } else if let Some(int) = value.as_i64() {
            let key = board.key(name.as_str()).unwrap();
            board.set(&key, int);
        } else {
            let key = board.key(name.as_str()).unwrap();
            board.set(&key, value.as_f64().unwrap());
        }
    }
    board
}

/// Returns all variables that are set.
fn variables(board: &Board) -> Value {
    let mut names = Vec::new();
    board.show(&mut |variable| names.extend(variable.value.map(|_| variable.name.to_owned())));
    let value = |name: String| {
        let value = board.untyped(&Key::named(&name));
        (name, shown(value.as_ref()).1)
    };
    Value::Object(names.into_iter().map(value).collect())
}

/// Returns `true` if the values are equal but for the last digit of a real number, which the JSON parser rounds.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) if one.is_f64() && other.is_f64() => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            (one - other).abs() <= 2.0 * f64::EPSILON * one.abs()
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len() && one.iter().all(|(name, value)| is_same(value, &other[name]))
        }
        _ => one == other,
    }
}

/// Runs a case. Returns how the result differs from that of the C++ library.
fn difference(case: &Value) -> Option<String> {
    let text = case["script"].as_str().unwrap();
    let script = match Script::parse(text) {
        Ok(script) => script,
        Err(_) if case.get("parse_error").is_some() => return None,
        Err(error) => return Some(format!("{text}: unexpected error {error}")),
    };
    if case.get("parse_error").is_some() {
        return Some(format!("{text}: parsed, expected {}", case["parse_error"]));
    }
    let mut board = board(case["vars"].as_object().unwrap());
    let result = script.run(&mut board, &scope());
    let expected = if case.get("error").is_some() {
        match result {
            Err(_) => None,
            Ok(value) => Some(format!("{text}: {:?}, expected error {}", shown(value.as_ref()), case["error"])),
        }
    } else {
        match result.map(|value| shown(value.as_ref())) {
            Ok((kind, value)) if case["type"] == kind && is_same(&value, &case["value"]) => None,
            other => Some(format!("{text}: {other:?}, expected {} {}", case["type"], case["value"])),
        }
    };
    let variables = variables(&board);
    expected.or_else(|| {
        (!is_same(&variables, &case["board"])).then(|| format!("{text}: board {variables}, expected {}", case["board"]))
    })
}

#[test]
fn every_script_has_the_result_of_the_original() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/btcpp/fixtures/scripts.jsonl");
    let cases = std::fs::read_to_string(&path).unwrap();
    let cases: Vec<Value> = cases.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(cases.len() > 300);
    let differences: Vec<String> = cases.iter().filter_map(difference).collect();
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}
