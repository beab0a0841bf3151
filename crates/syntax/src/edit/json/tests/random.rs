//! Random projects and random changes: what is written is read as the same, and says nothing else.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::super::node::{Node, Tree};
use super::super::read::Outline;
use super::super::span::Object;
use super::{change, children, new, read, said, write};
use crate::edit::Document;

/// A tree of a file: for each node, the number of its parent among those before it, its name, and what else it has.
type Spec = Vec<(usize, usize, usize)>;

/// What changes: a number of an operation, and two numbers that select nodes.
type Step = (usize, usize, usize);

const NAMES: [&str; 9] = ["Sequence", "Wait", "walk to", "near", "Inverter", "cooldown", "loop", "é", "B"];
const HEADS: [&str; 9] = [
    "Wait(milliseconds = 70)",
    "wait(time = secs(2))",
    "attack",
    "\"walk to\"(x = 1, at = var(door))",
    "selector",
    "MemSequence",
    "near(list = [1, { a: \"}\" }], who = \"\\\"\\n\")",
    "Inverter",
    "B",
];

/// How a file is written: the indentation, what is between parts, the ids, whether it has the fields of the editor, and whether it is one tree.
#[derive(Clone, Debug)]
struct Style {
    indent: usize,
    newline: &'static str,
    has_lines: usize,
    ids: usize,
    is_of_editor: bool,
    form: usize,
    has_mark: bool,
}

fn styles() -> impl Strategy<Value = Style> {
    let newlines = prop_oneof![Just("\n"), Just("\r\n")];
    (1..5_usize, newlines, 0..3_usize, 0..4_usize, any::<bool>(), 0..4_usize, any::<bool>()).prop_map(
        |(indent, newline, has_lines, ids, is_of_editor, form, has_mark)| Style {
            indent,
            newline,
            has_lines,
            ids,
            is_of_editor,
            form,
            has_mark,
        },
    )
}

impl Style {
    fn id(&self, number: usize) -> String {
        match self.ids {
            0 => number.to_string(),
            1 => format!("n{number}"),
            2 => format!("8b514f0a-913e-4eaf-817b-{number:012x}"),
            _ => format!("node \"{number}\" \u{e9}"),
        }
    }

    /// Returns parts between delimiters. Those in few levels have lines of their own.
    fn joined(&self, delimiters: [char; 2], level: usize, parts: &[String]) -> String {
        let [open, close] = delimiters;
        let lines = [0, 4, 20][self.has_lines];
        if parts.is_empty() {
            return format!("{open}{close}");
        }
        let (first, between, last) = if level < lines {
            let pad = |level: usize| format!("{}{}", self.newline, " ".repeat(self.indent * level));
            (pad(level + 1), format!(",{}", pad(level + 1)), pad(level))
        } else if self.has_lines == 0 {
            (String::new(), ",".to_owned(), String::new())
        } else {
            (" ".to_owned(), ", ".to_owned(), " ".to_owned())
        };
        format!("{open}{first}{}{last}{close}", parts.join(&between))
    }

    fn field(&self, name: &str, value: &str) -> String {
        format!("{}:{}{value}", json(name), if self.has_lines == 0 { "" } else { " " })
    }

    fn tree(&self, number: usize, spec: &Spec, level: usize) -> String {
        let mut below: Vec<Vec<String>> = vec![Vec::new(); spec.len()];
        for (at, (parent, _, more)) in spec.iter().enumerate().skip(1) {
            if more % 7 != 6 {
                below[parent % at].push(json(&self.id(at)));
            }
        }
        let entries: Vec<_> =
            spec.iter().enumerate().map(|(at, node)| self.entry(at, node, &below[at], level + 2)).collect();
        let mut fields = vec![
            self.field("id", &json(&format!("tree{number}"))),
            self.field("title", "\"A \\u0074ree\""),
            self.field("root", &json(&self.id(0))),
        ];
        if spec.is_empty() {
            fields[2] = self.field("root", "null");
        }
        fields.insert(number % 3, self.field("unknown", "1.50"));
        fields.push(self.field("nodes", &self.joined(['{', '}'], level + 1, &entries)));
        self.joined(['{', '}'], level, &fields)
    }

