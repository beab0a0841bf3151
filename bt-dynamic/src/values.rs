//! Values that the nodes of a loaded tree read from the context: scores, and what `match` evaluates.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use bt_behavior3::{FromScalar, Scalar};
use bt_core::argument::{Argument, ArgumentIn, ByValue, IntoArgument, Ranged, Sample};
use bt_core::composite::{Code, ScoreList, Scores, Selection, SelectionShape, Texts, WeightList, Weights};
use bt_core::file::no_value;

use crate::capabilities::{Capable, RandomBits};
use bt_core::{ContextOf, Contexts};

/// A registered function of the context.
pub(crate) type Function<F> = Arc<dyn Fn(&ContextOf<'_, '_, F>) -> Scalar + Send + Sync>;

/// A function that reads a variable of the context's board by its name.
pub(crate) type ReadVariable<F> = fn(&ContextOf<'_, '_, F>, &str) -> Option<Scalar>;

/// The values that files can name.
pub(crate) struct Values<F: Contexts> {
    pub(crate) functions: BTreeMap<String, Function<F>>,
    /// Reads variables, if the registry has a board.
    pub(crate) variable: Option<ReadVariable<F>>,
    /// The variables that the program sets, if the registry names them.
    pub(crate) declared: Option<BTreeSet<String>>,
}

/// A value that a node reads.
pub(crate) enum Reading<F: Contexts> {
    Number(f64),
    Function(Function<F>),
    Variable(String, ReadVariable<F>),
}

impl<F: Contexts> Reading<F> {
    fn read(&self, ctx: &ContextOf<'_, '_, F>) -> Option<Scalar> {
        match self {
            Reading::Number(number) => Some(Scalar::Number(*number)),
            Reading::Function(function) => Some(function(ctx)),
            Reading::Variable(name, read) => read(ctx, name),
        }
    }
}

/// A number or time of a word.
pub(crate) enum DynAmount<F: Contexts, T> {
    Fixed(T),
    Range(Ranged<T>),
    /// What it is read from, as in the file.
    Read(String, Reading<F>),
}

impl<F: Contexts, T: Sample> IntoArgument<T, ByValue> for DynAmount<F, T> {
    type Argument = Self;

    fn into_argument(self) -> Self {
        self
    }
}

impl<F: Contexts, T: Sample> Argument<T> for DynAmount<F, T> {
    type Drawn = T;
    const CAN_FAIL: bool = true;

    fn value(&self, drawn: &T) -> T {
        // As in `tree!`, a value of the tree holds for a run that was saved under another one.
        self.fixed().unwrap_or(*drawn)
    }

    fn fixed(&self) -> Option<T> {
        match self {
            DynAmount::Fixed(value) => Some(*value),
            DynAmount::Range(_) | DynAmount::Read(..) => None,
        }
    }
}

impl<F: Contexts, T: Sample + FromScalar> ArgumentIn<Capable<'_, '_, '_, F>, T> for DynAmount<F, T> {
    fn draw(&self, ctx: &mut Capable<'_, '_, '_, F>) -> Option<T> {
        match self {
            DynAmount::Fixed(value) => Some(*value),
            DynAmount::Range(range) => Some(range.sample(ctx)),
            DynAmount::Read(_, reading) => T::from_scalar(&reading.read(ctx.ctx)?),
        }
    }

    fn fault(&self, ctx: &Capable<'_, '_, '_, F>, show: &mut dyn FnMut(&dyn fmt::Display)) {
        let DynAmount::Read(text, reading) = self else { return };
        let of = match reading {
            Reading::Variable(name, _) => format!("variable `{name}`"),
            Reading::Function(_) | Reading::Number(_) => format!("value `{text}`"),
        };
        show(&no_value::<T>(&of, reading.read(ctx.ctx).as_ref()));
    }
}

/// Writes the amount as in the file.
impl<F: Contexts, T: fmt::Debug> fmt::Debug for DynAmount<F, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DynAmount::Fixed(value) => value.fmt(out),
            DynAmount::Range(range) => range.fmt(out),
            DynAmount::Read(text, _) => out.write_str(text),
        }
    }
}

/// The scores of a utility selector.
pub(crate) struct DynScores<F: Contexts> {
    /// The scores as in the file.
    pub(crate) texts: Vec<String>,
    pub(crate) readings: Vec<Reading<F>>,
}

impl<F: Contexts> ScoreList for DynScores<F> {
    fn show(&self, show: &mut dyn FnMut(&dyn fmt::Debug)) {
        let texts: Vec<_> = self.texts.iter().map(|text| &**text).collect();
        show(&Texts(&texts));
    }
}

impl<F: Contexts> Scores<ContextOf<'_, '_, F>> for DynScores<F> {
    fn score(&self, child: usize, ctx: &ContextOf<'_, '_, F>) -> f32 {
        let value = self.readings.get(child).and_then(|reading| reading.read(ctx));
        value.map_or(f32::NAN, |value| value.score())
    }
}

/// The weights of a random composite.
pub(crate) struct DynWeights<F: Contexts> {
    /// The weights of all children; `None` if they are equal.
    pub(crate) weights: Option<Vec<f64>>,
    /// Loading rejects a tree that needs random numbers without it.
    pub(crate) random: Option<RandomBits<F>>,
}

impl<F: Contexts> WeightList for DynWeights<F> {
    fn weight(&self) -> Option<impl Fn(usize) -> f64> {
        let weights = self.weights.as_ref()?;
        Some(|child| weights.get(child).copied().unwrap_or(1.0))
    }

    fn show(&self, show: &mut dyn FnMut(Option<&dyn fmt::Debug>)) {
        show(self.weights.as_ref().map(|weights| weights as &dyn fmt::Debug));
    }
}

impl<F: Contexts> Weights<ContextOf<'_, '_, F>> for DynWeights<F> {
    fn bits(&self, ctx: &mut ContextOf<'_, '_, F>) -> u64 {
        self.random.map_or(0, |random| random(ctx))
    }
}

/// The value and the cases of a `match`.
pub(crate) struct DynCases<F: Contexts> {
    /// The value as in the file.
    pub(crate) on: String,
    pub(crate) reading: Reading<F>,
    /// The cases of all children except the last.
    pub(crate) cases: Vec<Scalar>,
}

impl<F: Contexts> SelectionShape for DynCases<F> {
    fn show(&self, show: &mut dyn FnMut(Code<'_>, Texts<'_>)) {
        let cases: Vec<_> = self.cases.iter().map(ToString::to_string).collect();
        let texts: Vec<_> = cases.iter().map(|case| &**case).chain(["_"]).collect();
        show(Code(&self.on), Texts(&texts));
    }
}

impl<F: Contexts> Selection<ContextOf<'_, '_, F>> for DynCases<F> {
    fn select(&self, ctx: &ContextOf<'_, '_, F>) -> usize {
        let value = self.reading.read(ctx);
        self.cases.iter().position(|case| Some(case) == value.as_ref()).unwrap_or(self.cases.len())
    }
}
