//! What makes the nodes of the user. Only this part of loading depends on their context.

use std::any::TypeId;
use std::marker::PhantomData;

use bt_core::file::{FromProperties, Properties};
use bt_core::{ContextOf, Contexts, Node, Save};

use crate::answers::parts::Parts;
use crate::flat::code::LeafStep;
use crate::flat::op::index;
use crate::flat::values::Function;
use crate::nodes::leaf::boxed;
use crate::nodes::shape::Shapes;

/// What a registry has for the nodes of a tree, by the numbers of their names. What it makes gets numbers in the tree.
pub(crate) trait Stock {
    /// Makes a node. Returns `None` if its properties are invalid, which is reported.
    fn make(&mut self, maker: usize, properties: &mut Properties<'_>) -> Option<u32>;
    /// Adds a function to those that the tree reads.
    fn function(&mut self, function: usize) -> u32;
    /// Sets the place of a leaf in the code of the tree.
    fn place(&mut self, leaf: usize, step: LeafStep);
    /// Returns the number of leaves.
    fn leaves(&self) -> usize;
    fn has(&self) -> Has;
    fn shapes(&self) -> &dyn Shapes;
}

/// What the words of a tree can use of the context.
#[derive(Clone, Copy)]
pub(crate) struct Has {
    pub(crate) clock: bool,
    pub(crate) random: bool,
    pub(crate) board: bool,
    /// What the program does in addition to implementing the trait of the clock, and of random numbers.
    pub(crate) help: [&'static str; 2],
}

/// A node of the user that properties are made into.
pub(crate) trait Maker<F: Contexts>: Send + Sync {
    /// Adds a node with these properties to the parts of a tree, and returns its number. Returns `None` if the properties are invalid, which is reported.
    fn make(&self, properties: &mut Properties<'_>, parts: &mut Parts<F>) -> Option<u32>;
}

/// A leaf with a property for each parameter.
pub(crate) struct FromFile<N>(PhantomData<fn() -> N>);

impl<N> FromFile<N> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<F: Contexts, N> Maker<F> for FromFile<N>
where
    N: FromProperties + for<'a, 'b> Node<ContextOf<'a, 'b, F>> + Save + Send + Sync + 'static,
{
    #[expect(clippy::question_mark, reason = "the operator is compiled for each leaf")]
    fn make(&self, properties: &mut Properties<'_>, parts: &mut Parts<F>) -> Option<u32> {
        let Some(node) = N::from_properties(properties) else { return None };
        Some(parts.add_leaf(boxed(node), TypeId::of::<N>))
    }
}

impl<F: Contexts, M> Maker<F> for M
where
    M: Fn(&mut Properties<'_>, &mut Parts<F>) -> Option<u32> + Send + Sync,
{
    fn make(&self, properties: &mut Properties<'_>, parts: &mut Parts<F>) -> Option<u32> {
        self(properties, parts)
    }
}

/// Adds a node or function of the user, and returns its number.
pub(crate) fn add<T>(all: &mut Vec<T>, one: T) -> u32 {
    all.push(one);
    index(all.len() - 1)
}

/// The stock of a registry, and the parts of a tree that is made of it.
pub(crate) struct Stocked<'r, F: Contexts> {
    pub(crate) makers: &'r [Box<dyn Maker<F>>],
    pub(crate) functions: &'r [Function<F>],
    pub(crate) parts: Parts<F>,
}

impl<F: Contexts> Stock for Stocked<'_, F> {
    fn make(&mut self, maker: usize, properties: &mut Properties<'_>) -> Option<u32> {
        self.makers[maker].make(properties, &mut self.parts)
    }

    fn function(&mut self, function: usize) -> u32 {
        add(&mut self.parts.functions, self.functions[function].clone())
    }

    fn place(&mut self, leaf: usize, step: LeafStep) {
        self.parts.leaves[leaf].step = step;
    }

    fn leaves(&self) -> usize {
        self.parts.leaves.len()
    }

    fn has(&self) -> Has {
        let capabilities = &self.parts.capabilities;
        Has {
            clock: capabilities.nanos.is_some(),
            random: capabilities.random.is_some(),
            board: capabilities.variable.is_some(),
            help: ["use `Registry::with_clock` and ", "use `Registry::with_random` and "],
        }
    }

    fn shapes(&self) -> &dyn Shapes {
        &self.parts
    }
}
