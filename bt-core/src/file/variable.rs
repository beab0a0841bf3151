//! Variables that nodes of a file read by name.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use bt_behavior3::{FromScalar, Scalar};

use crate::argument::{Argument, ArgumentIn, IntoArgument};
use crate::board::{Blackboard, HasBoard};
use crate::composite::{Code, Composed, Match, MemMatch, Score, Select, Selection, SelectionShape, Texts, compose};

/// A variable of the context's board, by its name. Used as a score, number or time: see [`variable`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedVariable {
    name: &'static str,
}

/// Creates a score, a number or a time that is the value of a variable, as `"{hunger}"` in a file.
///
/// A score that is not set, or is not a number, is NaN. A node whose number or time is not set, or has another type,
/// returns `Error`. Times are numbers of milliseconds, or text such as `1.5s`. Typed code uses a closure or a
/// [`Key`](crate::board::Key) instead.
///
/// ```
/// use bt_core::file::variable;
/// use bt_core::prelude::*;
///
/// let tree = tree! { for Board: utility_selector { variable("threat") => run, 0.5 => succeed } };
/// let mut board = Board::new();
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Success);
/// board.set(&Key::new("threat"), 0.75);
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Running);
/// ```
pub const fn variable(name: &'static str) -> NamedVariable {
    NamedVariable { name }
}

/// The marker of a score that is a variable of a board `B`.
#[doc(hidden)]
pub struct OfBoard<B: ?Sized>(PhantomData<B>);

impl<B: Blackboard + ?Sized, C: HasBoard<B> + ?Sized> Score<C, OfBoard<B>> for NamedVariable {
    fn of(&self, ctx: &C) -> f32 {
        value(ctx, self.name).map_or(f32::NAN, |value| value.score())
    }
}

/// An argument of a node that is a variable of a board `B`, by its name.
pub struct NamedArgument<B: ?Sized> {
    name: &'static str,
    board: PhantomData<fn() -> Box<B>>,
}

impl<T: FromScalar + Default + Copy + Send + Sync + 'static, B: ?Sized> IntoArgument<T, OfBoard<B>> for NamedVariable {
    type Argument = NamedArgument<B>;

    fn into_argument(self) -> NamedArgument<B> {
        NamedArgument { name: self.name, board: PhantomData }
    }
}

impl<T: FromScalar + Default + Copy + Send + Sync + 'static, B: ?Sized> Argument<T> for NamedArgument<B> {
    type Drawn = T;
    const CAN_FAIL: bool = true;

    fn value(&self, drawn: &T) -> T {
        *drawn
    }
}

impl<T, B, C> ArgumentIn<C, T> for NamedArgument<B>
where
    T: FromScalar + Default + Copy + Send + Sync + 'static,
    B: Blackboard + ?Sized,
    C: HasBoard<B> + ?Sized,
{
    fn draw(&self, ctx: &mut C) -> Option<T> {
        value(ctx, self.name).and_then(|value| T::from_scalar(&value))
    }

    fn fault(&self, ctx: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        show(&no_value::<T>(&format!("variable `{}`", self.name), value(ctx, self.name).as_ref()));
    }
}

impl<B: ?Sized> fmt::Debug for NamedArgument<B> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{{{}}}", self.name)
    }
}

/// Returns the reason why the value of a variable or a registered function cannot be used.
#[doc(hidden)]
pub fn no_value<T: FromScalar>(of: &str, value: Option<&Scalar>) -> String {
    match value {
        None => format!("{of} is not set"),
        Some(Scalar::Number(number)) => format!("{of} is `{number:?}`, expected {}", T::EXPECTED),
        Some(value) => format!("{of} is `{value}`, expected {}", T::EXPECTED),
    }
}

/// Returns the value of a variable from the context's own board, or else from the shared one.
///
/// A value that is not text, a number or a boolean is text: its `Debug` output, such as the name of an enum's variant.
///
/// ```
/// use bt_core::file::{Scalar, value};
/// use bt_core::prelude::*;
///
/// #[derive(Clone, Debug)]
/// enum Mood { Calm }
///
/// let mut board = Board::new();
/// board.set(&Key::new("mood"), Mood::Calm);
/// assert_eq!(value::<Board, _>(&board, "mood"), Some(Scalar::from("Calm")));
/// assert_eq!(value::<Board, _>(&board, "hunger"), None);
/// ```
pub fn value<B: Blackboard + ?Sized, C: HasBoard<B> + ?Sized>(ctx: &C, name: &str) -> Option<Scalar> {
    let find = |board: &B| {
        let mut found = None;
        board.show(&mut |variable| {
            if variable.name == name && variable.of.is_none() && found.is_none() {
                found = variable.value.map(|value| Scalar::of_debug(&format!("{value:?}")));
            }
        });
        found
    };
    find(ctx.board()).or_else(|| find(ctx.shared_board()?))
}

/// A `match` over a variable: see [`match_variable`].
#[derive(Clone, Debug)]
pub struct VariableCases<B: ?Sized, const N: usize> {
    name: &'static str,
    cases: [Scalar; N],
    board: PhantomData<fn() -> Box<B>>,
}

impl<B: ?Sized, const N: usize> SelectionShape for VariableCases<B, N> {
    fn show(&self, show: &mut dyn FnMut(Code<'_>, Texts<'_>)) {
        let on = format!("{{{}}}", self.name);
        let cases: Vec<_> = self.cases.iter().map(ToString::to_string).collect();
        let texts: Vec<_> = cases.iter().map(|case| &**case).chain(["_"]).collect();
        show(Code(&on), Texts(&texts));
    }
}

impl<B: Blackboard + ?Sized, C: HasBoard<B> + ?Sized, const N: usize> Selection<C> for VariableCases<B, N> {
    fn select(&self, ctx: &C) -> usize {
        let value = value(ctx, self.name);
        self.cases.iter().position(|case| Some(case) == value.as_ref()).unwrap_or(N)
    }
}

/// Creates a `match` over a variable, as a `match` over `"{mood}"` in a file.
///
/// Each case selects the child at its index. Any other value, and a variable that is not set, select the last
/// child. Typed code uses the keyword [`match`](crate::keywords::match_else) instead.
///
/// ```
/// use bt_core::file::match_variable;
/// use bt_core::prelude::*;
///
/// let tree = tree! { for Board: match_variable("mood", ["angry".into(), "calm".into()]) { run, succeed, fail } };
/// let mut board = Board::new();
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Failure);
/// board.set(&Key::new("mood"), "calm");
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Success);
/// ```
pub const fn match_variable<B: ?Sized, const N: usize, L>(
    name: &'static str,
    cases: [Scalar; N],
    children: L,
) -> Composed<Match<VariableCases<B, N>>, L> {
    compose(Select::new(VariableCases { name, cases, board: PhantomData }), children)
}

/// Like [`match_variable`]; the variable is read once per run, and the selected child runs to its end.
pub const fn mem_match_variable<B: ?Sized, const N: usize, L>(
    name: &'static str,
    cases: [Scalar; N],
    children: L,
) -> Composed<MemMatch<VariableCases<B, N>>, L> {
    compose(Select::new(VariableCases { name, cases, board: PhantomData }), children)
}
