//! The variables of a nested tree, by the names that they have in it. A loaded tree has replaced them by what was passed.

use std::collections::BTreeMap;

use bt_behavior3::{script_with_names, variable};

use bt_btcpp::attribute::is_identifier;

/// The names of the variables of a tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// Whether it is a nested tree.
    is_nested: bool,
    /// The ports of the tree, by the variables that they are.
    ports: BTreeMap<String, String>,
}

impl Scope {
    /// Returns the names in a tree that is passed these values.
    pub(crate) fn nested<'p>(passed: impl IntoIterator<Item = (&'p str, &'p str)>) -> Self {
        let ports = passed.into_iter().filter_map(|(port, value)| Some((variable(value)?.to_owned(), port.to_owned())));
        Self { is_nested: true, ports: ports.collect() }
    }

    /// Returns the variables that are passed: the name in the tree, and the name of the variable.
    pub(crate) fn ports(&self) -> impl Iterator<Item = (&str, &str)> {
        self.ports.iter().map(|(variable, port)| (port.as_str(), variable.as_str()))
    }

    /// Returns the name of a variable in the tree.
    fn name(&self, name: &str) -> String {
        if let Some(port) = self.ports.get(name) {
            return port.clone();
        }
        match name.split_once("/.") {
            Some((_, own)) => own.to_owned(),
            None if self.is_nested && !name.starts_with(['@', '_']) => format!("@{name}"),
            None => name.to_owned(),
        }
    }

    /// Returns the value of a port in the tree.
    pub(crate) fn value(&self, value: &str) -> String {
        variable(value).map_or_else(|| value.to_owned(), |name| format!("{{{}}}", self.name(name)))
    }

    /// Returns a script in the tree.
    pub(crate) fn script(&self, script: &str) -> String {
        script_with_names(script, |written, name| {
            if !written.starts_with('{') && !self.ports.contains_key(name) {
                // A variable of the outermost tree, or a constant.
                return None;
            }
            let named = self.name(name);
            Some(if is_identifier(&named) { named } else { format!("{{{named}}}") })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_have_the_names_of_their_tree() {
        let scope = Scope::nested([("target", "{x}"), ("fixed", "4")]);
        assert_eq!(scope.value("{x}"), "{target}");
        assert_eq!(scope.value("{Open:2/.own}"), "{own}");
        assert_eq!(scope.value("{y}"), "{@y}");
        assert_eq!(scope.value("7"), "7");
        assert_eq!(scope.script("{x} == 1 && {Open:2/.own} := RED; 'x'"), "target == 1 && own := RED; 'x'");
        assert_eq!(Scope::default().script("x == {y}"), "x == y");
    }
}
