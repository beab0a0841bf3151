//! Literals of a part that were edited. They are set while the part is made or called.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bt_syntax::live::Literal;

/// The literals of one part, while it is made or called.
#[derive(Clone)]
pub(super) struct Literals {
    /// The tree that the part is in, by the address of its text.
    pub(super) site: usize,
    pub(super) part: u32,
    pub(super) all: Arc<[Literal]>,
}

thread_local! {
    static PRESENT: RefCell<Option<Literals>> = const { RefCell::new(None) };
    static INVALID: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Sets literals until it is dropped. Parts that a part calls have others, or none.
pub(super) struct Scope(#[expect(dead_code, reason = "it is dropped")] Option<Box<Before>>);

/// The literals that were set before.
struct Before(Option<Literals>);

impl Scope {
    /// Sets literals, if there are any. Most parts have none.
    #[inline(always)]
    pub(super) fn of(literals: Option<&Literals>) -> Self {
        Self(literals.map(Before::set))
    }
}

impl Before {
    #[cold]
    #[expect(clippy::unnecessary_box_returns, reason = "the common scope is a null pointer")]
    fn set(literals: &Literals) -> Box<Self> {
        Box::new(Self(PRESENT.replace(Some(literals.clone()))))
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        PRESENT.set(self.0.take());
    }
}

/// Calls a function with these literals. Returns its result, or the literals that have no value of their type.
pub(super) fn with<R>(literals: &Literals, make: impl FnOnce() -> R) -> Result<R, Vec<String>> {
    INVALID.take();
    let scope = Scope::of(Some(literals));
    let made = make();
    drop(scope);
    let invalid = INVALID.take();
    if invalid.is_empty() { Ok(made) } else { Err(invalid) }
}

/// Returns a literal of a part: the edited one, or the compiled one.
pub(super) fn literal<T: Value>(site: usize, part: u32, index: u32, compiled: T) -> T {
    PRESENT.with_borrow(|present| {
        let edited = present.as_ref().filter(|present| (present.site, present.part) == (site, part));
        let Some(edited) = edited.and_then(|present| present.all.get(index as usize)) else { return compiled };
        T::read(edited).unwrap_or_else(|| {
            let reason = format!("`{edited}` is no `{}`", std::any::type_name::<T>());
            INVALID.with_borrow_mut(|invalid| {
                // Nobody takes those of a call.
                if invalid.len() < 10 && !invalid.contains(&reason) {
                    invalid.push(reason);
                }
            });
            compiled
        })
    })
}

/// A type of literals.
pub trait Value: Sized {
    #[doc(hidden)]
    fn read(literal: &Literal) -> Option<Self>;
}

macro_rules! integers {
    ($($ty:ty)+) => { $(
        impl Value for $ty {
            fn read(literal: &Literal) -> Option<Self> {
                let Literal::Int { negative, digits, suffix } = literal else { return None };
                let fits = suffix.is_empty() || suffix == stringify!($ty);
                let sign = if *negative { "-" } else { "" };
                // The least integer has no positive counterpart.
                format!("{sign}{digits}").parse().ok().filter(|_| fits)
            }
        }
    )+ };
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! floats {
    ($($ty:ty)+) => { $(
        impl Value for $ty {
            fn read(literal: &Literal) -> Option<Self> {
                let (negative, digits, suffix) = match literal {
                    Literal::Float { negative, digits, suffix } => (negative, digits.clone(), suffix),
                    // `5f32` is a float.
                    Literal::Int { negative, digits, suffix } if suffix == stringify!($ty) => {
                        (negative, digits.to_string(), suffix)
                    }
                    _ => return None,
                };
                let fits = suffix.is_empty() || suffix == stringify!($ty);
                let number: Self = digits.parse().ok()?;
                fits.then_some(if *negative { -number } else { number })
            }
        }
    )+ };
}

floats!(f32 f64);

impl Value for bool {
    fn read(literal: &Literal) -> Option<Self> {
        if let Literal::Bool(is) = literal { Some(*is) } else { None }
    }
}

impl Value for char {
    fn read(literal: &Literal) -> Option<Self> {
        if let Literal::Char(sign) = literal { Some(*sign) } else { None }
    }
}

impl Value for &'static str {
    fn read(literal: &Literal) -> Option<Self> {
        if let Literal::Text(text) = literal { Some(kept_text(text)) } else { None }
    }
}

/// Returns a text that lives as long as the program, as a literal does. Each text that was ever written is kept once.
pub(super) fn kept_text(text: &str) -> &'static str {
    static KEPT: Mutex<Option<HashMap<String, &'static str>>> = Mutex::new(None);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = kept.get_or_insert_default();
    if let Some(known) = kept.get(text) {
        return known;
    }
    let new: &'static str = String::leak(text.to_owned());
    kept.insert(text.to_owned(), new);
    new
}
