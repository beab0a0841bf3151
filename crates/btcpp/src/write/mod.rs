//! Trees of any notation as XML.

mod word;

use std::fmt::Write as _;

use bt_behavior3::bt_words::is_file_name;
use bt_behavior3::xml::{attribute, escape, is_name, not_in_attribute, not_in_xml, text};
use bt_behavior3::{
    ALLOW, Checked, Diagnostic, Fault, Lost, Node, NodeKind, NodeNames, Project, TreeSpec, script_with_names, variable,
};
use serde_json::Value;

use crate::attribute::{id, is_identifier};
use crate::builtin::{Builtin, CONDITION_NAMES, CONDITIONS, CONDITIONS_NODE, Category, INITIAL_NODE, Needs};
use crate::document::DESCRIPTION;
use crate::models::models;
use crate::node::of_any_node;

/// Writes the trees of a project as a file of BehaviorTree.CPP, version 4. `names` are the nodes of the user.
///
/// The words of this library become the nodes that behave in the same way, or nearly so: `Repeat` and `RetryUntilSuccessful` return `Running` between two
/// runs of a child that ends at once. Declared nodes become a `<TreeNodesModel>`.
///
/// ```
/// use bt_behavior3::{Arity, NodeNames, Project};
///
/// let file = r#"{ "title": "guard", "root": "1", "nodes": {
///     "1": { "name": "Priority", "children": ["2", "3"] },
///     "2": { "name": "GoTo", "title": "to the door", "properties": { "place": "{door}" } },
///     "3": { "name": "Wait", "properties": { "milliseconds": 500 } }
/// } }"#;
/// let names = NodeNames::new([("GoTo", Arity::Zero)]);
/// assert_eq!(bt_btcpp::to_xml(&Project::read(file)?, &names).unwrap(), r#"<?xml version="1.0"?>
/// <root BTCPP_format="4" main_tree_to_execute="guard">
///   <BehaviorTree ID="guard">
///     <ReactiveFallback>
///       <GoTo name="to the door" place="{door}"/>
///       <Sleep msec="500"/>
///     </ReactiveFallback>
///   </BehaviorTree>
/// </root>
/// "#);
/// # Ok::<(), bt_behavior3::ReadError>(())
/// ```
///
/// # Errors
///
/// Returns the errors of invalid trees, and each node that BehaviorTree.CPP has no counterpart for.
pub fn to_xml(project: &Project, names: &NodeNames) -> Result<String, Vec<Diagnostic>> {
    let (mut trees, mut errors) = (String::new(), Vec::new());
    let main = project.tree(None);
    for (spec, checked) in project.check_all(names) {
        match checked {
            Err(found) => errors.extend(found),
            Ok(checked) => {
                errors.extend(lists(spec));
                let is_main = main.is_some_and(|main| std::ptr::eq(main, spec));
                let mut writer = Writer { spec, checked: &checked, is_main, out: String::new(), errors: Vec::new() };
                writer.node(0, 2, &[]);
                errors.append(&mut writer.errors);
                let body = writer.out;
                let description = spec.more.get("description").and_then(Value::as_str).filter(|text| !text.is_empty());
                let description = description.map(|text| attribute(DESCRIPTION, text)).unwrap_or_default();
                let tree =
                    format!("  <BehaviorTree ID=\"{}\"{description}>\n{body}  </BehaviorTree>\n", escape(id(spec)));
                trees.insert_str(if is_main { 0 } else { trees.len() }, &tree);
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let main = main.map(|main| format!(" main_tree_to_execute=\"{}\"", escape(id(main)))).unwrap_or_default();
    let models = models(project);
    let text = format!("<?xml version=\"1.0\"?>\n<root BTCPP_format=\"4\"{main}>\n{trees}{models}</root>\n");
    // Those of nodes have been reported at their places.
    match not_in_xml(&text) {
        Some(reason) => Err(vec![Diagnostic::of_tree("", reason)]),
        None => Ok(text),
    }
}

/// Writes one tree.
struct Writer<'w> {
    spec: &'w TreeSpec,
    checked: &'w Checked,
    is_main: bool,
    out: String,
    errors: Vec<Diagnostic>,
}

/// The attributes of an element.
type Attributes = Vec<(String, String)>;

impl Writer<'_> {
    /// Writes a node and those below it. `scripts` are the attributes of the decorators around it.
    fn node(&mut self, index: usize, level: usize, around: &[(String, String)]) {
        let checked = self.checked;
        let node = &checked.nodes[index];
        let mut attributes = Attributes::new();
        let name = match &node.kind {
            NodeKind::Own if node.name() == CONDITIONS_NODE => return self.conditions(node, level, around),
            NodeKind::Own if node.name() == INITIAL_NODE => return self.initial(node, level, around),
            NodeKind::Own => self.own(node, &mut attributes),
            NodeKind::Tree(_) => {
                attributes.push(("ID".to_owned(), node.name().to_owned()));
                self.ports(node, |_| false, &mut attributes);
                Category::SubTree.name().to_owned()
            }
            NodeKind::Word(word, args) => match self.word(node, *word, args, &mut attributes) {
                Some(builtin) => builtin.name().to_owned(),
                None => return,
            },
        };
        if let Some(title) = &node.title {
            let at = usize::from(matches!(node.kind, NodeKind::Tree(_)));
            attributes.insert(at, ("name".to_owned(), title.clone()));
        }
        let description = node.spec.description();
        if !description.is_empty() {
            attributes.push((DESCRIPTION.to_owned(), description.into_owned()));
        }
        for (name, value) in around {
            // The values of the variables that are set for a nested tree.
            attributes.retain(|(other, _)| other != name);
            attributes.push((name.clone(), value.clone()));
        }
        let indent = "  ".repeat(level);
        let mut written = String::new();
        for (name, value) in &attributes {
            let fault = not_in_xml(value).map(|reason| Fault::of(name, format!("attribute `{name}`: {reason}")));
            self.errors.extend(fault.map(|fault| node.diagnostic(fault)));
            written += &attribute(name, value);
        }
        // The nodes of a nested tree are written with that tree.
        let children = if let NodeKind::Tree(_) = node.kind { &[][..] } else { node.children.as_slice() };
        if children.is_empty() {
            _ = writeln!(self.out, "{indent}<{name}{written}/>");
            return;
        }
        _ = writeln!(self.out, "{indent}<{name}{written}>");
        for child in children {
            self.node(*child, level + 1, &[]);
        }
        _ = writeln!(self.out, "{indent}</{name}>");
    }

    /// Writes the child of a decorator with scripts, which are its attributes.
    fn conditions(&mut self, node: &Node, level: usize, around: &[(String, String)]) {
        let mut attributes = around.to_vec();
        for (attribute, name) in CONDITIONS.iter().zip(CONDITION_NAMES) {
            let Some(script) = node.properties().get(name).and_then(Value::as_str) else { continue };
            if around.iter().any(|(other, _)| other == attribute) {
                self.errors.push(node.diagnostic(format!("a node cannot have two scripts `{attribute}`")));
            }
            attributes.push(((*attribute).to_owned(), self.script(script)));
        }
        for child in &node.children {
            self.node(*child, level, &attributes);
        }
    }

    /// Writes a nested tree whose variables are set: they are its ports.
    fn initial(&mut self, node: &Node, level: usize, around: &[(String, String)]) {
        let list = |name| node.properties().get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut attributes = around.to_vec();
        for (variable, value) in list("variables").iter().zip(list("values")) {
            let passed = |(_, given): &(&String, &Value)| *given == variable;
            for child in &node.children {
                let given = self.checked.nodes[*child].properties().iter().find(passed);
                let Some((port, _)) = given else { continue };
                self.list(node, port, value);
                attributes.push((port.clone(), text(value)));
            }
        }
        for child in &node.children {
            self.node(*child, level, &attributes);
        }
    }

    /// Adds the ports of a node of BehaviorTree.CPP or of the user. Returns the name of the element.
    fn own(&mut self, node: &Node, attributes: &mut Attributes) -> String {
        let name = node.name().strip_prefix("btcpp::").unwrap_or(node.name());
        let builtin = Builtin::named(name).filter(|_| name != node.name());
        let is_script = |port: &str| builtin.and_then(|builtin| builtin.port(port)).is_some_and(|port| port.is_script);
        self.ports(node, is_script, attributes);
        let Some(builtin) = builtin else {
            if !is_name(name) {
                self.errors.push(node.diagnostic(format!("`{name}` is not a name in XML")));
            }
            return name.to_owned();
        };
        let is_default = |port: &str, value: &str| {
            builtin.port(port).is_some_and(|known| matches!(known.needs, Needs::Default(default) if default == value))
        };
        attributes.retain(|(port, value)| !is_default(port, value));
        if let Builtin::SetBlackboard | Builtin::UnsetBlackboard = builtin {
            // There, braces mean a variable that contains the name.
            for (_, value) in attributes.iter_mut().filter(|(port, _)| port == "output_key" || port == "key") {
                if let Some(name) = variable(value) {
                    *value = name.to_owned();
                }
            }
        }
        name.to_owned()
    }

    /// Adds the properties of a node as attributes.
    fn ports(&mut self, node: &Node, is_script: impl Fn(&str) -> bool, attributes: &mut Attributes) {
        // Without the property, a node has the same value.
        for (port, value) in node.properties_in_order().into_iter().filter(|(_, value)| !value.is_null()) {
            self.list(node, port, value);
            let fault = match of_any_node(port) {
                Some(meaning) => {
                    Some(format!("parameter `{port}`: in XML, this attribute is {meaning}; help: rename it"))
                }
                None if !is_name(port) => Some(format!("parameter `{port}`: not a name in XML; help: rename it")),
                None => None,
            };
            self.errors.extend(fault.map(|reason| node.diagnostic(Fault::of(port, reason))));
            let value = text(value);
            let value = match variable(&value) {
                _ if is_script(port) => self.script(&value),
                Some(name) => format!("{{{}}}", self.name(name)),
                None => value,
            };
            attributes.push((port.clone(), value));
        }
    }

    /// Reports a list that is not read as it is written.
    fn list(&mut self, node: &Node, port: &str, value: &Value) {
        let fault = not_in_attribute(value)
            .map(|(item, reason)| Fault { item, ..Fault::of(port, format!("parameter `{port}`: {reason}")) });
        self.errors.extend(fault.map(|fault| node.diagnostic(fault)));
    }

    /// Returns the name of a variable: in XML, those of a nested tree are its own.
    fn name(&self, name: &str) -> String {
        let is_own = self.is_main || name.starts_with(['_', '@']) || self.spec.properties.contains_key(name);
        if is_own { name.to_owned() } else { format!("@{name}") }
    }

    /// Returns a script with the names of variables as in XML.
    fn script(&self, script: &str) -> String {
        script_with_names(script, |written, name| {
            let named = self.name(name);
            (named != name || written.starts_with('{') && is_identifier(name)).then_some(named)
        })
    }
}

/// Returns the errors for the properties of a tree that are lists and are not read as they are written.
fn lists(tree: &TreeSpec) -> impl Iterator<Item = Diagnostic> {
    // A property without a default is required.
    tree.properties.iter().filter(|(_, value)| !value.is_null()).filter_map(|(name, value)| {
        let (_, reason) = not_in_attribute(value)?;
        Some(Diagnostic::of_tree(id(tree), format!("parameter `{name}`: {reason}")))
    })
}

/// Returns what [`to_xml`] leaves out, each with its number: ids and positions of nodes, nodes that are not connected to the root, and other fields.
pub fn lost_in_xml(project: &Project) -> Vec<String> {
    let mut lost = project.lost_in_text();
    // XML has descriptions, and models of nodes.
    let is_kept = |lost: &str| {
        ["description", "declaration", "id of a tree", "ids of trees"].iter().any(|part| lost.contains(part))
    };
    lost.retain(|lost| !is_kept(lost));
    let nodes = || project.trees.iter().flat_map(|tree| &tree.nodes);
    let mut more = Lost::default();
    let allowed = nodes().filter(|(_, node)| node.properties.contains_key(ALLOW)).count();
    more.add("allowed lint", "allowed lints", allowed);
    project.trees.iter().for_each(|tree| more.add_disabled(tree));
    // Its name is the id in XML.
    let titles = project.trees.iter().filter(|tree| !tree.title().is_empty() && tree.title() != id(tree)).count();
    more.add("title of a tree", "titles of trees", titles);
    let own = nodes().filter(|(_, node)| !is_file_name(&node.name)).flat_map(|(_, node)| node.properties.values());
    more.add("argument `null`", "arguments `null`", own.filter(|value| value.is_null()).count());
    let defaults = project.declared().flat_map(|node| node.properties.values());
    let lists = defaults.filter(|value| value.is_array() && not_in_attribute(value).is_some()).count();
    more.add("list that is a default", "lists that are defaults", lists);
    lost.extend(more.shown());
    lost
}
