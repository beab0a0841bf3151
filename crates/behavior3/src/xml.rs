//! The elements of an XML text, each with its place.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use bt_words::TOO_DEEP;
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use serde_json::Value;

use crate::{Diagnostic, Place, variable};

/// The maximum depth of elements, that of BehaviorTree.CPP: a tree of [`MAX_LEVELS`](crate::MAX_LEVELS) levels is in two more.
const MAX_DEPTH: usize = 256;
const _: () = assert!(crate::MAX_LEVELS + 2 <= MAX_DEPTH);

/// The maximum number of attributes of an element.
const MAX_ATTRIBUTES: usize = 1000;

/// An element with its attributes and the elements in it. Text between elements is ignored.
#[derive(Clone, Debug)]
pub struct Element {
    pub name: String,
    /// The place of the name.
    pub place: Place,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Element>,
    /// The number of comments in it.
    pub comments: usize,
    /// All of it in the text, with its tags.
    pub at: Range<usize>,
    /// What is between its tags; `None` for an element with one tag: `<Name/>`.
    pub inside: Option<Range<usize>>,
}

/// An attribute, without escapes.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: String,
    pub value: String,
    /// The place of the name.
    pub place: Place,
    /// The place of the value, after the quote.
    pub value_place: Place,
    /// The name in the text, and the value between its quotes.
    pub name_at: Range<usize>,
    pub value_at: Range<usize>,
}

impl Element {
    /// Returns the attribute with this name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Returns the value of the attribute with this name.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }

    /// Returns the error for an element without this attribute.
    pub fn required(&self, name: &str) -> Result<&Attribute, Diagnostic> {
        self.attribute(name).ok_or_else(|| self.error(format!("missing attribute `{name}` of <{}>", self.name)))
    }

    /// Returns an error about the element.
    pub fn error(&self, reason: impl Into<String>) -> Diagnostic {
        Diagnostic::at(self.place, reason.into())
    }
}

/// A text with the starts of its lines.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { text, starts: std::iter::once(mark(text)).chain(breaks.map(|(at, _)| at + 1)).collect() }
    }

    /// Returns the place of a byte.
    fn place(&self, at: usize) -> Place {
        let line = self.starts.partition_point(|start| *start <= at);
        let before = self.text.get(self.starts[line - 1]..at).unwrap_or_default();
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Place { line: number(line), column: number(before.chars().count() + 1) }
    }

    /// Returns where a part of the text is in it.
    fn range(&self, part: &str) -> Range<usize> {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        start..start + part.len()
    }
}

/// Returns the length of a byte order mark.
fn mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// Reads the outermost element of a text, which may begin with a byte order mark.
pub fn read(text: &str) -> Result<Element, Vec<Diagnostic>> {
    let lines = Lines::new(text);
    let mark = mark(text);
    let mut reader = Reader::from_str(&text[mark..]);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    let (mut open, mut root): (Vec<Element>, Option<Element>) = (Vec::new(), None);
    let fail = |place, reason: String| Err(vec![Diagnostic::at(place, reason)]);
    let position = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).saturating_add(mark).min(text.len());
    loop {
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                return fail(lines.place(position(reader.error_position())), format!("not well-formed XML: {error}"));
            }
        };
        match event {
            Event::Start(start) => {
                let end = position(reader.buffer_position());
                let element = element(&start, end, &lines)?;
                if open.is_empty() && root.is_some() {
                    return Err(vec![element.error("expected the end of the file, found another element")]);
                }
                if open.len() >= MAX_DEPTH {
                    return Err(vec![element.error(TOO_DEEP)]);
                }
                open.push(element);
            }
            Event::End(tag) => {
                let Some(mut done) = open.pop() else { continue };
                done.at.end = position(reader.buffer_position());
                if let Some(inside) = &mut done.inside {
                    inside.end = lines.range(&tag).start - "</".len();
                }
                match open.last_mut() {
                    Some(parent) => {
                        parent.comments += done.comments;
                        parent.children.push(done);
                    }
                    None => root = Some(done),
                }
            }
            Event::Comment(_) => open.iter_mut().last().into_iter().for_each(|element| element.comments += 1),
            Event::Eof => break,
            Event::Empty(_)
            | Event::Text(_)
            | Event::CData(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_)
            | Event::GeneralRef(_) => {}
        }
    }
    if let Some(unclosed) = open.last() {
        return Err(vec![unclosed.error(format!("<{}> is not closed; help: write </{0}>", unclosed.name))]);
    }
    root.ok_or_else(|| vec![Diagnostic::at(lines.place(0), "expected <root>, found no element".to_owned())])
}

