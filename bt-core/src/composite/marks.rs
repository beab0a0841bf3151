//! Marks on the children of a composite.

use crate::list::ListShape;

/// The lifetime of the [marks](crate::composite::Children::mark) on the children of a composite: [`NoMarks`], [`PerTick`] or
/// [`PerRun`].
#[doc(hidden)]
pub trait Marks: sealed::Sealed {
    /// `true` if there are marks.
    const ARE_ON: bool;
    /// `true` if marks last until the run ends.
    const ARE_OPEN: bool;
    /// The marked children.
    type Set<L: ListShape>;
    /// The marked children, as part of the open state.
    type Open<L: ListShape>: Default + Clone + Send + Sync + 'static;
    /// The marked children, while the rule is called.
    type InTick<L: ListShape>: Default;

    /// Returns the marked children.
    fn set<'a, L: ListShape>(open: &'a mut Self::Open<L>, in_tick: &'a mut Self::InTick<L>) -> &'a mut Self::Set<L>;

    /// Returns the set as the list has it, if there are marks.
    fn of_list<L: ListShape>(set: &mut Self::Set<L>) -> Option<&mut L::Set>;

    /// Returns `true` if this child is marked.
    fn has<L: ListShape>(list: &L, set: &Self::Set<L>, child: usize) -> bool;

    /// Marks this child.
    fn put<L: ListShape>(list: &L, set: &mut Self::Set<L>, child: usize);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::NoMarks {}
    impl Sealed for super::PerTick {}
    impl Sealed for super::PerRun {}
}

/// The rule marks no children.
#[derive(Clone, Copy, Debug)]
pub enum NoMarks {}

/// The rule can mark children until it returns.
#[derive(Clone, Copy, Debug)]
pub enum PerTick {}

/// The rule can mark children until the run ends. The memory of the composite contains a bit for each child.
#[derive(Clone, Copy, Debug)]
pub enum PerRun {}

impl Marks for NoMarks {
    const ARE_ON: bool = false;
    const ARE_OPEN: bool = false;
    type Set<L: ListShape> = ();
    type Open<L: ListShape> = ();
    type InTick<L: ListShape> = ();

    #[inline(always)]
    fn set<'a, L: ListShape>(open: &'a mut (), (): &'a mut ()) -> &'a mut () {
        open
    }

    #[inline(always)]
    fn of_list<L: ListShape>((): &mut ()) -> Option<&mut L::Set> {
        None
    }

    #[inline(always)]
    fn has<L: ListShape>(_: &L, (): &(), _: usize) -> bool {
        false
    }

    fn put<L: ListShape>(_: &L, (): &mut (), _: usize) {
        no_marks();
    }
}

/// Panics because a rule without declared marks marks a child.
///
/// # Panics
///
/// Always panics.
#[track_caller]
pub fn no_marks() -> ! {
    panic!(
        "the composite has no marks; help: add `type Marks = PerRun;` or `type Marks = PerTick;` to its `impl` block"
    )
}

macro_rules! marks {
    ($($marks:ident, $are_open:literal, |$open:ident: $open_type:ty, $in_tick:ident: $in_tick_type:ty| $set:ident;)+) => {$(
        impl Marks for $marks {
            const ARE_ON: bool = true;
            const ARE_OPEN: bool = $are_open;
            type Set<L: ListShape> = L::Set;
            type Open<L: ListShape> = $open_type;
            type InTick<L: ListShape> = $in_tick_type;

            #[inline(always)]
            fn set<'a, L: ListShape>($open: &'a mut $open_type, $in_tick: &'a mut $in_tick_type) -> &'a mut L::Set {
                $set
            }

            #[inline(always)]
            fn of_list<L: ListShape>(set: &mut L::Set) -> Option<&mut L::Set> {
                Some(set)
            }

            #[inline(always)]
            fn has<L: ListShape>(list: &L, set: &L::Set, child: usize) -> bool {
                list.has(set, child)
            }

            #[inline(always)]
            fn put<L: ListShape>(list: &L, set: &mut L::Set, child: usize) {
                list.put(set, child);
            }
        }
    )+};
}

marks! {
    PerTick, false, |_open: (), in_tick: L::Set| in_tick;
    PerRun, true, |open: L::Set, _in_tick: ()| open;
}
