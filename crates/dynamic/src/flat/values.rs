//! Values that the nodes of a loaded tree read from the context: scores, and what `match` evaluates.

use std::fmt;
use std::sync::Arc;

use bt_behavior3::{FromScalar, Scalar};
use bt_core::argument::{Argument, ArgumentIn, ByValue, IntoArgument, Ranged, Sample};
use bt_core::composite::{Code, ScoreList, Scores, Selection, SelectionShape, Texts, WeightList, Weights};
use bt_core::file::no_value;

use crate::flat::host::{HostContext, Reading};
use bt_core::ContextOf;

/// A registered function of the context.
pub(crate) type Function<F> = Arc<dyn Fn(&ContextOf<'_, '_, F>) -> Scalar + Send + Sync>;

/// A function that reads a variable of the context's board by its name.
pub(crate) type ReadVariable<F> = fn(&ContextOf<'_, '_, F>, &str) -> Option<Scalar>;

/// A number or time of a word.
pub(crate) enum LoadedAmount<T> {
    Fixed(T),
    Range(Ranged<T>),
    /// What it is read from, as in the file.
    Read(String, Reading),
}

impl<T: Sample> IntoArgument<T, ByValue> for LoadedAmount<T> {
    type Argument = Self;

    fn into_argument(self) -> Self {
        self
    }
}

impl<T: Sample> Argument<T> for LoadedAmount<T> {
    type Drawn = T;
    const CAN_FAIL: bool = true;

    fn value(&self, drawn: &T) -> T {
        // As in `tree!`, a value of the tree holds for a run that was saved under another one.
        self.fixed().unwrap_or(*drawn)
    }

    fn fixed(&self) -> Option<T> {
        match self {
            LoadedAmount::Fixed(value) => Some(*value),
            LoadedAmount::Range(_) | LoadedAmount::Read(..) => None,
        }
    }
}

impl<T: Sample + FromScalar> ArgumentIn<HostContext<'_>, T> for LoadedAmount<T> {
    fn draw(&self, ctx: &mut HostContext<'_>) -> Option<T> {
        match self {
            LoadedAmount::Fixed(value) => Some(*value),
            LoadedAmount::Range(range) => Some(range.sample(ctx)),
            LoadedAmount::Read(_, reading) => T::from_scalar(&ctx.0.read(reading)?),
        }
    }

    fn fault(&self, ctx: &HostContext<'_>, show: &mut dyn FnMut(&dyn fmt::Display)) {
        let LoadedAmount::Read(text, reading) = self else { return };
        let of = match reading {
            Reading::Variable(name) => format!("variable `{name}`"),
            Reading::Function(_) | Reading::Number(_) => format!("value `{text}`"),
        };
        show(&no_value::<T>(&of, ctx.0.read(reading).as_ref()));
    }
}

/// Writes the amount as in the file.
impl<T: fmt::Debug> fmt::Debug for LoadedAmount<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadedAmount::Fixed(value) => value.fmt(out),
            LoadedAmount::Range(range) => range.fmt(out),
            LoadedAmount::Read(text, _) => out.write_str(text),
        }
    }
}

/// The scores of a utility selector.
pub(crate) struct LoadedScores {
    /// The scores as in the file.
    pub(crate) texts: Vec<String>,
    pub(crate) readings: Vec<Reading>,
}

impl ScoreList for LoadedScores {
    fn show(&self, show: &mut dyn FnMut(&dyn fmt::Debug)) {
        let texts: Vec<_> = self.texts.iter().map(|text| &**text).collect();
        show(&Texts(&texts));
    }
}

impl Scores<HostContext<'_>> for LoadedScores {
    fn score(&self, child: usize, ctx: &HostContext<'_>) -> f32 {
        let value = self.readings.get(child).and_then(|reading| ctx.0.read(reading));
        value.map_or(f32::NAN, |value| value.score())
    }
}

/// The weights of all children of a random composite; `None` if they are equal.
pub(crate) struct LoadedWeights(pub(crate) Option<Vec<f64>>);

impl WeightList for LoadedWeights {
    fn weight(&self) -> Option<impl Fn(usize) -> f64> {
        let weights = self.0.as_ref()?;
        Some(|child| weights.get(child).copied().unwrap_or(1.0))
    }

    fn show(&self, show: &mut dyn FnMut(Option<&dyn fmt::Debug>)) {
        show(self.0.as_ref().map(|weights| weights as &dyn fmt::Debug));
    }
}

impl Weights<HostContext<'_>> for LoadedWeights {
    fn bits(&self, ctx: &mut HostContext<'_>) -> u64 {
        ctx.0.random()
    }
}

/// The value and the cases of a `match`.
pub(crate) struct LoadedCases {
    /// The value as in the file.
    pub(crate) on: String,
    pub(crate) reading: Reading,
    /// The cases of all children except the last.
    pub(crate) cases: Vec<Scalar>,
    /// The same as they are shown.
    pub(crate) texts: Vec<String>,
}

impl SelectionShape for LoadedCases {
    fn show(&self, show: &mut dyn FnMut(Code<'_>, Texts<'_>)) {
        let texts: Vec<_> = self.texts.iter().map(|case| &**case).chain(["_"]).collect();
        show(Code(&self.on), Texts(&texts));
    }
}

impl Selection<HostContext<'_>> for LoadedCases {
    fn select(&self, ctx: &HostContext<'_>) -> usize {
        let value = ctx.0.read(&self.reading);
        self.cases.iter().position(|case| Some(case) == value.as_ref()).unwrap_or(self.cases.len())
    }
}
