//! The nodes that an editor of XML offers.

use std::path::{Path, PathBuf};

use bt_behavior3::palette::{Entry, Kind, Param, Type};
use bt_behavior3::{Diagnostic, EditXml, NodeNames, Project};

use crate::attribute::text_value;
use crate::builtin::{Builtin, Category, Needs, Port};
use crate::document::{Document, Model};
use crate::load::read_file;
use crate::models::is_own;
use crate::program::{Program, node_names};

/// The group of the nodes of BehaviorTree.CPP.
const GROUP: &str = "BehaviorTree.CPP";
/// The group of the nodes that a file declares.
const DECLARED: &str = "this file";

/// Returns the nodes of a program, and those of BehaviorTree.CPP, by their names in XML.
pub(crate) fn of_program(palette: Vec<Entry>) -> Vec<Entry> {
    let mut all: Vec<_> = Builtin::ALL.iter().map(|builtin| of_builtin(*builtin)).collect();
    all.push(sub_tree());
    all.extend(palette.into_iter().filter(is_own).map(|entry| match entry.name.strip_prefix("btcpp::") {
        Some(name) => {
            let is_condition = entry.is_condition;
            let mut entry = Entry::new(name, entry.kind, &entry.group, &entry.doc, entry.params);
            entry.is_condition = is_condition;
            entry
        }
        None => entry,
    }));
    all
}

fn of_builtin(builtin: Builtin) -> Entry {
    let params = builtin.ports().iter().map(param).collect();
    entry(builtin.name(), builtin.category(), GROUP, builtin.doc(), params)
}

fn sub_tree() -> Entry {
    let remap = Param::new("_autoremap", Type::Boolean).with_default(false.into());
    let params = vec![Param::new("ID", Type::Text), remap];
    entry(Category::SubTree.name(), Category::SubTree, GROUP, "Ticks another tree.", params)
}

fn param(port: &Port) -> Param {
    let is_time = port.name.ends_with("msec");
    let is_count = port.name.starts_with("num_") || port.name.contains("count") || port.name.starts_with("max_");
    let param = Param::new(port.name, if is_time || is_count { Type::Integer } else { Type::Text });
    match port.needs {
        Needs::Required if is_time => Param { unit: Some("ms".to_owned()), default: Some("1000".to_owned()), ..param },
        Needs::Required => param,
        Needs::Default(default) => param.with_default(text_value(default)),
        Needs::Nothing => Param { required: false, ..param },
    }
}

fn entry(name: &str, category: Category, group: &str, doc: &str, params: Vec<Param>) -> Entry {
    let kind = match category {
        Category::Control => Kind::Composite,
        Category::Decorator => Kind::Decorator,
        Category::Action | Category::Condition | Category::SubTree => Kind::Leaf,
    };
    let mut entry = Entry::new(name, kind, group, doc, params);
    entry.is_condition = category == Category::Condition;
    entry
}

/// The nodes of a file that no program runs: those of BehaviorTree.CPP, and those that its `<TreeNodesModel>` declares. Any other name is a node too.
///
/// ```
/// use bt_behavior3::EditXml;
/// use bt_btcpp::XmlNodes;
///
/// # let path = std::env::temp_dir().join("bt_btcpp_nodes.xml");
/// # std::fs::write(&path, r#"<root BTCPP_format="4">
/// #     <TreeNodesModel><Action ID="Goto"><input_port name="place"/></Action></TreeNodesModel>
/// # </root>"#)?;
/// let nodes = XmlNodes::of(&path);
/// let palette = nodes.palette();
/// assert!(palette.iter().any(|entry| entry.insert == "Repeat(num_cycles = 1)"));
/// assert!(palette.iter().any(|entry| entry.insert == "Goto(place = \"\")"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct XmlNodes {
    /// The folder in which included files are.
    folder: PathBuf,
    models: Vec<Model>,
}

impl XmlNodes {
    /// Reads what a file declares. One that is invalid or missing declares nothing.
    pub fn of(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let models = Document::open(path).map(|document| document.models).unwrap_or_default();
        Self { folder: path.parent().unwrap_or(Path::new("")).to_owned(), models }
    }

    fn own(&self) -> impl Iterator<Item = &Model> {
        self.models.iter().filter(|model| model.category != Category::SubTree)
    }
}

impl EditXml for XmlNodes {
    fn palette(&self) -> Vec<Entry> {
        let own = self.own().map(|model| {
            let params = model.ports.iter().map(|port| {
                let param = Param::new(&port.name, Type::Text);
                match &port.default {
                    Some(default) => param.with_default(text_value(default)),
                    None => param,
                }
            });
            entry(&model.id, model.category, DECLARED, "", params.collect())
        });
        let own: Vec<_> = own.collect();
        of_program(Vec::new()).into_iter().chain(own).collect()
    }

    fn names(&self) -> NodeNames {
        let own = self.own().map(|model| (model.id.clone(), model.category.arity()));
        let known = node_names().map(|(name, arity)| (name.to_owned(), arity));
        NodeNames::new(known.chain(own)).open()
    }

    fn project(&self, text: &str) -> Result<Project, Vec<Diagnostic>> {
        let document = Document::read(text, |path| read_file(&self.folder.join(path)))?;
        document.to_project(document.main(), &Program::default())
    }
}
