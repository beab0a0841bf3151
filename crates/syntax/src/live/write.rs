//! The plan of a tree as the nodes of a file, whose names are those of parts.

use std::sync::Arc;

use bt_behavior3::{ALLOW, NodeSpec, Place, Project, TreeSpec};
use bt_words::{Family, Flags, Lint, ParamType, Role, Word};
use proc_macro2::{Span, TokenStream};
use serde_json::{Map, Value, json};
use syn::LitStr;

use super::island;
use super::literal::Literal;
use super::shape::{Attached, Guarded, PartKind, Score, Shape, StateShape, shape};
use super::source::{Fallback, LITERALS, Source, Use};
use super::template::Template;
use crate::location::place;
use crate::plan::{Located, Node, Tree};
use crate::text;

/// Returns a tree as the only one of a project.
pub(super) fn write(tree: &Tree) -> Source {
    let mut writer = Writer { nodes: Vec::new(), uses: Vec::new(), fallbacks: Vec::new() };
    let root = writer.node(&tree.root);
    let Writer { nodes, uses, fallbacks } = writer;
    let nodes = nodes.into_iter().map(|node| (node.id.clone(), Arc::new(node))).collect();
    let tree = TreeSpec { root: Some(root), nodes, ..TreeSpec::default() };
    let project = Project { trees: vec![tree], ..Project::default() };
    Source { project, uses, mistakes: Vec::new(), fallbacks }
}

/// A node as written.
struct At<'a> {
    span: Span,
    label: Option<&'a LitStr>,
    text: &'a str,
}

impl<'a> At<'a> {
    fn of(node: &'a Located) -> Self {
        Self { span: node.span, label: node.label.as_ref(), text: &node.text }
    }
}

struct Writer {
    nodes: Vec<NodeSpec>,
    uses: Vec<Use>,
    fallbacks: Vec<Fallback>,
}

impl Writer {
    /// Writes a node and those below it. Returns its id.
    fn node(&mut self, node: &Located) -> String {
        match shape(node) {
            Shape::Word { word, properties, children } => self.named(node, word.name(), properties, children),
            Shape::Leaf(template) => {
                let word = fallback(node);
                let name = self.part(PartKind::Leaf, &template, node.span);
                let id = self.own(node, &name, &template, []);
                self.fallbacks.extend(word.map(|(word, properties)| Fallback {
                    name,
                    id: id.clone(),
                    word,
                    properties,
                }));
                id
            }
            Shape::Decorator { template, child, .. } => {
                let name = self.part(PartKind::Decorator, &template, node.span);
                self.own(node, &name, &template, [child])
            }
            Shape::Own { kind, template, children } => {
                let name = self.part(kind, &template, node.span);
                self.own(node, &name, &template, children)
            }
            Shape::Utility { word, keep, scores, children } => {
                let scores = scores.iter().zip(children).map(|(score, child)| match score {
                    Score::Constant(value) => value.clone(),
                    Score::Part(template) => {
                        self.value(PartKind::Score, template, child.span, &shown(template, text::score)).into()
                    }
                });
                let scores = Value::Array(scores.collect());
                let properties = [(ParamType::Bonus, keep), (ParamType::Scores, Some(scores))];
                self.named(node, word.name(), of_word(word, properties), children)
            }
            Shape::Match { word, selection, cases, children } => {
                let on = self.value(PartKind::Selection, &selection, node.span, &shown(&selection, text::name)).into();
                let properties = [(ParamType::Value, Some(on)), (ParamType::Cases, Some(json!(cases)))];
                self.named(node, word.name(), of_word(word, properties), children)
            }
            Shape::Service { word, every, action, child } => {
                let action = self.attached(&action, "").into();
                let properties = [(ParamType::Time, Some(every)), (ParamType::Leaf(Role::Service), Some(action))];
                self.named(node, word.name(), of_word(word, properties), [child])
            }
            Shape::Machine { word, states, any } => {
                let (transitions, flags) = self.transitions(&any);
                let properties = of_word(word, [(ParamType::Transitions, transitions)]);
                let at = self.begin(word.name(), At::of(node), node.flags.or(flags), properties);
                let below = states.iter().map(|state| self.state(state)).collect();
                self.end(at, below)
            }
            Shape::Island => {
                let name = self.used(Use { text: node.text.clone(), ..island_of(&island::text(node), node.span) });
                self.own(node, &name, &Template::of_text(String::new()), [])
            }
        }
    }