    fn entry(&self, at: usize, (_, name, more): &(usize, usize, usize), below: &[String], level: usize) -> String {
        let id = self.id(at);
        let mut fields = vec![self.field("name", &json(NAMES[name % NAMES.len()]))];
        let title = ["\"\"", "\"a \\\"title\\\"\"", "\"<x> \\u00e9\"", "null"][more % 4];
        if self.is_of_editor || more % 3 == 0 {
            fields.insert(0, self.field("id", &json(&id)));
            fields.push(self.field("title", title));
            fields.push(self.field("description", ["\"\"", "\"a\\nnote\""][more / 4 % 2]));
        }
        if self.is_of_editor || more % 5 == 0 {
            let properties = [
                self.field("x", "1e2"),
                self.field("{", "\"{v}\""),
                self.field("disabled", "true"),
                self.field("t", "\"2.0s\""),
            ];
            let properties: Vec<_> = properties
                .into_iter()
                .enumerate()
                .filter(|(at, _)| more >> at & 1 == 1)
                .map(|(_, field)| field)
                .collect();
            fields.push(self.field("properties", &self.joined(['{', '}'], level + 1, &properties)));
        }
        if self.is_of_editor {
            let at = [self.field("x", &(at * 10).to_string()), self.field("y", &format!("{}.50", at * 7 % 20))];
            fields.push(self.field("display", &self.joined(['{', '}'], level + 1, &at)));
        }
        match below {
            [one] if more % 2 == 0 => fields.push(self.field("child", one)),
            [] if more % 2 == 0 => {}
            below => fields.push(self.field("children", &self.joined(['[', ']'], level + 1, below))),
        }
        fields.push(self.field("more", "[ 1 , {\t\"a\" : 2.0 } ]"));
        self.field(&id, &self.joined(['{', '}'], level, &fields))
    }

