//! Operations as short texts, for scripts and language models: `wrap 5 cooldown(secs(2))`.

use bt_words::{did_you_mean, nearest};

use super::document::Document;
use super::numbers::Numbers;
use super::operation::{At, Operation};

/// The operations with an example of each.
pub const EXAMPLES: [(&str, &str); 18] = [
    ("insert", "insert after 3 wait(secs(1))"),
    ("delete", "delete 4 5"),
    ("duplicate", "duplicate 4"),
    ("move", "move 4 before 2"),
    ("wrap", "wrap 5 cooldown(secs(2))"),
    ("unwrap", "unwrap 5"),
    ("replace", "replace 5 mem_sequence"),
    ("argument", "argument 5 0 secs(3)"),
    ("annotate", "annotate 5 3"),
    ("label", "label 3 \"fight\""),
    ("note", "note 3 \"Only at night.\""),
    ("disable", "disable 4"),
    ("enable", "enable 4"),
    ("extract", "extract 4 fight"),
    ("inline", "inline 4"),
    ("create", "create fight"),
    ("rename", "rename 1 fight"),
    ("remove", "remove fight"),
];

/// The maximum number of quoted characters in a message.
const MAX_QUOTED: usize = 40;

/// Reads an operation: a word with its arguments, such as those of [`EXAMPLES`], or JSON.
///
/// A node is identified by its number, or by its label in quotes; a tree by its number or its name. A place is `before 2`, `after 2`, `in 2` (after the last child),
/// `in 2 index 0`, `in 2 list 1` (the second list, such as that of `else`) or `in tree fight` (an empty tree). JSON is an [`Operation`] that also identifies nodes
/// and trees by number.
///
/// # Errors
///
/// Returns an error with the expected and the found text, and an example.
///
/// ```
/// use bt_syntax::edit::{Document, Notation, Numbers, Operation, command};
///
/// let guard = Document::read(Notation::TEXT, "selector { attack \"hit\", patrol }").unwrap();
/// let numbers = Numbers::of(&guard);
/// let wrap = command("wrap \"hit\" cooldown(secs(2))", &guard, &numbers).unwrap();
/// assert!(matches!(&wrap, Operation::Wrap { head, .. } if head == "cooldown(secs(2))"));
/// assert_eq!(Ok(wrap), command(r#"{"op":"wrap","nodes":[2],"head":"cooldown(secs(2))"}"#, &guard, &numbers));
/// assert_eq!(
///     command("wrap cooldown(secs(2))", &guard, &numbers).unwrap_err(),
///     "expected a node, by number or by label in quotes, found `cooldown(secs(2))`; help: write `wrap 5 cooldown(secs(2))`"
/// );
/// ```
pub fn command(text: &str, document: &Document, numbers: &Numbers) -> Result<Operation, String> {
    let text = text.trim();
    if text.starts_with('{') {
        let operation = serde_json::from_str(text).map_err(|error| format!("not an operation: {error}"))?;
        return numbered(operation, document, numbers);
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let Some((_, example)) = EXAMPLES.iter().find(|(known, _)| *known == name) else { return Err(unknown(name)) };
    let mut words = Words { rest, example, document, numbers };
    let operation = words.operation(name)?;
    words.end().map(|()| operation)
}

fn unknown(name: &str) -> String {
    let found = if name.is_empty() { "nothing".to_owned() } else { quoted(name) };
    let help = match nearest(name, EXAMPLES.iter().map(|(known, _)| *known)) {
        Some(meant) => format!("help: did you mean `{meant}`?"),
        None => format!("note: the operations are {}", EXAMPLES.map(|(name, _)| name).join(", ")),
    };
    format!("expected an operation, found {found}; {help}")
}

fn quoted(text: &str) -> String {
    let shown: String = text.chars().take(MAX_QUOTED).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    format!("`{}{more}`", shown.replace(char::is_control, " "))
}

/// The rest of a command.
struct Words<'a> {
    rest: &'a str,
    example: &'static str,
    document: &'a Document,
    numbers: &'a Numbers,
}

