//! The leaves, decorators and composites that files can use.

use std::any::{TypeId, type_name, type_name_of_val};
use std::path::Path;
use std::sync::Arc;

use bt_behavior3::palette::Entry;
use bt_behavior3::{CustomNode, Diagnostic, NodeNames, OwnNode, Project, Scalar};
use serde::Serialize;
use serde::de::DeserializeOwned;

use bt_core::board::Blackboard;
use bt_core::board::HasBoard;
use bt_core::check::Lint;
use bt_core::composite::Composite;
use bt_core::composite::CompositeShape;
use bt_core::decorator::Decorator;
use bt_core::decorator::DecoratorShape;
use bt_core::file::{self, FromProperties, Properties};
use bt_core::leaf::IntoNode;
use bt_core::{Clock, Node, OnError, Save};

use crate::answers::parts::{Capabilities, Parts};
use crate::error::{LoadError, RunError};
use crate::flat::values::Function;
use crate::load::declare::{declarations, declare};
use crate::load::known::{About, Known};
use crate::load::palette::palette;
use crate::load::stock::{FromFile, Maker, Stocked, add};
use crate::nodes::leaf::boxed;
use crate::nodes::policy::Typed;
use crate::nodes::rule::rule;
use crate::tree::LoadedTreeOf;
use crate::version::Version;
use bt_core::{ContextOf, Contexts, Single};

/// The leaves, decorators and composites over the context `C` that files can use; see the [crate](crate). Its methods are those of [`RegistryOf`].
pub type Registry<C> = RegistryOf<Single<C>>;

/// The leaves, decorators and composites over a family of contexts that files can use. [`Registry`] is the one for a single context type.
///
/// A name that is added twice, or is the name of a word (`Sequence`, `wait`), is an error when a tree is loaded. The error says where in the program both
/// were added.
///
/// ```
/// use bt_dynamic::{ContextFamily, RegistryOf};
/// use bt_core::prelude::*;
///
/// struct Npc<'w> { steps: &'w mut u32 }
///
/// struct Npcs;
/// impl<'a> ContextFamily<'a, '_> for Npcs {
///     type Context = Npc<'a>;
/// }
///
/// let mut registry = RegistryOf::<Npcs>::new();
/// registry.add_leaf("Walk", |npc: &mut Npc<'_>| *npc.steps += 1);
/// let tree = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "Walk" } } }"#)?;
/// let (mut memory, mut steps) = (tree.memory(), 0);
/// tree.tick(&mut Npc { steps: &mut steps }, &mut memory);
/// tree.tick(&mut Npc { steps: &mut steps }, &mut memory);
/// assert_eq!(steps, 2);
/// # Ok::<(), bt_dynamic::LoadError>(())
/// ```
pub struct RegistryOf<F: Contexts> {
    pub(crate) known: Known,
    /// What makes the nodes, by the numbers of their names.
    makers: Vec<Box<dyn Maker<F>>>,
    /// The functions of values, by the numbers of their names.
    functions: Vec<Function<F>>,
    capabilities: Capabilities<F>,
    /// Reads the XML of BehaviorTree.CPP, if the registry has its nodes.
    xml: Option<Xml<F>>,
}

/// How XML is read.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Xml<F: Contexts> {
    /// Reads a text. The paths of included files are relative to the folder.
    pub read: fn(&RegistryOf<F>, &str, &Path) -> Result<Project, LoadError>,
    /// Returns the nodes of a palette, and those of XML, by their names in XML.
    pub palette: fn(Vec<Entry>) -> Vec<Entry>,
}

impl<F: Contexts> Default for RegistryOf<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Contexts> RegistryOf<F> {
    /// Returns a registry with only the words of `tree!` and of Behavior3, without the words that need a clock or random numbers.
    pub const fn new() -> Self {
        Self {
            known: Known::new(),
            makers: Vec::new(),
            functions: Vec::new(),
            capabilities: Capabilities { nanos: None, random: None, on_error: None, variable: None },
            xml: None,
        }
    }

    /// Adds the words that need a [`Clock`]: waits, timeouts, services.
    #[must_use]
    pub fn with_clock(mut self) -> Self
    where
        for<'a, 'b> ContextOf<'a, 'b, F>: Clock,
    {
        self.capabilities.nanos = Some(|ctx| Clock::nanos(ctx));
        self
    }