    fn state(&mut self, shape: &StateShape<'_>) -> String {
        let StateShape { state, transitions, enter, exit } = shape;
        let (transitions, flags) = self.transitions(transitions);
        let [enter, exit] = [enter, exit].map(|hook| hook.as_ref().map(|hook| self.attached(hook, "").into()));
        let name = syn::ext::IdentExt::unraw(&state.name).to_string();
        let properties = of_word(
            Word::State,
            [
                (ParamType::Name, Some(name.into())),
                (ParamType::Transitions, transitions),
                (ParamType::Leaf(Role::Enter), enter),
                (ParamType::Leaf(Role::Exit), exit),
            ],
        );
        let at = At { span: state.name.span(), label: None, text: "" };
        let at = self.begin(Word::State.name(), at, state.flags.or(flags), properties);
        let below = vec![self.node(&state.node)];
        self.end(at, below)
    }

    /// Returns transitions as the texts that they are in files, and the lints that they allow, which are those of their node there.
    fn transitions(&mut self, transitions: &[Guarded<'_>]) -> (Option<Value>, Flags) {
        let mut flags = Flags::NONE;
        let texts = transitions.iter().map(|guarded| {
            flags = flags.or(guarded.transition.flags);
            let on = match &guarded.condition {
                None => guarded.transition.text.clone(),
                Some(condition) => {
                    format!(
                        "{}{}",
                        if condition.negated { "!" } else { "" },
                        self.attached(condition, &guarded.transition.text)
                    )
                }
            };
            format!("{on} -> {}", guarded.target())
        });
        let texts: Vec<_> = texts.collect();
        ((!texts.is_empty()).then_some(json!(texts)), flags)
    }

    /// Writes a node of this name.
    fn named<'a>(
        &mut self,
        node: &Located,
        name: &str,
        properties: Map<String, Value>,
        children: impl IntoIterator<Item = &'a Located>,
    ) -> String {
        let at = self.begin(name, At::of(node), node.flags, properties);
        let below = children.into_iter().map(|child| self.node(child)).collect();
        self.end(at, below)
    }

    /// Writes a part that is a node.
    fn own<'a>(
        &mut self,
        node: &Located,
        name: &str,
        template: &Template,
        children: impl IntoIterator<Item = &'a Located>,
    ) -> String {
        let mut properties = Map::new();
        if !template.literals.is_empty() {
            properties.insert(LITERALS.to_owned(), json!(texts(&template.literals)));
        }
        self.named(node, name, properties, children)
    }

    /// Begins a node, before those below it. Returns its index.
    fn begin(&mut self, name: &str, written: At<'_>, flags: Flags, mut properties: Map<String, Value>) -> usize {
        let at = self.nodes.len();
        let allowed: Vec<_> =
            Lint::ALL.into_iter().filter(|lint| flags.has(Flags::allows(*lint))).map(Lint::name).collect();
        if !allowed.is_empty() {
            properties.insert(ALLOW.to_owned(), json!(allowed));
        }
        let At { span, label, text } = written;
        let title = label.map_or_else(String::new, LitStr::value);
        let mut node = NodeSpec::new(format!("#{}", at + 1), name, &title, text);
        (node.properties, node.place) = (properties.into(), Some(place(span)));
        self.nodes.push(node);
        at
    }

    fn end(&mut self, at: usize, below: Vec<String>) -> String {
        let node = &mut self.nodes[at];
        node.set_children(below);
        node.id.clone()
    }

    /// Uses a part as a node, which has its literals as a property. Returns its name.
    fn part(&mut self, kind: PartKind, template: &Template, span: Span) -> String {
        self.used(use_of(kind, &template.key, span))
    }

    /// Uses a part as a value. Returns its name, which contains the literals.
    fn value(&mut self, kind: PartKind, template: &Template, span: Span, text: &str) -> String {
        let Template { key, literals, .. } = template;
        let (literals, text) = (literals.clone(), text.to_owned());
        let mut of = Use { literals, text, is_value: true, ..use_of(kind, key, span) };
        if !of.literals.is_empty() {
            of.name.push(' ');
            of.name += &escaped(&texts(&of.literals).join(", "));
        }
        self.used(of)
    }

    /// Uses what is attached to a node. If it is compiled as a whole, it is shown as this text.
    fn attached(&mut self, attached: &Attached<'_>, text: &str) -> String {
        let Attached { template, leaf, .. } = attached;
        if !attached.is_island {
            return self.value(PartKind::Leaf, template, leaf.span, &leaf.text);
        }
        let text = if text.is_empty() { &leaf.text } else { text }.to_owned();
        self.used(Use { text, is_value: true, ..island_of(&template.key, leaf.span) })
    }

    fn used(&mut self, of: Use) -> String {
        let name = of.name.clone();
        match self.uses.iter_mut().find(|other| other.name == name) {
            Some(other) if of.is_value && !other.is_value => {
                // Nodes have a place and a text of their own.
                (other.is_value, other.text, other.place) = (true, of.text, of.place);
            }
            Some(_) => {}
            None => self.uses.push(of),
        }
        name
    }
}