impl<'a> Words<'a> {
    fn operation(&mut self, name: &str) -> Result<Operation, String> {
        Ok(match name {
            "insert" => {
                let at = self.place()?;
                let text = self.text("a node")?;
                self.document.check_inserted(&text, at)?;
                Operation::Insert { text, at }
            }
            "delete" => Operation::Delete { nodes: self.nodes()? },
            "duplicate" => Operation::Duplicate { nodes: self.nodes()? },
            "move" => Operation::Move { nodes: self.nodes()?, at: self.place()? },
            "wrap" => Operation::Wrap { nodes: self.nodes()?, head: self.text("a node to put around them")? },
            "unwrap" => Operation::Unwrap { node: self.node()? },
            "replace" => Operation::Replace { node: self.node()?, head: self.text("a name with its arguments")? },
            "argument" => self.argument()?,
            "annotate" => Operation::Annotate { node: self.node()?, before: self.all().to_owned() },
            "label" => Operation::Label { node: self.node()?, label: self.maybe_string()? },
            "note" => Operation::Note { node: self.node()?, text: self.maybe_string()?.unwrap_or_default() },
            "disable" => Operation::Disable { nodes: self.nodes()? },
            "enable" => Operation::Enable { nodes: self.nodes()? },
            "extract" => Operation::Extract { node: self.node()?, name: self.name()? },
            "inline" => Operation::Inline { node: self.node()? },
            "create" => {
                let name = self.name()?;
                let text = self.all();
                Operation::Create { name, text: (!text.is_empty()).then(|| text.to_owned()) }
            }
            "rename" => Operation::Rename { tree: self.tree()?, name: self.name()? },
            "remove" => Operation::Remove { tree: self.tree()? },
            other => return Err(unknown(other)),
        })
    }

    fn argument(&mut self) -> Result<Operation, String> {
        let node = self.node()?;
        let (index, name) = match self.number() {
            Some(index) => (Some(index?), None),
            None => match self.word() {
                "" => return Err(self.expected("the index of an argument, from 0, or its name")),
                name => (None, Some(name.to_owned())),
            },
        };
        let value = self.all();
        Ok(Operation::Argument { node, index, name, value: (!value.is_empty()).then(|| value.to_owned()) })
    }

    fn place(&mut self) -> Result<At, String> {
        let before = self.rest;
        match self.word() {
            "before" => self.node().map(At::Before),
            "after" => self.node().map(At::After),
            "in" if self.skip("tree") => Ok(At::Tree { tree: self.tree()? }),
            "in" => {
                let node = self.node()?;
                let list = if self.skip("list") { self.needed_number("the index of a list, from 0")? } else { 0 };
                let index =
                    if self.skip("index") { self.needed_number("an index, from 0")? } else { self.count(node, list) };
                Ok(At::In { r#in: node, list, index })
            }
            _ => {
                self.rest = before;
                Err(self.expected("a place: `before 2`, `after 2`, `in 2` or `in tree fight`"))
            }
        }
    }

    /// Returns the number of children in a list of a node.
    fn count(&self, node: u32, list: usize) -> usize {
        let node = self.document.nodes().find(|found| found.id == node);
        node.and_then(|node| node.lists.get(list)).map_or(0, |list| list.children.len())
    }

    fn nodes(&mut self) -> Result<Vec<u32>, String> {
        let mut nodes = vec![self.node()?];
        loop {
            let rest = self.rest.trim_start();
            let is_after_comma = rest.starts_with(',');
            let next = rest.trim_start_matches(',').trim_start();
            if !is_after_comma && !next.starts_with(|sign: char| sign.is_ascii_digit() || sign == '"') {
                return Ok(nodes);
            }
            self.rest = next;
            nodes.push(self.node()?);
        }
    }

    fn node(&mut self) -> Result<u32, String> {
        if let Some(number) = self.number() {
            return self.numbers.node(number?, self.document);
        }
        let Some(label) = self.string()? else {
            return Err(self.expected("a node, by number or by label in quotes"));
        };
        let nodes = || self.document.nodes();
        let named: Vec<_> = nodes().filter(|node| node.label.as_deref() == Some(&*label)).map(|node| node.id).collect();
        match named.as_slice() {
            [node] => Ok(*node),
            [] => {
                let meant = nearest(&label, nodes().filter_map(|node| node.label.as_deref()));
                let help = meant.map_or_else(String::new, |meant| format!("; help: did you mean {meant:?}?"));
                // Its tree may not be understood.
                let broken = self
                    .document
                    .broken()
                    .next()
                    .map_or_else(String::new, |error| format!("; note: a tree cannot be read: {error}"));
                Err(format!("no node has the label {label:?}{broken}{help}"))
            }
            several => {
                let numbers = several.iter().filter_map(|node| self.numbers.number(*node));
                let numbers = numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
                Err(format!("several nodes have the label {label:?}; help: write one of the numbers {numbers}"))
            }
        }
    }

    fn tree(&mut self) -> Result<u32, String> {
        if let Some(number) = self.number() {
            return self.numbers.tree(number?, self.document);
        }
        let name = self.name()?;
        let mut named =
            self.document.trees.iter().filter(|tree| tree.name == name || tree.title.as_ref() == Some(&name));
        match (named.next(), named.next()) {
            (Some(tree), None) => Ok(tree.id),
            (Some(_), Some(_)) => Err(format!("several trees are named {}; help: write a number", quoted(&name))),
            (None, _) => {
                let help = did_you_mean(&name, self.document.trees.iter().map(|tree| &*tree.name));
                Err(format!("unknown tree {}{help}", quoted(&name)))
            }
        }
    }

    /// Takes a name, with quotes or without.
    fn name(&mut self) -> Result<String, String> {
        if let Some(name) = self.string()? {
            return Ok(name);
        }
        match self.word() {
            "" => Err(self.expected("a name")),
            name => Ok(name.to_owned()),
        }
    }

    /// Takes the rest.
    fn text(&mut self, what: &str) -> Result<String, String> {
        match self.all() {
            "" => Err(self.expected(what)),
            text => Ok(text.to_owned()),
        }
    }

    fn all(&mut self) -> &'a str {
        std::mem::take(&mut self.rest).trim()
    }

    /// Takes the signs until the next blank.
    fn word(&mut self) -> &'a str {
        let rest = self.rest.trim_start();
        let (word, rest) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        self.rest = rest;
        word
    }