    /// Adds the words that need [`Random`](bt_core::Random): composites in random order, and `chance`; and ranges of times and
    /// counts.
    #[must_use]
    pub fn with_random(mut self) -> Self
    where
        for<'a, 'b> ContextOf<'a, 'b, F>: bt_core::Random,
    {
        use rand_core::Rng;
        self.capabilities.random = Some(|ctx| bt_core::Random::rng(ctx).next_u64());
        self
    }

    /// Passes the errors of running trees to the context, as [`RunError`].
    #[must_use]
    pub fn with_errors(mut self) -> Self
    where
        for<'a, 'b> ContextOf<'a, 'b, F>: OnError<RunError>,
    {
        self.capabilities.on_error = Some(|ctx, at, error| OnError::on_error(ctx, at, error));
        self
    }

    /// Makes the variables of the context's board available to `match`, scores, times and counts: `"on": "{mood}"`.
    #[must_use]
    pub fn with_board<B: Blackboard + ?Sized>(mut self) -> Self
    where
        for<'a, 'b> ContextOf<'a, 'b, F>: HasBoard<B>,
    {
        self.capabilities.variable = Some(|ctx, name| file::value::<B, _>(ctx, name));
        self
    }

    /// Declares the variables that the program sets. Loading then reports each variable that a node reads and that neither
    /// another node nor the program writes.
    ///
    /// Without this method, only variables of nested trees are checked (`{_name}`), because the program may set all
    /// others. A leaf writes the variables of its `#[output]` parameters, and those that it shows in its description, like
    /// `set(TARGET, 3)`. An optional input need not be written.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_dynamic::Registry;
    ///
    /// #[action]
    /// fn drive(_: &mut Board, #[input] goal: u32) -> Status { Status::Running }
    ///
    /// let mut registry = Registry::<Board>::new().with_variables(["goal"]);
    /// registry.add::<drive>("Drive");
    /// let error = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "Drive", "properties": { "goal": "{gaol}" } } } }"#);
    /// assert_eq!(
    ///     error.err().unwrap().to_string(),
    ///     "node 1 (\"Drive\"): variable `{gaol}` is read, but no node writes it; help: did you mean `goal`?"
    /// );
    /// ```
    #[must_use]
    pub fn with_variables<I: IntoIterator<Item: Into<String>>>(mut self, names: I) -> Self {
        self.known.declared.get_or_insert_default().extend(names.into_iter().map(Into::into));
        self
    }

    /// Makes these lints errors: a tree in which they occur is not loaded. `Lint::ALL` are all of them. Without this method, they are
    /// [warnings](LoadedTreeOf::warnings). A node allows a lint by its property `allow`.
    ///
    /// ```
    /// use bt_dynamic::Registry;
    /// use bt_core::check::Lint;
    /// use bt_core::prelude::*;
    ///
    /// let file = r#"{ "root": "1", "nodes": {
    ///     "1": { "name": "Priority", "children": ["2", "3"] }, "2": { "name": "Succeeder" }, "3": { "name": "Runner" }
    /// } }"#;
    /// let tree = Registry::<()>::new().load(file)?;
    /// assert!(tree.warnings()[0].to_string().starts_with("node 3 (\"Runner\"): unreachable node; note: the child before it only"));
    ///
    /// let registry = Registry::<()>::new().deny([Lint::Unreachable]);
    /// assert!(registry.load(file).is_err());
    /// let allowed = file.replace(r#""Runner""#, r#""Runner", "properties": { "allow": "unreachable" }"#);
    /// assert!(registry.load(&allowed)?.warnings().is_empty());
    /// # Ok::<(), bt_dynamic::LoadError>(())
    /// ```
    #[must_use]
    pub fn deny(mut self, lints: impl IntoIterator<Item = Lint>) -> Self {
        self.known.denied.extend(lints);
        self
    }

