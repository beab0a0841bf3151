//! Leaves that read and set variables.

use core::fmt;

use crate::board::{HasBoard, Variable, look_up, read};
use crate::describe::{Kind, Param, Visitor};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome, Step};
use crate::visit;
use crate::wake::{Foreseen, Wake};

const ENDS: Outcomes = Outcomes::SUCCESS.or(Outcomes::FAILURE);

/// Creates a condition that succeeds if a variable is set, on the context's own board or on the shared one.
///
/// ```
/// # use bt_core::board::is_set;
/// # use bt_core::prelude::*;
/// const TARGET: Key<u32> = Key::new("target");
/// let tree = tree! { for Board: is_set(TARGET) };
/// let mut board = Board::new();
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Failure);
/// board.set(&TARGET, 3);
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Success);
/// ```
pub const fn is_set<V: Variable>(variable: V) -> IsSet<V> {
    IsSet { variable }
}

/// Creates a condition that succeeds if the test returns `true` for the variable's value. It fails if the variable is
/// not set.
///
/// It returns `Error` if the variable has another type, because two keys have the same name.
///
/// ```
/// # use bt_core::board::compare;
/// # use bt_core::prelude::*;
/// const HUNGER: Key<u32> = Key::new("hunger");
/// let tree = tree! { for Board: compare(HUNGER, |hunger| *hunger > 3) };
/// let mut board = Board::new();
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Failure);
/// board.set(&HUNGER, 4);
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Success);
/// ```
pub const fn compare<V: Variable, F: Fn(&V::Value) -> bool>(variable: V, test: F) -> Compare<V, F> {
    Compare { variable, test }
}

/// Creates an action that sets a variable on the context's own board, and succeeds.
///
/// It returns `Error` if the variable has another type, because two keys have the same name.
///
/// ```
/// # use bt_core::board::set;
/// # use bt_core::prelude::*;
/// const TARGET: Key<&str> = Key::new("target");
/// let tree = tree! { for Board: set(TARGET, "the well") };
/// let mut board = Board::new();
/// tree.tick(&mut board, &mut tree.memory());
/// assert_eq!(board.get(&TARGET), Some(&"the well"));
/// ```
pub const fn set<V: Variable>(variable: V, value: V::Value) -> Set<V, V::Value> {
    Set { variable, value }
}

/// Creates an action that unsets a variable on the context's own board, and succeeds.
///
/// ```
/// # use bt_core::board::{is_set, set, unset};
/// # use bt_core::prelude::*;
/// const TARGET: Key<&str> = Key::new("target");
/// let tree = tree! { for Board: sequence { set(TARGET, "the well"), unset(TARGET), !is_set(TARGET) } };
/// assert_eq!(tree.tick(&mut Board::new(), &mut tree.memory()), Status::Success);
/// ```
pub const fn unset<V: Variable>(variable: V) -> Unset<V> {
    Unset { variable }
}

/// Creates an action that copies the value of one variable to another. It reads from the context's own board or the
/// shared one, and writes to the context's own board.
///
/// It fails if the first variable is not set. It returns `Error` if one of the variables has another type, because two
/// keys have the same name.
///
/// ```
/// # use bt_core::board::copy;
/// # use bt_core::prelude::*;
/// const SEEN: Key<u32> = Key::new("seen");
/// const TARGET: Key<u32> = Key::new("target");
/// let tree = tree! { for Board: copy(SEEN, TARGET) };
/// let mut board = Board::new();
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Failure);
/// board.set(&SEEN, 7);
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Success);
/// assert_eq!(board.get(&TARGET), Some(&7));
/// ```
pub const fn copy<V: Variable, W: Variable<Value = V::Value>>(from: V, to: W) -> Copied<V, W> {
    Copied { from, to }
}

/// The leaf created by [`is_set`].
#[derive(Clone, Copy, Debug)]
pub struct IsSet<V> {
    variable: V,
}

/// The leaf created by [`compare`].
#[derive(Clone, Copy, Debug)]
pub struct Compare<V, F> {
    variable: V,
    test: F,
}

/// The leaf created by [`set`].
#[derive(Clone, Copy, Debug)]
pub struct Set<V, T> {
    variable: V,
    value: T,
}

/// The leaf created by [`unset`].
#[derive(Clone, Copy, Debug)]
pub struct Unset<V> {
    variable: V,
}

/// The leaf created by [`copy`].
#[derive(Clone, Copy, Debug)]
pub struct Copied<V, W> {
    from: V,
    to: W,
}

/// A variable, formatted as its name in braces.
struct Named<'a>(&'a str);

impl fmt::Debug for Named<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{{{}}}", self.0)
    }
}

