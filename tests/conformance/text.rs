//! Random trees as text: the same trees as from files of the editor.

use bt_core::Tree;
use bt_dynamic::bt_behavior3::Project;
use bt_tests::world::{act, check, told};
use proptest::prelude::*;

use crate::loaded::{Number, reachable, written};
use crate::{random, same};

proptest! {
    #![proptest_config(crate::cases(1024))]

    #[test]
    fn a_tree_from_text_is_the_tree_from_a_file(
        spec in random::spec(),
        told in random::told(),
        doings in random::doings(),
    ) {
        let spec = reachable(&spec);
        let (registry, file) = written(&spec, Vec::new(), |registry| {
            registry.add_with("told", |Number { number }| self::told(number));
            registry.add::<act>("Act").add::<check>("Check");
        });
        let project = Project::read(&file).expect("it is a file");
        let text = project.to_text(&registry.names()).unwrap_or_else(|errors| panic!("{errors:?}\n{file}"));
        let tree = registry.load_tree(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let loaded = registry.load(&file).expect("it is valid");
        prop_assert_eq!(tree.description().to_string(), loaded.description().to_string());
        prop_assert_eq!(tree.fingerprint(), loaded.fingerprint());
        // A text has attributes where a file has the property `allow`.
        let reasons = |tree: &bt_dynamic::LoadedTree<_>| -> Vec<_> {
            tree.warnings().iter().map(|warning| warning.reason.split(", or ").next().map(str::to_owned)).collect()
        };
        prop_assert_eq!(reasons(&tree), reasons(&loaded));
        // What was read is written as it was.
        let again = registry.read_tree(&text).expect("it was just loaded");
        prop_assert_eq!(again.to_text(&registry.names()).expect("it is valid"), text);
        same(&spec, &tree, &told, &doings, Clone::clone);
    }
}