    /// Adds a value that `match`, utility selectors, times and counts can read, by a function of the context: text, a
    /// number, a boolean or a `Duration`.
    ///
    /// ```
    /// use bt_dynamic::Registry;
    /// use bt_core::prelude::*;
    ///
    /// struct Npc { hunger: f32, angry: bool }
    ///
    /// let mut registry = Registry::<Npc>::new();
    /// registry.add_value("hunger", |npc: &Npc| npc.hunger);
    /// registry.add_value("mood", |npc: &Npc| if npc.angry { "angry" } else { "calm" });
    /// let tree = registry.load(r#"{ "root": "1", "nodes": {
    ///     "1": { "name": "utility_selector", "properties": { "scores": ["hunger", 0.5] }, "children": ["2", "3"] },
    ///     "2": { "name": "Runner" },
    ///     "3": { "name": "match", "properties": { "on": "mood", "cases": ["angry"] }, "children": ["4", "5"] },
    ///     "4": { "name": "Runner" },
    ///     "5": { "name": "Succeeder" }
    /// } }"#)?;
    /// assert_eq!(tree.tick(&mut Npc { hunger: 0.2, angry: false }, &mut tree.memory()), Status::Success);
    /// assert_eq!(tree.tick(&mut Npc { hunger: 0.8, angry: false }, &mut tree.memory()), Status::Running);
    /// # Ok::<(), bt_dynamic::LoadError>(())
    /// ```
    #[track_caller]
    pub fn add_value<V: Into<Scalar>>(
        &mut self,
        name: &str,
        value: impl for<'a, 'b> Fn(&ContextOf<'a, 'b, F>) -> V + Send + Sync + 'static,
    ) -> &mut Self {
        self.functions.push(Arc::new(move |ctx| value(ctx).into()));
        self.known.add_value(name);
        self
    }