    /// Takes a word if it is the next one.
    fn skip(&mut self, word: &str) -> bool {
        let before = self.rest;
        let is_next = self.word() == word;
        if !is_next {
            self.rest = before;
        }
        is_next
    }

    /// Takes a number if one is next.
    fn number(&mut self) -> Option<Result<usize, String>> {
        let rest = self.rest.trim_start();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = rest.split_at(digits);
        let is_whole = rest.starts_with(|sign: char| sign.is_whitespace() || sign == ',') || rest.is_empty();
        if number.is_empty() || !is_whole {
            return None;
        }
        self.rest = rest;
        Some(number.parse().map_err(|_| format!("the number {} is too large", quoted(number))))
    }

    fn needed_number(&mut self, what: &str) -> Result<usize, String> {
        self.number().unwrap_or_else(|| Err(self.expected(what)))
    }

    /// Takes a text in quotes if one is next.
    fn string(&mut self) -> Result<Option<String>, String> {
        let rest = self.rest.trim_start();
        if !rest.starts_with('"') {
            return Ok(None);
        }
        let mut texts = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        match texts.next() {
            Some(Ok(text)) => {
                self.rest = &rest[texts.byte_offset()..];
                Ok(Some(text))
            }
            Some(Err(error)) => {
                Err(format!("{} is not a text in quotes: {error}; help: write `{}`", quoted(rest), self.example))
            }
            None => Ok(None),
        }
    }

    /// Takes a text in quotes, or nothing at the end.
    fn maybe_string(&mut self) -> Result<Option<String>, String> {
        match self.string()? {
            None if !self.rest.trim().is_empty() => Err(self.expected("a text in quotes")),
            text => Ok(text),
        }
    }

    fn end(&self) -> Result<(), String> {
        if self.rest.trim().is_empty() { Ok(()) } else { Err(self.expected("the end")) }
    }

    fn expected(&self, what: &str) -> String {
        let rest = self.rest.trim();
        let found = if rest.is_empty() { "the end".to_owned() } else { quoted(rest) };
        format!("expected {what}, found {found}; help: write `{}`", self.example)
    }
}

/// Returns an operation with ids in place of numbers.
fn numbered(mut operation: Operation, document: &Document, numbers: &Numbers) -> Result<Operation, String> {
    let number = |id: u32| usize::try_from(id).unwrap_or(usize::MAX);
    operation.try_replace_ids(|id| numbers.node(number(id), document), |id| numbers.tree(number(id), document))?;
    Ok(operation)
}
