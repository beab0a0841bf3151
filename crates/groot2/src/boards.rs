//! The variables of the trees, as `MessagePack`.

use std::collections::BTreeMap;

use bt_core::board::{Blackboard as _, Board, Key, Untyped};
use rmp::encode::{self, ValueWriteError};
use serde_json::Value;

use crate::hooks::Refusal;
use crate::model::Model;
use crate::row::Nested;

/// The variables of each tree, by its name: the ID of the outermost tree, or the path of a nested tree.
pub(crate) type Boards = BTreeMap<String, BTreeMap<String, Value>>;

/// The name of the variables of the outermost tree, when those of a nested tree are asked for.
const ROOT: &str = "ROOT";

/// Returns the variables of the trees of a model. Nested trees have their own, and the values that they are passed, but no variables of other trees.
pub(crate) fn of(board: &Board, model: &Model) -> Boards {
    let mut all = BTreeMap::new();
    board.show(&mut |shown| {
        if shown.of.is_none() && shown.value.is_some() {
            let value = board.untyped(&Key::named(shown.name)).map_or(Value::Null, |value| json(&value));
            all.insert(shown.name.to_owned(), value);
        }
    });
    let nested = model.rows().iter().filter_map(|row| row.tree.as_ref());
    let mut boards: Boards = nested.map(|tree| (tree.path.clone(), of_tree(tree, &all))).collect();
    // The variables of nested trees have names with a dot: `Open/.own`, and `.Open.door` for a value that is passed.
    all.retain(|name, _| !name.starts_with('.') && !name.contains("/."));
    boards.insert(model.id().to_owned(), all);
    boards
}

fn of_tree(tree: &Nested, all: &BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    let changed = tree.scope.ports().filter(|(_, variable)| variable.starts_with('.'));
    let changed = changed.filter_map(|(port, variable)| Some((port.to_owned(), all.get(variable)?.clone())));
    let fixed = tree.fixed.iter().map(|(port, value)| (port.clone(), literal(value)));
    let own = all.iter().filter_map(|(name, value)| Some((name.strip_prefix(&tree.prefix)?.to_owned(), value.clone())));
    fixed.chain(changed).chain(own).collect()
}

/// Returns a value that is passed: a number, or text.
fn literal(text: &str) -> Value {
    let int = text.parse::<i64>().ok().map(Value::from);
    int.or_else(|| text.parse::<f64>().ok().map(Value::from)).unwrap_or_else(|| Value::from(text))
}

fn json(value: &Untyped) -> Value {
    match value {
        Untyped::Int(int) => Value::from(*int),
        Untyped::Real(_) => real(value),
        Untyped::Text(text) => Value::from(text.clone()),
        // Groot2 shows what it has no form for as nothing.
        Untyped::Other(value) => Value::from(format!("{value:?}")),
    }
}

fn real(value: &Untyped) -> Value {
    value.to_real().map_or(Value::Null, Value::from)
}

/// Returns the variables of the trees that are named, separated by `;`. Unknown names are left out. Those of the outermost tree, whose name is `main`, are
/// also there as `ROOT` if another tree is named.
pub(crate) fn dump(boards: &Boards, main: &str, names: &str) -> Result<Vec<u8>, Refusal> {
    let named = names.split(';').filter_map(|name| boards.get_key_value(name));
    let mut named: BTreeMap<&str, _> = named.map(|(name, board)| (name.as_str(), board)).collect();
    if let Some(root) = boards.get(main).filter(|_| named.keys().any(|name| *name != main))
        && named.insert(ROOT, root).is_some()
    {
        return Err("the name ROOT is that of the variables of the outermost tree".to_owned());
    }
    let mut out = Vec::new();
    let write_board = |out: &mut Vec<u8>, board: &BTreeMap<String, Value>| {
        map(out, board.iter().map(|(name, value)| (name.as_str(), value)), write)
    };
    map(&mut out, named.into_iter(), write_board).map_err(|error| error.to_string())?;
    Ok(out)
}

type Written = Result<(), ValueWriteError<std::io::Error>>;

/// Writes a map; an empty one is nothing, as BehaviorTree.CPP writes it.
fn map<'a, T>(
    out: &mut Vec<u8>,
    entries: impl ExactSizeIterator<Item = (&'a str, T)>,
    mut write: impl FnMut(&mut Vec<u8>, T) -> Written,
) -> Written {
    if entries.len() == 0 {
        return encode::write_nil(out).map_err(ValueWriteError::InvalidMarkerWrite);
    }
    encode::write_map_len(out, u32::try_from(entries.len()).unwrap_or(u32::MAX))?;
    for (name, value) in entries {
        encode::write_str(out, name)?;
        write(out, value)?;
    }
    Ok(())
}

/// Writes a value in the shortest form, as BehaviorTree.CPP does.
fn write(out: &mut Vec<u8>, value: &Value) -> Written {
    match value {
        Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(number), ..) => encode::write_uint(out, number).map(drop),
            (None, Some(number), _) => encode::write_sint(out, number).map(drop),
            (None, None, number) => real_number(out, number.unwrap_or(f64::NAN)),
        },
        Value::String(text) => encode::write_str(out, text),
        _ => encode::write_nil(out).map_err(ValueWriteError::InvalidMarkerWrite),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::float_cmp, reason = "a number that has the short form exactly")]
fn real_number(out: &mut Vec<u8>, number: f64) -> Written {
    let short = number as f32;
    if f64::from(short) == number { encode::write_f32(out, short) } else { encode::write_f64(out, number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_shortest_form() {
        let board = |entries: &[(&str, Value)]| {
            entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
        };
        let boards = Boards::from([
            (
                "Main".to_owned(),
                board(&[
                    ("a", 1.into()),
                    ("b", (-300).into()),
                    ("c", 0.5.into()),
                    ("d", 0.1.into()),
                    ("e", "x".into()),
                ]),
            ),
            ("sub".to_owned(), board(&[])),
        ]);
        let mut expected = b"\x82\xa4Main\x85\xa1a\x01\xa1b\xd1\xfe\xd4\xa1c\xca\x3f\0\0\0\xa1d\xcb".to_vec();
        expected.extend(0.1_f64.to_be_bytes());
        expected.extend(b"\xa1e\xa1x\xa3sub\xc0");
        assert_eq!(dump(&boards, "", "sub;Main;unknown"), Ok(expected));
        assert_eq!(dump(&boards, "Main", "sub").unwrap()[..12], *b"\x82\xa4ROOT\x85\xa1a\x01\xa1b");
        assert_eq!(dump(&boards, "Main", ""), Ok(vec![0xc0]));
    }
}