/// Returns an element without those in it. Its first tag ends at `end`.
fn element(start: &BytesStart<'_>, end: usize, lines: &Lines<'_>) -> Result<Element, Vec<Diagnostic>> {
    let begin = lines.range(start).start;
    let place = lines.place(begin);
    let (mut attributes, mut errors) = (Vec::<Attribute>::new(), Vec::new());
    for attribute in start.attributes().with_checks(false) {
        let attribute = match attribute {
            Ok(attribute) => attribute,
            Err(error) => {
                errors.push(Diagnostic::at(place, format!("invalid attribute: {error}")));
                break;
            }
        };
        let name = attribute.key.as_ref();
        let name_at = lines.range(name);
        let place = lines.place(name_at.start);
        if attributes.len() >= MAX_ATTRIBUTES {
            errors.push(Diagnostic::at(place, format!("too many attributes: the limit is {MAX_ATTRIBUTES}")));
            break;
        }
        if attributes.iter().any(|other| other.name == name) {
            errors.push(Diagnostic::at(place, format!("duplicate attribute `{name}`")));
        }
        let value_at = lines.range(&attribute.value);
        let value_place = lines.place(value_at.start);
        let escaped = quick_xml::events::attributes::Attribute { value: escaped(&attribute.value), ..attribute };
        match escaped.normalized_value(XmlVersion::Implicit1_0) {
            Ok(value) => {
                let (name, value) = (name.to_owned(), value.into_owned());
                attributes.push(Attribute { name, value, place, value_place, name_at, value_at });
            }
            Err(error) => errors.push(Diagnostic::at(place, format!("attribute `{name}`: {error}"))),
        }
    }
    let name = start.name().as_ref().to_owned();
    if errors.is_empty() {
        let is_whole = lines.text[..end].ends_with("/>");
        Ok(Element {
            name,
            place,
            attributes,
            children: Vec::new(),
            comments: 0,
            at: begin - 1..end,
            inside: (!is_whole).then_some(end..end),
        })
    } else {
        Err(errors)
    }
}

/// Escapes each `&` that starts no reference, which BehaviorTree.CPP accepts: `a && b`.
fn escaped(value: &str) -> Cow<'_, str> {
    let is_reference = |after: &str| {
        let name = after.split_once(';').map_or("", |(name, _)| name);
        !name.is_empty() && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '#')
    };
    let mut parts = value.split('&');
    let first = parts.next().unwrap_or_default();
    let mut out = String::new();
    for part in parts {
        out += if is_reference(part) { "&" } else { "&amp;" };
        out += part;
    }
    if out.is_empty() { value.into() } else { format!("{first}{out}").into() }
}

/// Returns the value of an attribute with escapes. A line break would be read as a space.
pub fn escape(value: &str) -> String {
    let mut out = String::new();
    for sign in value.chars() {
        match sign {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\r' | '\t' => _ = write!(out, "&#{};", u32::from(sign)),
            sign => out.push(sign),
        }
    }
    out
}

/// Returns why XML cannot contain a text, if it cannot: there is no escape for most control characters.
pub fn not_in_xml(text: &str) -> Option<String> {
    let is_allowed = |sign| matches!(sign, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..);
    let sign = text.chars().find(|sign| !is_allowed(*sign))?;
    Some(format!("XML cannot contain the character U+{:04X}", u32::from(sign)))
}

/// Returns why a value is not the same when it is read from an attribute, in which a list is `a;b`, and the index of the item
/// that is the reason.
pub fn not_in_attribute(value: &Value) -> Option<(Option<usize>, String)> {
    if value.is_null() {
        return Some((None, "an attribute in XML cannot be `null`; help: leave it out".to_owned()));
    }
    let Value::Array(items) = value else { return None };
    if items.is_empty() {
        return Some((None, "an attribute in XML has no empty list".to_owned()));
    }
    let is_item = |item: &Value| match item {
        Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => {
            !text.is_empty() && text.trim() == text && !text.contains(';') && variable(text).is_none()
        }
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    };
    let index = items.iter().position(|item| !is_item(item))?;
    let reason = format!("a list in XML is written as `a;b`, in which `{}` cannot be an item", items[index]);
    Some((Some(index), reason))
}

/// Returns an attribute as it is written in a tag, with the space before it.
pub fn attribute(name: &str, value: &str) -> String {
    format!(" {name}=\"{}\"", escape(value))
}

/// Returns a value as that of an attribute.
pub fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(";"),
        Value::Object(_) => format!("json:{value}"),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// Returns `true` for a name that an element can have.
pub fn is_name(name: &str) -> bool {
    let is_first = |sign: char| sign.is_alphabetic() || sign == '_';
    name.starts_with(is_first) && name.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '.'))
}

