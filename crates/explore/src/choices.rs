//! What is chosen in a tick, and the enumeration of all choices.

use std::cell::RefCell;

use bt_core::Status;

/// A choice that was made: an option, and how many there were.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The option, counted from 0.
    pub taken: u16,
    /// The number of options.
    pub options: u16,
    /// The label of the choice; empty if the choice has none.
    pub label: &'static str,
}

/// The label of the choices of free leaves.
pub(crate) const FREE: &str = "a status";
/// The label of the choice of a step of the clock.
pub(crate) const TIME: &str = "the time";

/// The source of choices of the current thread.
#[derive(Default)]
struct Source {
    /// The choices of the tick: those that are given, then those that were made in the tick, each of which is its first option.
    made: Vec<Choice>,
    /// The number of choices made so far.
    next: usize,
    is_open: bool,
    /// Whether free leaves leave out `Error`.
    has_no_errors: bool,
}

thread_local! {
    static SOURCE: RefCell<Source> = RefCell::new(Source::default());
}

/// Returns a number below `options`. An exploration continues with each of them.
///
/// Call it in leaves of a model, and in the [environment](crate::Explorer::environment). Everything else in a tick must follow from the context and
/// the memory.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_explore::{choose, explore};
///
/// #[derive(Clone, Hash)]
/// struct Robot { battery: u8 }
///
/// fn work(robot: &mut Robot) -> Status {
///     robot.battery -= choose(3) as u8;           // takes 0, 1 or 2 units of energy
///     Status::Running
/// }
/// fn is_low(robot: &Robot) -> bool { robot.battery < 2 }
/// fn charge(robot: &mut Robot) { robot.battery = 5 }
///
/// explore(tree! { for Robot: selector { sequence { is_low, charge } work } }, Robot { battery: 5 })
///     .sometimes("is empty", |tick| tick.ctx.battery == 0)
///     .check();
/// ```
///
/// # Panics
///
/// Panics if `options` is 0 or greater than 65,535, and outside of an exploration: use [`with_choices`] there.
#[track_caller]
pub fn choose(options: usize) -> usize {
    choose_labeled("", options)
}

/// Like [`choose`], with a label: counterexamples contain it.
///
/// # Panics
///
/// Panics where [`choose`] panics.
#[track_caller]
pub fn choose_labeled(label: &'static str, options: usize) -> usize {
    let Ok(options) = u16::try_from(options) else {
        panic!("a choice has at most {} options, found {options}", u16::MAX)
    };
    assert!(options > 0, "a choice needs at least one option");
    if options == 1 {
        return 0;
    }
    SOURCE.with_borrow_mut(|source| {
        assert!(
            source.is_open,
            "`choose` was called outside of a tick; help: choose in leaves and in the environment only; `bt_explore::with_choices(…)` runs a function with given choices"
        );
        if source.next == source.made.len() {
            source.made.push(Choice { taken: 0, options, label });
        }
        let choice = &mut source.made[source.next];
        source.next += 1;
        assert!(
            choice.options == options || choice.options == 0,
            "a tick must depend only on the context, the memory and its choices: choice {} had {} options before, now {options}",
            source.next,
            choice.options
        );
        assert!(choice.taken < options, "choice {} is {}, but there are only {options} options", source.next, choice.taken);
        (choice.options, choice.label) = (options, label);
        usize::from(choice.taken)
    })
}

/// Returns `true` or `false`; an exploration continues with both. The label is part of counterexamples.
///
/// # Panics
///
/// Panics where [`choose`] panics.
#[track_caller]
pub fn flip(label: &'static str) -> bool {
    choose_labeled(label, 2) == 1
}

/// Returns one of the items; an exploration continues with each. The label is part of counterexamples.
///
/// ```
/// use bt_core::Status;
/// use bt_explore::{pick, with_choices};
///
/// let grasp = || pick("grasp", &[Status::Running, Status::Success, Status::Failure]);
/// assert_eq!(with_choices([2], grasp), Status::Failure);
/// ```
///
/// # Panics
///
/// Panics if there are no items, and where [`choose`] panics.
#[track_caller]
pub fn pick<T: Clone>(label: &'static str, items: &[T]) -> T {
    items[choose_labeled(label, items.len())].clone()
}

