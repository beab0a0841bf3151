//! Decorators that map the outcome of their child.

use bt_words::Word;

use crate::decorator::policy::{AfterChild, Decorator, DecoratorShape};
use crate::status::{Never, Outcome};
use crate::wake::Foreseen;

/// Turns success into failure and failure into success. `!child` is short for `invert { child }`.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: sequence { !|asleep: &bool| *asleep, invert { fail } } };
/// assert_eq!(tree.tick(&mut false, &mut tree.memory()), Status::Success);
/// ```
pub const fn invert() -> Invert {
    Invert
}

/// Succeeds when its child ends with success or failure. `Running` and `Error` of the child are passed on.
///
/// The Succeeder of "An Introduction to Behavior Trees, part 3" also swallows `Running` and `Error`: see
/// [`Decorator::running`](crate::decorator::Decorator::running). `Succeeder` in files is the leaf [`succeed`](crate::leaf::succeed).
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): force_success { fail } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Success);
/// ```
pub const fn force_success() -> Force<true> {
    Force
}

/// Fails when its child ends with success or failure. `Running` and `Error` of the child are passed on. (Failer in
/// Behavior3.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): force_failure { succeed } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Failure);
/// ```
pub const fn force_failure() -> Force<false> {
    Force
}

/// The policy of [`invert`](crate::keywords::invert).
#[derive(Clone, Copy, Debug)]
pub struct Invert;

impl DecoratorShape for Invert {
    type Open = ();
    type Kept = ();
    type Pause = Never;
    const WORD: Option<Word> = Some(Word::Invert);
    const RESTARTS: bool = true;

    #[inline]
    fn foresee(&self, (): &(), child: &mut dyn FnMut() -> Foreseen) -> Foreseen {
        let (outcome, until) = child()?;
        match outcome {
            Outcome::Success => Some((Outcome::Failure, until)),
            Outcome::Failure => Some((Outcome::Success, until)),
            Outcome::Error => None,
        }
    }
}

impl<C: ?Sized> Decorator<C> for Invert {
    #[inline(always)]
    fn end(&self, outcome: Outcome, (): &mut (), (): &mut (), _: &mut C) -> AfterChild<Never> {
        AfterChild::End(Outcome::from(outcome == Outcome::Failure))
    }
}

/// The policy of [`force_success`](crate::keywords::force_success) and [`force_failure`](crate::keywords::force_failure).
#[derive(Clone, Copy, Debug)]
pub struct Force<const SUCCESS: bool>;

impl<const SUCCESS: bool> Force<SUCCESS> {
    const WORD: Word = if SUCCESS { Word::ForceSuccess } else { Word::ForceFailure };
}

impl<const SUCCESS: bool> DecoratorShape for Force<SUCCESS> {
    type Open = ();
    type Kept = ();
    type Pause = Never;
    const WORD: Option<Word> = Some(Self::WORD);
    const RESTARTS: bool = true;

    #[inline]
    fn foresee(&self, (): &(), child: &mut dyn FnMut() -> Foreseen) -> Foreseen {
        match child()? {
            (Outcome::Error, _) => None,
            (_, until) => Some((Outcome::from(SUCCESS), until)),
        }
    }
}

impl<C: ?Sized, const SUCCESS: bool> Decorator<C> for Force<SUCCESS> {
    #[inline(always)]
    fn end(&self, _: Outcome, (): &mut (), (): &mut (), _: &mut C) -> AfterChild<Never> {
        AfterChild::End(Outcome::from(SUCCESS))
    }
}
