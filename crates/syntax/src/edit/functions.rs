//! Finds the functions of a source that are leaves or subtrees.

use bt_behavior3::palette::{Entry, Kind, Param, Type};
use quote::ToTokens;
use syn::{Attribute, Expr, FnArg, Item, ItemFn, Lit, Meta, Pat, ReturnType};

use crate::file::on_a_thread;
use crate::lex::tokens;

/// The group of functions outside of modules.
const FILE: &str = "this file";

/// Returns the functions of a Rust source that can be used in a tree, as entries of a palette: conditions, actions and subtrees, with their documentation. A
/// function without an attribute is a leaf if its only parameter is a reference, and it returns `Status`, `bool` or nothing.
///
/// ```
/// let source = "
///     /// Whether an enemy is near.
///     #[condition]
///     fn near(guard: &Guard, meters: f32) -> bool { guard.enemy < meters }
///     fn attack(_: &mut Guard) -> Status { Status::Running }
///     fn main() {}
/// ";
/// let found = bt_syntax::edit::functions(source);
/// assert_eq!((&*found[0].name, &*found[0].insert, &*found[0].doc), ("near", "near(1.0)", "Whether an enemy is near."));
/// assert_eq!((&*found[1].name, &*found[1].insert), ("attack", "attack"));
/// assert_eq!(found.len(), 2);
/// ```
pub fn functions(source: &str) -> Vec<Entry> {
    on_a_thread(|| {
        // The parser visits delimiters recursively.
        let file = tokens(source).ok().and_then(|_| syn::parse_str::<syn::File>(source).ok());
        let mut found = Vec::new();
        items(file.map(|file| file.items).unwrap_or_default(), "", &mut found);
        found
    })
}

fn items(items: Vec<Item>, path: &str, found: &mut Vec<Entry>) {
    for item in items {
        match item {
            Item::Fn(function) => found.extend(entry(&function, path)),
            Item::Mod(module) => {
                let name = module.ident.to_string();
                let path = if path.is_empty() { name } else { format!("{path}::{name}") };
                // Tests have no leaves of the program.
                let is_test = |attribute: &Attribute| attribute.to_token_stream().to_string().contains("test");
                if !module.attrs.iter().any(is_test) {
                    self::items(module.content.map(|(_, items)| items).unwrap_or_default(), &path, found);
                }
            }
            _ => {}
        }
    }
}

/// Returns a function as an entry; `None` if the function cannot be used in a tree.
fn entry(function: &ItemFn, path: &str) -> Option<Entry> {
    let is = |name: &str| {
        function.attrs.iter().any(|attribute| attribute.path().segments.last().is_some_and(|last| last.ident == name))
    };
    let returns = match &function.sig.output {
        ReturnType::Default => String::new(),
        ReturnType::Type(_, ty) => ty.to_token_stream().to_string().replace(' ', ""),
    };
    let inputs: Vec<_> = function.sig.inputs.iter().collect();
    let is_tree = is("subtree")
        || returns.starts_with("impl") && (returns.contains("Node<") || returns.contains("StateMachine<"))
        || returns.starts_with("BoxNode<");
    let is_leaf = is("action") || is("condition");
    let is_plain = match (&inputs[..], &*returns) {
        ([FnArg::Typed(only)], "Status" | "bool" | "") => matches!(*only.ty, syn::Type::Reference(_)),
        _ => false,
    };
    let parameters = match () {
        () if is_tree => &inputs[..],
        () if is_leaf => inputs.get(1..).unwrap_or_default(),
        () if is_plain => &[],
        () => return None,
    };
    let params: Vec<_> = parameters.iter().filter_map(|input| param(input)).collect();
    let name = function.sig.ident.to_string();
    let group = if path.is_empty() { FILE } else { path };
    let values: Vec<_> = params.iter().map(Param::initial).collect();
    let call = if is_tree || !values.is_empty() { format!("{name}({})", values.join(", ")) } else { name.clone() };
    let mut entry = Entry::new(&name, Kind::Leaf, group, &documentation(&function.attrs), params);
    entry.insert = call;
    entry.is_condition = is("condition") || is_plain && returns == "bool" || is_leaf && returns == "bool";
    Some(entry)
}

fn param(input: &FnArg) -> Option<Param> {
    let FnArg::Typed(typed) = input else { return None };
    let Pat::Ident(name) = &*typed.pat else { return None };
    let written = typed.ty.to_token_stream().to_string().replace(' ', "");
    let ty = match &*written {
        "f32" | "f64" => Type::Number,
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => Type::Integer,
        "bool" => Type::Boolean,
        "Duration" | "std::time::Duration" | "core::time::Duration" => Type::Time,
        "&str" | "&'staticstr" | "String" => Type::Text,
        _ => Type::Expression,
    };
    Some(Param::new(&name.ident.to_string(), ty))
}

/// Returns the lines of documentation comments.
fn documentation(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(text) => match &text.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_leaves_and_subtrees() {
        let source = "
            mod combat {
                /// Walks.
                /// Far.
                #[bt_core::action]
                async fn goto(npc: &mut Npc, to: Place, speed: f32) -> Status { }
            }
            #[subtree]
            fn fight(radius: f32, name: &'static str) -> impl Node<Npc> { tree! { a } }
            fn sheep() -> impl StateMachine<Sheep> { tree! { machine {} } }
            fn hungry(npc: &Npc) -> bool { true }
            fn eat(npc: &mut Npc) {}
            fn new(name: String) -> Npc { }
            fn add(npc: &mut Npc, count: u32) -> bool { true }
            #[cfg(test)] mod tests { fn helper(npc: &Npc) -> bool { true } }
            impl Npc { fn method(&mut self) -> Status { } }
        ";
        let found = functions(source);
        let shown: Vec<_> =
            found.iter().map(|entry| (&*entry.insert, &*entry.group, &*entry.doc, entry.is_condition)).collect();
        let expected = [
            ("goto(0, 1.0)", "combat", "Walks.\nFar.", false),
            ("fight(1.0, \"\")", FILE, "", false),
            ("sheep()", FILE, "", false),
            ("hungry", FILE, "", true),
            ("eat", FILE, "", false),
        ];
        assert_eq!(shown, expected);
        assert!(functions("fn (").is_empty());
    }
}
