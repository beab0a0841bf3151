//! `tree_from_json!` and `tree_from_file!`: parse -> read (the file, in its notation) -> check (with the given names) -> expand, to the tokens of a `tree!`.

use proc_macro2::TokenStream;
use quote::quote;

use bt_syntax::errors::Errors;

mod check;
mod expand;
mod parse;
pub(crate) mod read;

/// Expands the tree in a file. Always expands to an expression, with the errors if there are any.
pub(crate) fn expand(input: TokenStream, read: read::Notation) -> TokenStream {
    let mut errors = Errors::default();
    let tree = parse::input(input, &mut errors).and_then(|input| {
        let (path, project) = read::file(&input, read, &mut errors)?;
        let file = check::tree(&input, &project, &mut errors)?;
        Some((input, path, file))
    });
    let Some((input, path, file)) = tree else {
        let errors = errors.to_tokens();
        return quote!({ #errors __bt_core::leaf::succeed() });
    };
    let nodes = expand::nodes(&file);
    let tree = crate::tree::of_file(expand::tree(&input, &file));
    // The compiler reads the file too, so a change of the file triggers a rebuild.
    quote!({ const _: &[u8] = ::core::include_bytes!(#path); __bt_core::describe::FromFile::new(#tree, #nodes) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn expanded(file: &str, names: &str) -> String {
        expanded_by(read::json, file, names)
    }

    fn expanded_by(read: read::Notation, file: &str, names: &str) -> String {
        let path = std::env::temp_dir().join(format!(
            "bt-macros-{}-{:x}.json",
            std::process::id(),
            file.len() * 31 + names.len()
        ));
        std::fs::File::create(&path)
            .and_then(|mut out| out.write_all(file.as_bytes()))
            .expect("there is a temporary folder");
        let input = format!("{:?}{names}", path.display().to_string());
        expand(input.parse().expect("it is Rust"), read).to_string()
    }

    const FILE: &str = r#"{ "root": "1", "nodes": {
        "1": { "name": "Priority", "children": ["2", "3"] },
        "2": { "name": "Near", "title": "very near", "properties": { "meters": 3, "who": "them", "speed": "{speed}" } },
        "3": { "name": "Wait", "properties": { "milliseconds": 500 } }
    } }"#;

    #[test]
    fn a_file_becomes_a_tree() {
        let tree = expanded(FILE, ", for Guard: Near => near");
        assert!(!tree.contains("compile_error"), "{tree}");
        assert!(
            tree.contains("include_bytes") && tree.contains("node_2_very_near_property_meters , 3i128 >"),
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
            (FILE, ", Near(meters) => near", "the file already names the properties"),
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
        let tree = expand("\"nowhere.json\"".parse().expect("it is Rust"), read::json).to_string();
        assert!(tree.contains("nowhere.json: ") && tree.contains("succeed"), "{tree}");
    }

    #[cfg(feature = "text")]
    #[test]
    fn a_text_becomes_a_tree() {
        let text = "selector {\n    game::near(3, who = \"them\"),\n    wait(secs(1))\n}";
        let tree = expanded_by(read::text, text, ", for Guard: game::near(meters) => near");
        assert!(!tree.contains("compile_error"), "{tree}");
        assert!(tree.contains("line_2_column_16_game__near_property_meters , 3i128 >"), "{tree}");
        assert!(tree.contains("near { meters"), "{tree}");
        for (text, names, expected) in [
            ("selector {\n  naer(1) }", ", near(meters)", ":2:3: unknown node `naer`; help: did you mean `near`?"),
            (
                "selector {\n  near(1) }",
                ", near",
                ":2:8: an argument of `near` needs a name; help: write `name = value`, or",
            ),
            ("near(1, 2)", ", near(meters)", ":1:9: too many arguments for `near`: it takes 1"),
            ("selector { near", ", near", ":1:10: `{` is not closed; help: add `}`"),
            ("near(a = { x: 1 })", ", near", ":1:6: property `a`: expected a value with a Rust literal"),
            ("wait(patience)", "", ":1:6: unknown value `patience`"),
        ] {
            let tree = expanded_by(read::text, text, names);
            assert!(tree.contains("compile_error") && tree.contains(expected), "{text}: {tree}");
        }
    }

    #[cfg(feature = "text")]
    #[test]
    fn an_editor_gets_no_states_of_a_file() {
        let text = "machine { state idle { near, near -> eating } state eating { near } }";
        let tree = crate::editor::tests::in_editor(|| expanded_by(read::text, text, ", for Guard: near"));
        assert!(tree.contains("\"eating\"") && !tree.contains("enum State"), "{tree}");
    }
}
