//! Values that the nodes of a loaded tree read from the context: scores, and what `match` evaluates.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use bt_behavior3::{FromScalar, Scalar};
use bt_core::argument::{Argument, ArgumentIn, ByValue, IntoArgument, Ranged, Sample};
use bt_core::composite::{Code, ScoreList, Scores, Selection, SelectionShape, Texts};
use bt_core::file::no_value;

use crate::capabilities::Capable;

/// A registered function of the context.
pub(crate) type Function<C> = Arc<dyn Fn(&C) -> Scalar + Send + Sync>;

/// A function that reads a variable of the context's board by its name.
pub(crate) type ReadVariable<C> = fn(&C, &str) -> Option<Scalar>;

/// The values that files can name.
pub(crate) struct Values<C: ?Sized> {
    pub(crate) functions: BTreeMap<String, Function<C>>,
    /// Reads variables, if the registry has a board.
    pub(crate) variable: Option<ReadVariable<C>>,
    /// The variables that the program sets, if the registry names them.
    pub(crate) declared: Option<BTreeSet<String>>,
}

/// A value that a node reads.
pub(crate) enum Reading<C: ?Sized> {
    Number(f64),
    Function(Function<C>),
    Variable(String, ReadVariable<C>),
}

impl<C: ?Sized> Reading<C> {
    fn read(&self, ctx: &C) -> Option<Scalar> {
        match self {
            Reading::Number(number) => Some(Scalar::Number(*number)),
            Reading::Function(function) => Some(function(ctx)),
            Reading::Variable(name, read) => read(ctx, name),
        }
    }
}

/// A number or time of a word.
pub(crate) enum DynAmount<C: ?Sized, T> {
    Fixed(T),
    Range(Ranged<T>),
    /// What it is read from, as in the file.
    Read(String, Reading<C>),
}

impl<C: ?Sized, T: Sample> IntoArgument<T, ByValue> for DynAmount<C, T> {
    type Argument = Self;

    fn into_argument(self) -> Self {
        self
    }
}

impl<C: ?Sized, T: Sample> Argument<T> for DynAmount<C, T> {
    type Drawn = T;
    const CAN_FAIL: bool = true;

    fn value(&self, drawn: &T) -> T {
        *drawn
    }

    fn fixed(&self) -> Option<T> {
        match self {
            DynAmount::Fixed(value) => Some(*value),
            DynAmount::Range(_) | DynAmount::Read(..) => None,
        }
    }
}

impl<C: ?Sized, T: Sample + FromScalar> ArgumentIn<Capable<'_, C>, T> for DynAmount<C, T> {
    fn draw(&self, ctx: &mut Capable<'_, C>) -> Option<T> {
        match self {
            DynAmount::Fixed(value) => Some(*value),
            DynAmount::Range(range) => Some(range.sample(ctx)),
            DynAmount::Read(_, reading) => T::from_scalar(&reading.read(ctx.ctx)?),
        }
    }

    fn fault(&self, ctx: &Capable<'_, C>, show: &mut dyn FnMut(&dyn fmt::Display)) {
        let DynAmount::Read(text, reading) = self else { return };
        let of = match reading {
            Reading::Variable(name, _) => format!("variable `{name}`"),
            Reading::Function(_) | Reading::Number(_) => format!("value `{text}`"),
        };
        show(&no_value::<T>(&of, reading.read(ctx.ctx).as_ref()));
    }
}

/// Writes the amount as in the file.
impl<C: ?Sized, T: fmt::Debug> fmt::Debug for DynAmount<C, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DynAmount::Fixed(value) => value.fmt(out),
            DynAmount::Range(range) => range.fmt(out),
            DynAmount::Read(text, _) => out.write_str(text),
        }
    }
}

/// The scores of a utility selector.
pub(crate) struct DynScores<C: ?Sized> {
    /// The scores as in the file.
    pub(crate) texts: Vec<String>,
    pub(crate) readings: Vec<Reading<C>>,
}

impl<C: ?Sized> ScoreList for DynScores<C> {
    type Flags = Vec<bool>;

    fn show(&self, show: &mut dyn FnMut(&dyn fmt::Debug)) {
        let texts: Vec<_> = self.texts.iter().map(|text| &**text).collect();
        show(&Texts(&texts));
    }
}

impl<C: ?Sized> Scores<C> for DynScores<C> {
    fn score(&self, child: usize, ctx: &C) -> f32 {
        let value = self.readings.get(child).and_then(|reading| reading.read(ctx));
        value.map_or(f32::NAN, |value| value.score())
    }
}

/// The value and the cases of a `match`.
pub(crate) struct DynCases<C: ?Sized> {
    /// The value as in the file.
    pub(crate) on: String,
    pub(crate) reading: Reading<C>,
    /// The cases of all children except the last.
    pub(crate) cases: Vec<Scalar>,
}

impl<C: ?Sized> SelectionShape for DynCases<C> {
    fn show(&self, show: &mut dyn FnMut(Code<'_>, Texts<'_>)) {
        let cases: Vec<_> = self.cases.iter().map(ToString::to_string).collect();
        let texts: Vec<_> = cases.iter().map(|case| &**case).chain(["_"]).collect();
        show(Code(&self.on), Texts(&texts));
    }
}

impl<C: ?Sized> Selection<C> for DynCases<C> {
    fn select(&self, ctx: &C) -> usize {
        let value = self.reading.read(ctx);
        self.cases.iter().position(|case| Some(case) == value.as_ref()).unwrap_or(self.cases.len())
    }
}