/// The reason for an error: one of these variables has another type.
struct WrongType<'a>(&'a dyn fmt::Debug, Option<&'a dyn fmt::Debug>);

impl fmt::Display for WrongType<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(one, None) => write!(out, "variable {one:?} has another type, because two keys have the same name"),
            Self(one, Some(other)) => {
                write!(out, "variable {one:?} or {other:?} has another type, because two keys have the same name")
            }
        }
    }
}

macro_rules! leaves {
    ($(
        $leaf:ident<$($generic:ident $(: $bound:path)?),+> $(where { $($where:tt)+ })? : $kind:ident $name:literal, $returns:expr,
        over { $($over:tt)+ },
        shows($this:ident) [$($param:literal: $value:expr),+],
        ticks($self:ident, $ctx:ident) $tick:expr;
    )+) => {$(
        impl<$($generic $(: $bound)?),+> NodeShape for $leaf<$($generic),+> $(where $($where)+)? {
            type Open = Never;
            type Kept = ();
            const RETURNS: Outcomes = $returns;
            const RESTARTS: bool = true;

            fn describe(&self, visitor: &mut dyn Visitor) {
                let $this = self;
                visitor.leaf::<Self>(Kind::$kind, $name, &[$(Param::new($param, &$value)),+]);
            }
        }

        impl<C: ?Sized, $($generic $(: $bound)?),+> Node<C> for $leaf<$($generic),+>
        where
            $($over)+
            $($($where)+)?
        {
            #[inline]
            fn start<O: Observer>(&self, at: NodeId, (): &mut (), visit: &mut Visit<'_, C, O>) -> Step<Never> {
                let ($self, $ctx) = (self, &mut *visit.ctx);
                let outcome = $tick;
                if visit::explains::<O>() && outcome == Outcome::Error {
                    let $this = self;
                    let names: &[&dyn fmt::Debug] = &[$(&$value),+];
                    let reason = WrongType(names[0], names.get(1).copied().filter(|_| $name == "copy"));
                    visit::explain(at, &reason, visit.observer);
                }
                Step::Done(outcome)
            }

            fn foresee(&self, (): &(), ctx: &mut C, event: bool) -> Foreseen {
                // Actions have an effect.
                if !event || Kind::$kind != Kind::Condition {
                    return None;
                }
                let ($self, $ctx) = (self, ctx);
                Some(($tick, Wake::Event))
            }
        }
    )+};
}

/// Returns `Success`, or `Error` if the variable has another type.
fn done(could_be_set: bool) -> Outcome {
    if could_be_set { Outcome::Success } else { Outcome::Error }
}

leaves! {
    IsSet<V: Variable>: Condition "is_set", ENDS,
        over { C: HasBoard<V::Board>, },
        shows(this) ["variable": Named(this.variable.name())],
        ticks(this, ctx) Outcome::from(look_up(&this.variable, ctx).is_some());
    Compare<V: Variable, F> where { F: Fn(&V::Value) -> bool }: Condition "compare", Outcomes::ANY.without(Outcomes::RUNNING),
        over { C: HasBoard<V::Board>, },
        shows(this) ["variable": Named(this.variable.name())],
        ticks(this, ctx) match read(&this.variable, ctx) {
            Ok(value) => Outcome::from((this.test)(value)),
            Err(outcome) => outcome,
        };
    Set<V: Variable, T> where { V: Variable<Value = T>, T: Clone + fmt::Debug }: Action "set", Outcomes::SUCCESS.or(Outcomes::ERROR),
        over { C: HasBoard<V::Board>, },
        shows(this) ["variable": Named(this.variable.name()), "value": this.value],
        ticks(this, ctx) done(this.variable.set(ctx.board_mut(), this.value.clone()));
    Unset<V: Variable>: Action "unset", Outcomes::SUCCESS,
        over { C: HasBoard<V::Board>, },
        shows(this) ["variable": Named(this.variable.name())],
        ticks(this, ctx) {
            this.variable.unset(ctx.board_mut());
            Outcome::Success
        };
    Copied<V: Variable, W: Variable> where { W: Variable<Value = V::Value>, V::Value: Clone }: Action "copy", Outcomes::ANY.without(Outcomes::RUNNING),
        over { C: HasBoard<V::Board> + HasBoard<W::Board>, },
        shows(this) ["from": Named(this.from.name()), "to": Named(this.to.name())],
        ticks(this, ctx) match read(&this.from, ctx).cloned() {
            Ok(value) => done(this.to.set(HasBoard::<W::Board>::board_mut(ctx), value)),
            Err(outcome) => outcome,
        };
}
