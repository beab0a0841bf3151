//! The nodes of a registry for editors: their parameters and their documentation.

use bt_behavior3::OwnNode;
use bt_behavior3::palette::{Entry, Kind, Param, Type, entries};
use bt_core::Outcomes;
use bt_core::describe::{self, Description, Info, Name, Parameter};
use bt_core::file::{Asked, Properties};
use serde_json::{Map, Value};

use crate::load::known::{About, Known};
use crate::load::stock::Stock;
use crate::nodes::shape::Described;
use crate::write::value;

/// Returns the words that the context of a registry can use, and its nodes.
pub(crate) fn palette(known: &Known, stock: &mut dyn Stock) -> Vec<Entry> {
    let has = stock.has();
    let is_usable = |word: &&bt_behavior3::Word| {
        (has.clock || !word.row().needs_clock()) && (has.random || !word.row().needs_random())
    };
    let usable: Vec<_> = bt_behavior3::Word::ALL.iter().map(|word| is_usable(&word)).collect();
    let words = entries().into_iter().zip(usable).filter(|(_, is_usable)| *is_usable).map(|(entry, _)| entry);
    words.chain(own(known, stock)).collect()
}

/// Returns the nodes of a registry.
pub(crate) fn own(known: &Known, stock: &mut dyn Stock) -> Vec<Entry> {
    let about = |maker: usize| known.about.get(maker).copied().unwrap_or_default();
    known.nodes.iter().map(|(name, maker, own)| entry(name, maker, *own, about(maker), stock)).collect()
}

/// Returns the entry of a node. It is made without a file, where a parameter without a default has some value: so it shows its defaults and its units.
fn entry(name: &str, maker: usize, own: OwnNode, about: About, stock: &mut dyn Stock) -> Entry {
    let nothing = Map::new();
    let mut properties = Properties::probe(&nothing);
    let made = stock.make(maker, &mut properties);
    let shapes = stock.shapes();
    let (kind, shown) = match own {
        OwnNode::Decorator(..) => {
            (Kind::Decorator, made.map(|policy| with_params(&|show| shapes.policy(policy).params(show))))
        }
        OwnNode::Composite(_) => {
            (Kind::Composite, made.map(|rule| with_params(&|show| shapes.rule(rule).params(show))))
        }
        OwnNode::Leaf(_) | OwnNode::Unknown(_) => {
            let describe = |leaf| Description::of(&Described(&|visitor| shapes.leaf(leaf).describe(visitor)));
            (Kind::Leaf, made.map(describe))
        }
    };
    let root = shown.as_ref().and_then(|shown| shown.nodes().first());
    let shown = |name: &str| root?.params.iter().find(|param| param.name == name);
    let params = properties.into_probed().into_iter().map(|asked| param(&asked, shown(asked.name))).collect();
    let is_condition = kind == Kind::Leaf && root.is_some_and(|root| root.kind == describe::Kind::Condition);
    let mut entry = Entry::new(name, kind, module(about.path), about.doc, params);
    entry.is_condition = is_condition;
    entry
}

/// Returns a parameter from what the node reads and what it shows.
fn param(asked: &Asked, shown: Option<&Parameter>) -> Param {
    let (ty, [min, max]) = match &*asked.choices {
        _ if asked.is_output => (Type::Variable, [None, None]),
        [] => type_of(asked.type_name),
        _ => (Type::Choice, [None, None]),
    };
    let param = Param {
        unit: shown.and_then(|shown| shown.unit.clone()),
        min,
        max,
        choices: asked.choices.clone(),
        ..Param::new(asked.name, ty)
    };
    if asked.is_required {
        return param;
    }
    match shown.map(|shown| value(shown.property.as_ref().unwrap_or(&shown.value))) {
        Some(Value::Null) => Param { required: false, property: Some(Value::Null), ..param },
        Some(default) => param.with_default(default),
        None => Param { required: false, ..param },
    }
}

/// Returns the type of a parameter by that in Rust, with its least and greatest number.
fn type_of(name: &str) -> (Type, [Option<f64>; 2]) {
    const NONE: [Option<f64>; 2] = [None, None];
    let name = name.trim_start_matches('&').trim_start_matches("'static ");
    let inner = |outer: &str| {
        let inner = name.rsplit_once(outer).map(|(_, inner)| inner)?;
        inner.trim().strip_prefix('<')?.strip_suffix('>').map(str::trim)
    };
    if let Some(inner) = inner("Option") {
        return type_of(inner);
    }
    let range = |least: f64, greatest: f64| [Some(least), Some(greatest)];
    match name.rsplit("::").next().unwrap_or(name) {
        "bool" => (Type::Boolean, NONE),
        "i8" => (Type::Integer, range(i8::MIN.into(), i8::MAX.into())),
        "i16" => (Type::Integer, range(i16::MIN.into(), i16::MAX.into())),
        "i32" => (Type::Integer, range(i32::MIN.into(), i32::MAX.into())),
        "u8" => (Type::Integer, range(0.0, u8::MAX.into())),
        "u16" => (Type::Integer, range(0.0, u16::MAX.into())),
        "u32" => (Type::Integer, range(0.0, u32::MAX.into())),
        // Greater numbers are no numbers of JSON that every program can read.
        "u64" | "u128" | "usize" => (Type::Integer, [Some(0.0), None]),
        "i64" | "i128" | "isize" => (Type::Integer, NONE),
        "f32" | "f64" => (Type::Number, NONE),
        "String" | "str" | "char" => (Type::Text, NONE),
        "Duration" => (Type::Time, [Some(0.0), None]),
        _ if name.starts_with('[') || inner("Vec").is_some() => (Type::List, NONE),
        _ => (Type::Expression, NONE),
    }
}

/// Returns the module of a type, a function or a closure.
fn module(path: &str) -> &str {
    let path = path.split('<').next().unwrap_or(path).trim_start_matches('&');
    let path = path.split("::{{closure}}").next().unwrap_or(path);
    path.rsplit_once("::").map_or(path, |(module, _)| module)
}

/// Shows the parameters of a node to a function.
type ShowTo<'s> = &'s mut dyn FnMut(&[describe::Param<'_>]);

fn with_params(params: &dyn Fn(ShowTo<'_>)) -> Description {
    Description::of(&Described(&|visitor| {
        params(&mut |params| {
            let kind = describe::Kind::Decorator;
            visitor.enter(&Info { kind, name: Name::Known(""), returns: Outcomes::ANY, params });
        });
        visitor.leave();
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_of_a_function_is_that_around_it() {
        assert_eq!(module("game::guard::attack"), "game::guard");
        assert_eq!(module("game::guard::register::{{closure}}"), "game::guard");
        assert_eq!(module("game::guard::register::{{closure}}::{{closure}}"), "game::guard");
        assert_eq!(module("game::Near<game::guard::Npc>"), "game");
        assert_eq!(module("()"), "()");
    }

    #[test]
    fn the_types_of_rust_are_those_of_fields() {
        for (name, ty) in [
            ("u8", Type::Integer),
            ("Option<f32>", Type::Number),
            ("std::time::Duration", Type::Time),
            ("&'static str", Type::Text),
            ("&String", Type::Text),
            ("Vec<u32>", Type::List),
            ("[u8; 2]", Type::List),
            ("Place", Type::Expression),
        ] {
            assert_eq!(type_of(name).0, ty, "{name}");
        }
        assert_eq!(type_of("u8").1, [Some(0.0), Some(255.0)]);
    }
}