/// Returns a name for a tree that has none.
pub fn unnamed(is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (1..).map(|number| format!("BehaviorTree_{number}"));
    let mut names = std::iter::once("BehaviorTree".to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_and_attributes_have_places() {
        let root =
            read("<?xml version=\"1.0\"?>\n<root é=\"1\">\n  <!-- a -->\n  <A x='&lt;1'\n     y=\"\"/>\n</root>")
                .unwrap();
        let a = &root.children[0];
        assert_eq!(
            (root.name.as_str(), root.place.to_string(), a.place.to_string()),
            ("root", "2:2".to_owned(), "4:4".to_owned())
        );
        let places: Vec<_> = a
            .attributes
            .iter()
            .map(|one| format!("{} {} {} {}", one.name, one.value, one.place, one.value_place))
            .collect();
        assert_eq!(places, ["x <1 4:6 4:9", "y  5:6 5:9"]);
        assert_eq!(root.attributes[0].value_place.to_string(), "2:10");
    }

    #[test]
    fn elements_and_attributes_are_ranges_of_the_text() {
        let text = "\u{feff}<?xml version=\"1.0\"?> <root ><A x = 'é&lt;'\n/> <!-- b --><B></B > </root>";
        let root = read(text).unwrap();
        let [a, b] = &root.children[..] else { panic!("two elements") };
        assert_eq!(&text[root.at.clone()], &text[25..]);
        assert_eq!(root.place.to_string(), "1:24");
        assert_eq!(&text[root.inside.clone().unwrap()], "<A x = 'é&lt;'\n/> <!-- b --><B></B > ");
        assert_eq!((&text[a.at.clone()], a.inside.clone()), ("<A x = 'é&lt;'\n/>", None));
        assert_eq!((&text[b.at.clone()], &text[b.inside.clone().unwrap()]), ("<B></B >", ""));
        let x = &a.attributes[0];
        assert_eq!((&text[x.name_at.clone()], &text[x.value_at.clone()]), ("x", "é&lt;"));
    }

    #[test]
    fn an_ampersand_needs_no_escape() {
        let root = read("<root a='x && y &amp;&amp; z &#38; &' b='&lt;'/>").unwrap();
        assert_eq!((root.value("a"), root.value("b")), (Some("x && y && z & &"), Some("<")));
    }

    #[test]
    fn most_control_characters_cannot_be_in_xml() {
        for sign in ['\0', '\u{7}', '\u{b}', '\u{1f}', '\u{fffe}', '\u{ffff}'] {
            let reason = format!("XML cannot contain the character U+{:04X}", u32::from(sign));
            assert_eq!(not_in_xml(&format!("é{sign}")), Some(reason));
        }
        assert_eq!(not_in_xml("\t\n\r \u{85}\u{d7ff}\u{e000}\u{fffd}\u{10000}\u{10ffff}"), None);
    }

    #[test]
    fn lists_of_simple_items_are_attributes() {
        for list in ["[1, 2.5]", "[true]", r#"["a b", "c", 3]"#, "{}", r#""p;q""#] {
            assert_eq!(not_in_attribute(&serde_json::from_str(list).unwrap()), None, "{list}");
        }
        for (list, item) in [
            ("null", None),
            ("[]", None),
            (r#"["p;q", "r"]"#, Some(0)),
            ("[1, [2]]", Some(1)),
            ("[null]", Some(0)),
            (r#"["a", ""]"#, Some(1)),
            (r#"["a", " b"]"#, Some(1)),
            (r#"["{a}"]"#, Some(0)),
            (r#"[{"k": 1}]"#, Some(0)),
        ] {
            let found = not_in_attribute(&serde_json::from_str(list).unwrap());
            assert_eq!(found.map(|(item, _)| item), Some(item), "{list}");
        }
    }

    #[test]
    fn faults_have_places() {
        for (text, expected) in [
            ("", "1:1: expected <root>, found no element"),
            ("<root>\n<A>\n", "2:2: <A> is not closed; help: write </A>"),
            ("<root/>\n<root/>", "2:2: expected the end of the file, found another element"),
            ("<root>\n <A x='1' x='2'/></root>", "2:11: duplicate attribute `x`"),
        ] {
            assert_eq!(read(text).unwrap_err()[0].to_string(), expected, "{text}");
        }
        for text in ["<root></A>", "<root a=1/>", "<root a/>", "<root a='&x;'/>", "<root a='", "<"] {
            assert!(read(text).is_err(), "{text}");
        }
        let many: Vec<_> = (0..=MAX_ATTRIBUTES).map(|number| format!(" a{number}=''")).collect();
        assert!(read(&format!("<root{}/>", many.concat())).unwrap_err()[0].reason.contains("too many attributes"));
        let deep = "<a>".repeat(300);
        assert!(read(&deep).unwrap_err()[0].reason.contains("too deep"));
    }
}