    fn file(&self, specs: &[Spec]) -> String {
        let wrapped = usize::from(self.form >= 2);
        let mut text = if self.form.is_multiple_of(2) {
            let trees: Vec<_> =
                { specs.iter().enumerate() }.map(|(at, spec)| self.tree(at, spec, wrapped + 2)).collect();
            let mut fields = vec![self.field("trees", &self.joined(['[', ']'], wrapped + 1, &trees))];
            if self.is_of_editor {
                let near = self.joined(
                    ['{', '}'],
                    wrapped + 2,
                    &[self.field("name", "\"near\""), self.field("category", "\"condition\"")],
                );
                fields.push(self.field("custom_nodes", &self.joined(['[', ']'], wrapped + 1, &[near])));
            }
            self.joined(['{', '}'], wrapped, &fields)
        } else {
            self.tree(0, specs.first().unwrap_or(&Vec::new()), wrapped)
        };
        if wrapped == 1 {
            text = self.joined(['{', '}'], 0, &[self.field("path", "\"\\/x\""), self.field("data", &text)]);
        }
        format!("{}{text}{}", if self.has_mark { "\u{feff}" } else { "" }, self.newline)
    }
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Takes the node with a number in the document out of its tree.
fn take(tree: &mut Tree, id: u32) -> Option<Arc<Node>> {
    let mut found = None;
    let mut keep = |node: &Arc<Node>| {
        let is = node.id == id;
        if is {
            found = Some(node.clone());
        }
        !is
    };
    tree.loose.retain(&mut keep);
    if tree.root.as_ref().is_some_and(|root| !keep(root)) {
        tree.root = None;
    }
    change(tree, |node| node.lists.iter_mut().for_each(|list| list.children.retain(&mut keep)));
    found
}

/// Changes a document. `touched` are the numbers of the nodes whose entries change.
fn step(document: &mut Document, (operation, first, second): Step, touched: &mut HashSet<u32>) {
    let number = document.trees.len();
    if operation % 14 == 12 || number == 0 {
        document.next += 1;
        let around = super::super::super::node::Around::default();
        let name = format!("new{}", document.next);
        let title = Some(name.clone());
        document.trees.push(Tree {
            id: document.next - 1,
            name,
            title,
            root: None,
            loose: Vec::new(),
            broken: None,
            around,
        });
        return;
    }
    let tree = first % number;
    let ids: Vec<u32> = document.trees[tree].nodes().iter().map(|node| node.id).collect();
    let node = new(document, HEADS[second % HEADS.len()]);
    let Some(id) = ids.get(first / number % ids.len().max(1)).copied() else {
        document.trees[tree].root = Some(node);
        return;
    };
    let with = |document: &mut Document, touched: &mut HashSet<u32>, id: u32, of: &mut dyn FnMut(&mut Node)| {
        touched.insert(id);
        change(&mut document.trees[tree], |node| {
            if node.id == id {
                of(node);
            }
        });
    };
    let parent = |document: &Document, id: u32| {
        let nodes = document.trees[tree].nodes();
        nodes.iter().find(|node| node.children().any(|child| child.id == id)).map(|parent| parent.id)
    };
    match operation % 14 {
        0 | 1 => with(document, touched, id, &mut |of| {
            let at = second % (children(of).len() + 1);
            children(of).insert(at, node.clone());
        }),
        2 | 3 => {
            touched.extend(parent(document, id));
            take(&mut document.trees[tree], id);
        }
        4 | 5 => {
            let from = parent(document, id);
            let Some(moved) = take(&mut document.trees[tree], id) else { return };
            touched.extend(from);
            let ids: Vec<u32> = document.trees[tree].nodes().iter().map(|node| node.id).collect();
            match ids.get(second % ids.len().max(1)) {
                Some(to) => with(document, touched, *to, &mut |of| children(of).push(moved.clone())),
                None => document.trees[tree].root = Some(moved),
            }
        }
        6 => with(document, touched, id, &mut |of| of.head.clone_from(&node.head)),
        7 => {
            let (name, mut properties) = super::parse_head(HEADS[second % HEADS.len()]).unwrap_or_default();
            properties.insert("x".to_owned(), second.into());
            let head = super::super::head::Head { name, values: properties.into_iter().collect() };
            with(document, touched, id, &mut |of| of.head = head.text());
        }
        8 => with(document, touched, id, &mut |of| of.label = [None, Some("l\u{e9}\"".to_owned())][second % 2].clone()),
        9 => with(document, touched, id, &mut |of| of.above = vec!["note".to_owned(); second % 3]),
        10 => with(document, touched, id, &mut |of| of.disabled = !of.disabled),
        11 => {
            // No two trees have the same name.
            let (name, tree) = (format!("renamed {tree} {second}"), &mut document.trees[tree]);
            (tree.name, tree.title) = (name, Some("\u{7}".to_owned()));
        }
        _ => {
            // To another tree.
            let from = parent(document, id);
            let Some(moved) = take(&mut document.trees[tree], id) else { return };
            touched.extend(from);
            let to = second % number;
            document.trees[to].loose.push(moved);
        }
    }
}

/// Returns the entries of a file by the tree and their ids.
fn entries(text: &str) -> HashMap<(String, String), String> {
    let outline = Outline::of(text).expect("a file of the editor");
    let mut all = HashMap::new();
    for (number, tree) in outline.trees.iter().enumerate() {
        let tree = Object::read(text, tree.clone()).expect("a tree");
        let name = tree.text(text, "id").unwrap_or_else(|| number.to_string());
        for field in tree.object(text, "nodes").map(|nodes| nodes.fields).unwrap_or_default() {
            all.insert((name.clone(), field.name), text[field.value].to_owned());
        }
    }
    all
}

/// Returns a file without the nodes, the roots and the declarations, and for each pair of neighbors among the nodes what is between them.
fn frame(text: &str) -> (String, HashMap<[String; 3], String>) {
    let outline = Outline::of(text).expect("a file of the editor");
    let (mut masks, mut between) = (Vec::new(), HashMap::new());
    masks.extend(outline.object.field("custom_nodes").map(|field| field.value.clone()));
    for tree in &outline.trees {
        let tree = Object::read(text, tree.clone()).expect("a tree");
        masks.extend(["nodes", "root"].iter().filter_map(|name| tree.field(name)).map(|field| field.value.clone()));
        let id = tree.text(text, "id").unwrap_or_default();
        let nodes = tree.object(text, "nodes").map(|nodes| nodes.fields).unwrap_or_default();
        for pair in nodes.windows(2) {
            let key = [id.clone(), pair[0].name.clone(), pair[1].name.clone()];
            between.insert(key, text[pair[0].at.end..pair[1].at.start].to_owned());
        }
    }
    masks.sort_by_key(|mask| mask.start);
    let (mut frame, mut end) = (String::new(), 0);
    for mask in masks {
        frame += &text[end..mask.start];
        frame += "…";
        end = mask.end;
    }
    (frame + &text[end..], between)
}

/// Returns an entry without the numbers in its field `display`.
fn without_coordinates(entry: &str) -> String {
    let object = Object::read(entry, 0..entry.len()).expect("an entry");
    object
        .field("display")
        .map_or_else(String::new, |field| entry[..field.value.start].to_owned() + &entry[field.value.end..])
}

/// Returns a text without indentation.
fn flush(text: &str) -> String {
    text.lines().map(str::trim_start).collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn what_is_written_is_read_as_the_same(
        style in styles(),
        specs in vec(vec((0..99_usize, 0..99_usize, 0..99_usize), 0..9), 0..4),
        steps in vec((0..99_usize, 0..999_usize, 0..99_usize), 0..7),
    ) {
        let text = style.file(&specs);
        let mut document = read(&text);
        prop_assert_eq!(write(&document), &*text);
        prop_assert!(document.trees.iter().all(|tree| tree.broken.is_none()), "{}", text);
        let before = document.clone();
        let mut touched = HashSet::new();
        for one in &steps {
            step(&mut document, *one, &mut touched);
        }
        let written = write(&document);
        prop_assert_eq!(&write(&document), &written);
        let after = read(&written);
        prop_assert_eq!(said(&after), said(&document), "{}\n{}", text, written);
        prop_assert_eq!(write(&after), &*written);
        // What is not changed is the same text. A file that becomes a project is indented.
        let becomes_project = Outline::of(&text).is_some_and(|outline| outline.list.is_none()) && document.trees.len() > 1;
        let same = |text: &String| if becomes_project { flush(text) } else { text.clone() };
        let (old, new) = (entries(&text), entries(&written));
        for (tree, then) in document.trees.iter().zip(&before.trees) {
            let known: HashSet<u32> = then.nodes().iter().map(|node| node.id).collect();
            for node in tree.nodes().into_iter().filter(|node| known.contains(&node.id) && !touched.contains(&node.id)) {
                let Some(origin) = &node.origin else { continue };
                let was = old.get(&(then.name.clone(), origin.id.clone())).map(same);
                let is = new.get(&(tree.name.clone(), origin.id.clone())).map(same);
                // Coordinates follow the order of children.
                if style.is_of_editor {
                    let [was, is] = [&was, &is].map(|entry| entry.as_ref().map(|entry| without_coordinates(entry)));
                    prop_assert_eq!(was, is, "{}\n{}", text, written);
                } else {
                    prop_assert_eq!(was, is, "{}\n{}", text, written);
                }
            }
        }
        let is_same_list = document.trees.len() == before.trees.len();
        if is_same_list && document.trees.iter().zip(&before.trees).all(|(now, then)| now.name == then.name) {
            let ((was, between), (is, now)) = (frame(&text), frame(&written));
            prop_assert_eq!(was, is, "{}\n{}", text, written);
            for (pair, space) in between {
                prop_assert!(now.get(&pair).is_none_or(|now| *now == space), "{:?} {}\n{}", pair, text, written);
            }
        }
    }
}