/// Chooses one of the statuses of a free leaf.
pub(crate) fn choose_status(statuses: &[Status]) -> Status {
    if !SOURCE.with_borrow(|source| source.has_no_errors) {
        return statuses[choose_labeled(FREE, statuses.len())];
    }
    let (errors, others): (Vec<_>, Vec<_>) = statuses.iter().partition(|status| **status == Status::Error);
    let all = if others.is_empty() { errors } else { others };
    all[choose_labeled(FREE, all.len())]
}

/// Determines whether free leaves return errors.
pub(crate) fn set_errors(has_errors: bool) {
    SOURCE.with_borrow_mut(|source| source.has_no_errors = !has_errors);
}

/// Runs a function in which [`choose`] returns these numbers, one per call with more than one option; after them, 0. This is for unit tests of
/// a model.
///
/// # Panics
///
/// Panics if a number is not below the number of options, and in an exploration.
#[track_caller]
pub fn with_choices<R>(taken: impl IntoIterator<Item = usize>, run: impl FnOnce() -> R) -> R {
    let taken: Vec<_> = taken.into_iter().map(|taken| u16::try_from(taken).unwrap_or(u16::MAX)).collect();
    Script::of(&taken).play(run)
}

/// Panics in a tick of an exploration.
#[track_caller]
pub(crate) fn refuse_nesting() {
    assert!(!SOURCE.with_borrow(|source| source.is_open), "an exploration cannot contain another one");
}

/// The choices of one tick, and the way to those of the next one.
#[derive(Clone, Default, Debug)]
pub(crate) struct Script {
    pub(crate) made: Vec<Choice>,
}

/// Closes the source when a tick ends or panics.
struct Closing;

impl Drop for Closing {
    fn drop(&mut self) {
        SOURCE.with_borrow_mut(|source| source.is_open = false);
    }
}

impl Script {
    /// Creates the script of choices that were made before.
    pub(crate) fn of(taken: &[u16]) -> Self {
        Self { made: taken.iter().map(|taken| Choice { taken: *taken, options: 0, label: "" }).collect() }
    }

    /// Runs a function with these choices, and adds those that it makes beyond them.
    #[track_caller]
    pub(crate) fn play<R>(&mut self, run: impl FnOnce() -> R) -> R {
        refuse_nesting();
        SOURCE.with_borrow_mut(|source| {
            std::mem::swap(&mut source.made, &mut self.made);
            (source.next, source.is_open) = (0, true);
        });
        let closing = Closing;
        let result = run();
        drop(closing);
        self.take();
        result
    }

    /// Takes the choices after a tick, also after one that has panicked.
    pub(crate) fn take(&mut self) {
        SOURCE.with_borrow_mut(|source| {
            // Given choices that were not needed.
            source.made.truncate(source.next);
            std::mem::swap(&mut source.made, &mut self.made);
        });
    }

    /// Returns the options that were taken.
    pub(crate) fn taken(&self) -> Vec<u16> {
        self.made.iter().map(|choice| choice.taken).collect()
    }

    /// Advances to the next choices, in lexical order. Returns `false` after the last ones.
    pub(crate) fn advance(&mut self) -> bool {
        while let Some(last) = self.made.last_mut() {
            last.taken += 1;
            if last.taken < last.options {
                return true;
            }
            self.made.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_choices_are_enumerated_once() {
        let (mut script, mut all) = (Script::default(), Vec::new());
        loop {
            all.push(script.play(|| match choose(3) {
                0 => vec![0],
                1 => vec![1, choose(2)],
                _ => vec![2, choose(1), choose(2)],
            }));
            if !script.advance() {
                break;
            }
        }
        assert_eq!(all, [vec![0], vec![1, 0], vec![1, 1], vec![2, 0, 0], vec![2, 0, 1]]);
    }

    #[test]
    #[should_panic = "outside of a tick"]
    fn a_choice_outside_of_an_exploration_panics() {
        choose(2);
    }

    #[test]
    #[should_panic = "only 2 options"]
    fn a_given_choice_that_is_no_option_panics() {
        with_choices([2], || choose(2));
    }

    #[test]
    fn choices_are_closed_after_a_panic() {
        assert!(std::panic::catch_unwind(|| with_choices([1], || assert_eq!(choose(2), 0))).is_err());
        assert_eq!(with_choices([1], || choose(2)), 1);
    }

    #[test]
    fn choices_beyond_those_given_are_the_first() {
        assert_eq!(with_choices([1], || (choose(2), choose(2))), (1, 0));
    }
}