    /// Adds a leaf: an `#[action]` or `#[condition]`. Its parameters are the properties of the node. If its state does not implement serde's traits, add
    /// [`Unsaved<leaf>`](bt_core::leaf::Unsaved).
    #[track_caller]
    pub fn add<N: FromProperties + for<'a, 'b> Node<ContextOf<'a, 'b, F>> + Save + Send + Sync + 'static>(
        &mut self,
        name: &str,
    ) -> &mut Self {
        self.insert(name, N::DOC, type_name::<N>(), &const { OwnNode::Leaf(N::RETURNS) }, Box::new(FromFile::<N>::NEW))
    }

    /// Adds a leaf without parameters: a function, a closure, or any other leaf of a `tree!`. Each node of this name is a clone of the leaf.
    /// Add the built-in leaves of the blackboard with their typed keys: `registry.add_leaf("HasTarget", is_set(TARGET))`.
    /// Add a leaf whose state does not implement serde's traits as [`unsaved`](bt_core::leaf::unsaved): saving a memory is then an error while the leaf has
    /// state.
    ///
    /// ```
    /// use bt_dynamic::Registry;
    /// use bt_core::prelude::*;
    ///
    /// fn eat(meals: &mut u32) { *meals += 1 }
    ///
    /// let mut registry = Registry::<u32>::new();
    /// registry.add_leaf("Eat", eat).add_leaf("Full", |meals: &u32| *meals > 2);
    /// let tree = registry.load(r#"{ "root": "1", "nodes": {
    ///     "1": { "name": "Priority", "children": ["2", "3"] }, "2": { "name": "Full" }, "3": { "name": "Eat" }
    /// } }"#)?;
    /// let mut meals = 0;
    /// for _ in 0..5 {
    ///     tree.tick(&mut meals, &mut tree.memory());
    /// }
    /// assert_eq!(meals, 3);
    /// # Ok::<(), bt_dynamic::LoadError>(())
    /// ```
    #[track_caller]
    pub fn add_leaf<M, L, N>(&mut self, name: &str, leaf: L) -> &mut Self
    where
        L: for<'a, 'b> IntoNode<ContextOf<'a, 'b, F>, M, Node = N> + Clone + Send + Sync + 'static,
        N: for<'a, 'b> Node<ContextOf<'a, 'b, F>> + Save + Send + Sync + 'static,
    {
        let make = move |properties: &mut Properties<'_>, parts: &mut Parts<F>| {
            properties.finish();
            Some(parts.add_leaf(boxed(leaf.clone().into_node()), TypeId::of::<N>))
        };
        self.insert(name, N::DOC, type_name::<L>(), &const { OwnNode::Leaf(N::RETURNS) }, Box::new(make))
    }

    /// Adds a leaf or a static subtree, with a function that creates it from properties. Serde reads the properties.
    ///
    /// ```
    /// use bt_dynamic::{NoProperties, Registry};
    /// use bt_core::prelude::*;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Steps { count: u32 }
    ///
    /// fn walk(steps: u32) -> impl Node<u32> + Save {
    ///     tree! { repeat(steps) { |walked: &mut u32| *walked += 1 } }
    /// }
    ///
    /// let mut registry = Registry::<u32>::new();
    /// registry.add_with("Walk", |steps: Steps| walk(steps.count));
    /// registry.add_with("Stand", |_: NoProperties| run());
    /// let tree = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "Walk", "properties": { "count": 3 } } } }"#)?;
    /// let mut walked = 0;
    /// assert_eq!(tree.tick(&mut walked, &mut tree.memory()), Status::Success);
    /// assert_eq!(walked, 3);
    /// # Ok::<(), bt_dynamic::LoadError>(())
    /// ```
    #[expect(clippy::question_mark, reason = "the operator is compiled for each leaf")]
    #[track_caller]
    pub fn add_with<P, M, L, N>(&mut self, name: &str, make: impl Fn(P) -> L + Send + Sync + 'static) -> &mut Self
    where
        P: DeserializeOwned,
        L: for<'a, 'b> IntoNode<ContextOf<'a, 'b, F>, M, Node = N>,
        N: for<'a, 'b> Node<ContextOf<'a, 'b, F>> + Save + Send + Sync + 'static,
    {
        let path = type_name_of_val(&make);
        let make = move |properties: &mut Properties<'_>, parts: &mut Parts<F>| {
            let Some(given) = properties.whole() else { return None };
            Some(parts.add_leaf(boxed(make(given).into_node()), TypeId::of::<N>))
        };
        self.insert(name, N::DOC, path, &const { OwnNode::Leaf(N::RETURNS) }, Box::new(make))
    }

    /// Adds a decorator, with a function that creates its policy from properties. Serde reads the properties.
    ///
    /// ```
    /// use bt_dynamic::{NoProperties, Registry};
    /// use bt_core::decorator::AfterChild;
    /// use bt_core::Never;
    /// use bt_core::prelude::*;
    ///
    /// struct NotTwiceInARow;
    ///
    /// #[decorator]
    /// impl<C: ?Sized> Decorator<C> for NotTwiceInARow {
    ///     type Kept = bool;
    ///     fn end(&self, outcome: Outcome, _: &mut (), succeeded: &mut bool, _: &mut C) -> AfterChild<Never> {
    ///         *succeeded = outcome == Outcome::Success && !*succeeded;
    ///         AfterChild::End(Outcome::from(*succeeded))
    ///     }
    /// }
    ///
    /// let mut registry = Registry::<()>::new();
    /// registry.add_decorator("NotTwiceInARow", |_: NoProperties| NotTwiceInARow);
    /// let tree = registry.load(r#"{ "root": "1", "nodes": {
    ///     "1": { "name": "NotTwiceInARow", "child": "2" }, "2": { "name": "Succeeder" }
    /// } }"#)?;
    /// let mut memory = tree.memory();
    /// assert_eq!(tree.tick(&mut (), &mut memory), Status::Success);
    /// assert_eq!(tree.tick(&mut (), &mut memory), Status::Failure);
    /// # Ok::<(), bt_dynamic::LoadError>(())
    /// ```
    #[track_caller]
    pub fn add_decorator<P, D>(&mut self, name: &str, make: impl Fn(P) -> D + Send + Sync + 'static) -> &mut Self
    where
        P: DeserializeOwned,
        D: DecoratorShape<Open: Serialize + DeserializeOwned, Kept: Serialize + DeserializeOwned>
            + Send
            + Sync
            + 'static,
        D: for<'a, 'b> Decorator<ContextOf<'a, 'b, F>>,
    {
        let make = move |properties: &mut Properties<'_>, parts: &mut Parts<F>| {
            if let Some(broken) = D::BROKEN {
                properties.report(broken.replace('\n', "; "));
            }
            Some(add(&mut parts.policies, Box::new(Typed(make(properties.whole()?)))))
        };
        let own = &const { OwnNode::Decorator(D::RETURNS, D::REQUIRES) };
        self.insert(name, D::DOC, type_name::<D>(), own, Box::new(make))
    }

    /// Adds a composite, with a function that creates its rule from properties. Serde reads the properties. Loading a file fails
    /// if a node has a number of children that the composite does not accept.
    ///
    /// ```
    /// use bt_dynamic::{NoProperties, Registry};
    /// use bt_core::composite::Children;
    /// use bt_core::prelude::*;
    ///
    /// /// Ticks the last child first.
    /// struct Backwards;
    ///
    /// #[composite]
    /// impl<C: ?Sized> Composite<C> for Backwards {
    ///     fn tick(&self, children: &mut impl Children<C>, _: &mut (), _: &mut (), ctx: &mut C) -> Status {
    ///         for child in (0..children.len()).rev() {
    ///             match children.tick(child, ctx) {
    ///                 Status::Success => {}
    ///                 other => return other,
    ///             }
    ///         }
    ///         Status::Success
    ///     }
    /// }
    ///
    /// let mut registry = Registry::<String>::new();
    /// registry.add_composite("Backwards", |_: NoProperties| Backwards);
    /// registry.add_leaf("A", |log: &mut String| log.push('a')).add_leaf("B", |log: &mut String| log.push('b'));
    /// let tree = registry.load(r#"{ "root": "1", "nodes": {
    ///     "1": { "name": "Backwards", "children": ["2", "3"] }, "2": { "name": "A" }, "3": { "name": "B" }
    /// } }"#)?;
    /// let mut log = String::new();
    /// assert_eq!(tree.tick(&mut log, &mut tree.memory()), Status::Success);
    /// assert_eq!(log, "ba");
    /// # Ok::<(), bt_dynamic::LoadError>(())
    /// ```
    #[track_caller]
    pub fn add_composite<P, R>(&mut self, name: &str, make: impl Fn(P) -> R + Send + Sync + 'static) -> &mut Self
    where
        P: DeserializeOwned,
        R: CompositeShape<Open: Serialize + DeserializeOwned, Kept: Serialize + DeserializeOwned>
            + Send
            + Sync
            + 'static,
        R: for<'a, 'b> Composite<ContextOf<'a, 'b, F>>,
    {
        let make = move |properties: &mut Properties<'_>, parts: &mut Parts<F>| {
            Some(add(&mut parts.rules, rule(make(properties.whole()?))))
        };
        self.insert(name, R::DOC, type_name::<R>(), &const { OwnNode::Composite(R::RETURNS) }, Box::new(make))
    }

    /// Adds a leaf, with a function that reads its properties one by one, and reports an error at each.
    #[doc(hidden)]
    #[track_caller]
    pub fn add_leaf_from<N>(
        &mut self,
        name: &str,
        make: impl Fn(&mut Properties<'_>) -> Option<N> + Send + Sync + 'static,
    ) -> &mut Self
    where
        N: for<'a, 'b> Node<ContextOf<'a, 'b, F>> + Save + Send + Sync + 'static,
    {
        let make = move |properties: &mut Properties<'_>, parts: &mut Parts<F>| {
            let made = make(properties);
            properties.finish();
            Some(parts.add_leaf(boxed(made?), TypeId::of::<N>))
        };
        self.insert(name, N::DOC, type_name::<N>(), &const { OwnNode::Leaf(N::RETURNS) }, Box::new(make))
    }

    /// Adds a decorator, with a function that reads its properties one by one, and reports an error at each.
    #[doc(hidden)]
    #[track_caller]
    pub fn add_decorator_from<D>(
        &mut self,
        name: &str,
        make: impl Fn(&mut Properties<'_>) -> Option<D> + Send + Sync + 'static,
    ) -> &mut Self
    where
        D: DecoratorShape<Open: Serialize + DeserializeOwned, Kept: Serialize + DeserializeOwned>
            + Send
            + Sync
            + 'static,
        D: for<'a, 'b> Decorator<ContextOf<'a, 'b, F>>,
    {
        let make = move |properties: &mut Properties<'_>, parts: &mut Parts<F>| {
            let made = make(properties);
            properties.finish();
            Some(add(&mut parts.policies, Box::new(Typed(made?))))
        };
        let own = &const { OwnNode::Decorator(D::RETURNS, D::REQUIRES) };
        self.insert(name, D::DOC, type_name::<D>(), own, Box::new(make))
    }

    /// Adds a composite, with a function that reads its properties one by one, and reports an error at each.
    #[doc(hidden)]
    #[track_caller]
    pub fn add_composite_from<R>(
        &mut self,
        name: &str,
        make: impl Fn(&mut Properties<'_>) -> Option<R> + Send + Sync + 'static,
    ) -> &mut Self
    where
        R: CompositeShape<Open: Serialize + DeserializeOwned, Kept: Serialize + DeserializeOwned>
            + Send
            + Sync
            + 'static,
        R: for<'a, 'b> Composite<ContextOf<'a, 'b, F>>,
    {
        let make = move |properties: &mut Properties<'_>, parts: &mut Parts<F>| {
            let made = make(properties);
            properties.finish();
            Some(add(&mut parts.rules, rule(made?)))
        };
        self.insert(name, R::DOC, type_name::<R>(), &const { OwnNode::Composite(R::RETURNS) }, Box::new(make))
    }

    /// States which properties of a node are scripts. In a nested tree, their names are those of its properties and variables.
    #[doc(hidden)]
    pub fn mark_scripts(&mut self, name: &str, properties: &'static [&'static str]) -> &mut Self {
        self.known.scripts.insert(name.to_owned(), properties);
        self
    }

    #[track_caller]
    fn insert(
        &mut self,
        name: &str,
        doc: &'static str,
        path: &'static str,
        own: &OwnNode,
        maker: Box<dyn Maker<F>>,
    ) -> &mut Self {
        self.makers.push(maker);
        self.known.about.push(About { doc, path });
        self.known.add(name, *own);
        self
    }

    /// Returns what makes the nodes of a tree.
    pub(crate) fn stock(&self) -> Stocked<'_, F> {
        Stocked { makers: &self.makers, functions: &self.functions, parts: Parts::new(self.capabilities) }
    }

    /// Returns the names that were added and what is known of their nodes, for [`Project::check`].
    pub fn names(&self) -> NodeNames {
        self.known.names()
    }

    /// Returns what an editor offers: the words that the context can use, and the leaves, decorators and composites with the types, units and defaults of
    /// their parameters. Their documentation is that of the `#[action]`, the `#[condition]`, or the impl block after `#[leaf]`, `#[decorator]` and `#[composite]`.
    /// They are grouped by module: that of the function for [`add_with`](Self::add_with). Fields of a type with `#[serde(flatten)]` are not known.
    ///
    /// ```
    /// use bt_dynamic::Registry;
    /// use bt_core::prelude::*;
    ///
    /// struct Npc { at: f32 }
    ///
    /// /// Walks on.
    /// #[action]
    /// fn go(npc: &mut Npc, #[param(unit = "m/s")] speed: f32, #[param(default = 1)] times: u32) {
    ///     npc.at += speed * times as f32;
    /// }
    ///
    /// let mut registry = Registry::<Npc>::new();
    /// registry.add::<go>("Go");
    /// let palette = registry.palette();
    /// let go = palette.iter().find(|entry| entry.name == "Go").unwrap();
    /// assert_eq!((&*go.doc, &*go.insert), ("Walks on.", "Go(speed = 1.0)"));
    /// assert_eq!(go.params[0].unit.as_deref(), Some("m/s"));
    /// assert_eq!(go.params[1].default.as_deref(), Some("1"));
    /// assert!(palette.iter().any(|entry| entry.name == "sequence"));
    /// assert!(palette.iter().all(|entry| entry.name != "wait")); // it needs a clock
    /// ```
    pub fn palette(&self) -> Vec<Entry> {
        palette(&self.known, &mut self.stock())
    }

    /// Returns the leaves, decorators and composites as the Behavior3 editor declares them, with their properties and their documentation: those of the
    /// [`palette`](Self::palette). The value of a property is its default, or empty text. Fields of a type with `#[serde(flatten)]` are not known.
    ///
    /// ```
    /// use bt_dynamic::Registry;
    /// use bt_core::prelude::*;
    ///
    /// #[condition]
    /// fn tired(steps: &u32, #[param(default = 8)] after: u32) -> bool { *steps > after }
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Steps { count: u32 }
    ///
    /// let mut registry = Registry::<u32>::new();
    /// registry.add::<tired>("Tired");
    /// registry.add_with("Walk", |way: Steps| move |steps: &mut u32| *steps += way.count);
    /// let nodes: Vec<_> = registry
    ///     .declarations()
    ///     .into_iter()
    ///     .map(|node| format!("{} {}: {}", node.category().unwrap_or(""), node.name, node.properties.keys().next().unwrap()))
    ///     .collect();
    /// assert_eq!(nodes, ["condition Tired: after", "action Walk: count"]);
    /// ```
    pub fn declarations(&self) -> Vec<CustomNode> {
        declarations(&self.known, &mut self.stock())
    }

    /// Declares the leaves, decorators and composites that a project does not declare, so that the editor offers all. A
    /// written file declares only those that the tree uses.
    ///
    /// ```
    /// use bt_dynamic::Registry;
    /// use bt_core::prelude::*;
    ///
    /// let mut registry = Registry::<u32>::new();
    /// registry.add_leaf("Walk", |steps: &mut u32| *steps += 1).add_leaf("Rest", |_: &mut u32| ());
    /// let mut file = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "Walk" } } }"#)?.to_behavior3();
    /// assert_eq!(file.declared().count(), 1);
    /// registry.declare(&mut file);
    /// assert_eq!(file.declared().count(), 2);
    /// # Ok::<(), bt_dynamic::LoadError>(())
    /// ```
    pub fn declare(&self, project: &mut Project) {
        declare(&self.known, &mut self.stock(), project);
    }

    /// Sets how XML is read.
    #[doc(hidden)]
    pub fn read_xml_with(&mut self, xml: Xml<F>) -> &mut Self {
        self.xml = Some(xml);
        self
    }

    pub(crate) const fn reads_xml(&self) -> bool {
        self.xml.is_some()
    }

    /// Returns the palette by the names of nodes in XML.
    pub(crate) fn palette_of_xml(&self) -> Vec<Entry> {
        self.xml.as_ref().map_or_else(Vec::new, |xml| (xml.palette)(self.palette()))
    }

    /// Reads the trees of a text in any notation: XML begins with `<`, a file of the Behavior3 editor with `{`. Files that it includes are relative to the folder.
    pub(crate) fn read_any(&self, text: &str, folder: &Path) -> Result<Project, LoadError> {
        let begins = |sign| text.trim_start_matches('\u{feff}').trim_start().starts_with(sign);
        match &self.xml {
            _ if begins('{') => Ok(Project::read(text)?),
            Some(Xml { read, .. }) if begins('<') => read(self, text, folder),
            None if begins('<') => {
                let reason = "XML cannot be read; help: add the nodes of BehaviorTree.CPP to the registry: \
                              `bt_btcpp::Nodes::new().add_to(&mut registry)`";
                Err(vec![Diagnostic::of_tree("", reason.to_owned())].into())
            }
            _ => self.read_other(text),
        }
    }

    #[cfg(feature = "text")]
    fn read_other(&self, text: &str) -> Result<Project, LoadError> {
        self.read_tree(text)
    }

    #[cfg(not(feature = "text"))]
    #[expect(clippy::unused_self, reason = "with the feature `text`, the registry has the names of parameters")]
    fn read_other(&self, text: &str) -> Result<Project, LoadError> {
        Ok(Project::read(text)?)
    }

    /// Loads a tree from the text of a file: the tree that was open last in the editor, or the first.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a Behavior3 file, or if the tree is invalid.
    pub fn load(&self, text: &str) -> Result<LoadedTreeOf<F>, LoadError> {
        self.load_from(&Project::read(text)?, None)
    }

    /// Loads the tree with this id or title from a project, including nested trees.
    ///
    /// # Errors
    ///
    /// Returns an error if the tree is invalid.
    pub fn load_from(&self, project: &Project, tree: Option<&str>) -> Result<LoadedTreeOf<F>, LoadError> {
        let mut stock = self.stock();
        let flat = self.known.load(project, tree, &mut stock)?;
        Ok(LoadedTreeOf { version: Version::new(flat, stock.parts) })
    }
}
