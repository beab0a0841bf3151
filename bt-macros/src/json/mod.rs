//! `tree_from_json!`: parse -> check (the file, with the given names) -> expand, to the tokens of a `tree!`.

use proc_macro2::TokenStream;
use quote::quote;

use bt_syntax::errors::Errors;

mod check;
mod expand;
mod parse;

/// Expands a `tree_from_json!`. Always expands to an expression, with the errors if there are any.
pub(crate) fn tree_from_json(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let tree =
        parse::input(input, &mut errors).and_then(|input| check::file(&input, &mut errors).map(|file| (input, file)));
    let Some((input, (path, file))) = tree else {
        let errors = errors.to_tokens();
        return quote!({ #errors __bt_core::leaf::succeed() });
    };
    let nodes = expand::nodes(&file);
    let tree = crate::tree::tree(expand::tree(&input, &file));
    // The compiler reads the file too, so a change of the file triggers a rebuild.
    quote!({ const _: &[u8] = ::core::include_bytes!(#path); __bt_core::describe::FromFile::new(#tree, #nodes) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn expanded(file: &str, names: &str) -> String {
        let path = std::env::temp_dir().join(format!(
            "bt-macros-{}-{:x}.json",
            std::process::id(),
            file.len() * 31 + names.len()
        ));
        std::fs::File::create(&path)
            .and_then(|mut out| out.write_all(file.as_bytes()))
            .expect("there is a temporary folder");
        let input = format!("{:?}{names}", path.display().to_string());
        tree_from_json(input.parse().expect("it is Rust")).to_string()
    }

    const FILE: &str = r#"{ "root": "1", "nodes": {
        "1": { "name": "Priority", "children": ["2", "3"] },
        "2": { "name": "Near", "title": "very near", "properties": { "metres": 3, "who": "them", "speed": "{speed}" } },
        "3": { "name": "Wait", "properties": { "milliseconds": 500 } }
    } }"#;

    #[test]
    fn a_file_becomes_a_tree() {
        let tree = expanded(FILE, ", for Guard: Near => near");
        assert!(!tree.contains("compile_error"), "{tree}");
        assert!(
            tree.contains("include_bytes") && tree.contains("node_2_very_near_property_metres , 3i128 >"),
            "{tree}"
        );
        assert!(tree.contains("json_text") && tree.contains("json_key") && tree.contains("(\"speed\")"), "{tree}");
    }

    #[test]
    fn errors_are_reported_next_to_an_expression() {
        for (file, names, expected) in [
            (FILE, "", "unknown node `Near`"),
            (FILE, ", Naer => near", "did you mean `Naer`?"),
            (FILE, " near", "expected `,`"),
            (FILE, ", Near =>", "a path to a function"),
            ("{", ", Near => near", "not a Behavior3 tree or project"),
            (
                "{\"root\":\"1\",\"nodes\":{\"1\":{\"name\":\"Near\",\"properties\":{\"a\":{}}}}}",
                ", Near => near",
                "property `a`",
            ),
        ] {
            let tree = expanded(file, names);
            assert!(tree.contains("compile_error") && tree.contains(expected), "{names}: {tree}");
            assert!(tree.ends_with('}'), "{tree}");
        }
        let tree = tree_from_json("\"nowhere.json\"".parse().expect("it is Rust")).to_string();
        assert!(tree.contains("nowhere.json: ") && tree.contains("succeed"), "{tree}");
    }
}