/// Returns the use of a part as a node.
fn use_of(kind: PartKind, key: &str, span: Span) -> Use {
    let name = format!("{}:{}", prefix(kind), escaped(key));
    let (key, literals, text, place) = (key.to_owned(), Vec::new(), String::new(), place(span));
    Use { name, kind, is_island: false, key, literals, text, place, is_value: false }
}

/// Returns the use of a node that is compiled as a whole.
fn island_of(key: &str, span: Span) -> Use {
    let name = format!("island:{}", escaped(key));
    Use { name, is_island: true, ..use_of(PartKind::Leaf, key, span) }
}

/// Returns the word that a leaf is if the program has no leaf of that text.
fn fallback(node: &Located) -> Option<(Word, Map<String, Value>)> {
    let Node::Leaf { rust, .. } = &node.node else { return None };
    let call = syn::parse2::<syn::Expr>(rust.clone()).ok()?;
    let (path, args) = match &call {
        syn::Expr::Call(call) => (&*call.func, Some(&call.args)),
        path => (path, None),
    };
    let syn::Expr::Path(path) = path else { return None };
    let name = path.path.get_ident()?.to_string();
    let word = Word::named(&name).find(|word| word.row().family == Family::Leaf)?;
    let args = args.map(|args| args.iter().collect::<Vec<_>>()).unwrap_or_default();
    let mut properties = Map::new();
    for (param, arg) in word.row().params.iter().zip(&args) {
        properties.insert(param.name.to_owned(), super::constant::constant(&quote::quote!(#arg))?);
    }
    (args.len() == word.row().params.len()).then_some((word, properties))
}

/// Returns the only expression of a part as it is shown.
fn shown(template: &Template, show: fn(&TokenStream) -> String) -> String {
    template.parts.first().map_or_else(String::new, |part| show(&part.tokens))
}

fn prefix(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Leaf => "leaf",
        PartKind::Decorator => "decorator",
        PartKind::Composite => "composite",
        PartKind::Score => "score",
        PartKind::Selection => "selection",
    }
}

fn texts(literals: &[Literal]) -> Vec<String> {
    literals.iter().map(ToString::to_string).collect()
}

/// Returns a text without what files read in a name: the arrow after the condition of a transition, and the sign of a range. A space without width, which is
/// doubled elsewhere, divides them.
fn escaped(text: &str) -> String {
    text.replace('\u{200b}', "\u{200b}\u{200b}").replace("->", "-\u{200b}>").replace("..=", "..\u{200b}=")
}

/// Returns the properties of a word: for each type of parameter its value, if it has one.
fn of_word<const N: usize>(word: Word, values: [(ParamType, Option<Value>); N]) -> Map<String, Value> {
    let property = |(ty, value)| Some((word.row().param(ty)?.name.to_owned(), value?));
    values.into_iter().filter_map(property).collect()
}

/// Returns the place before the first character.
pub(super) const fn first(place: Place) -> (usize, usize) {
    (place.line as usize - 1, place.column as usize - 1)
}
