//! Literals of a part that were edited. They are set while the part is made or called.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bt_syntax::live::Literal;

use super::site::Site;

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
    /// Whether a part is made, so that its invalid literals are an error of the edit.
    static MAKES: Cell<bool> = const { Cell::new(false) };
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

/// Notes that a part is made, until it is dropped.
struct Makes;

impl Makes {
    fn begin() -> Self {
        MAKES.set(true);
        Self
    }
}

impl Drop for Makes {
    fn drop(&mut self) {
        MAKES.set(false);
    }
}

/// Calls a function with these literals. Returns its result, or the literals that have no value of their type.
pub(super) fn with<R>(literals: &Literals, make: impl FnOnce() -> R) -> Result<R, Vec<String>> {
    INVALID.take();
    let scope = Scope::of(Some(literals));
    let making = Makes::begin();
    let made = make();
    drop((making, scope));
    let invalid = INVALID.take();
    if invalid.is_empty() { Ok(made) } else { Err(invalid) }
}

/// Receives a literal in a closure that has no value of its type. This is known only when the closure is called.
type OnInvalid = fn(&'static Site, String);

static ON_INVALID: OnceLock<OnInvalid> = OnceLock::new();

/// Calls a function with each literal in a closure that has no value of its type. The compiled literal is used in its place.
pub fn on_invalid(call: OnInvalid) {
    ON_INVALID.get_or_init(|| call);
}

impl Site {
    /// Returns a literal of a part: as edited while the part is made or called, otherwise as compiled.
    #[inline]
    pub fn literal<T: Value>(&'static self, part: u32, index: u32, compiled: T) -> T {
        PRESENT.with_borrow(|present| {
            let edited = present.as_ref().filter(|present| (present.site, present.part) == (self.id(), part));
            let Some(edited) = edited.and_then(|present| present.all.get(index as usize)) else { return compiled };
            T::read(edited).unwrap_or_else(|| {
                invalid(self, format!("`{edited}` is not a valid `{}`", std::any::type_name::<T>()));
                compiled
            })
        })
    }
}

#[cold]
fn invalid(site: &'static Site, reason: String) {
    let is_new = INVALID.with_borrow_mut(|invalid| {
        let is_new = invalid.len() < MOST_INVALID && !invalid.contains(&reason);
        if is_new {
            invalid.push(reason.clone());
        }
        is_new
    });
    if is_new
        && !MAKES.get()
        && let Some(call) = ON_INVALID.get()
    {
        call(site, reason + "; the compiled value is used");
    }
}

/// The maximum number of literals that are reported.
const MOST_INVALID: usize = 10;

/// A type of literals.
pub trait Value: Sized {
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

#[cfg(test)]
mod tests {
    use super::*;

    static SITE: Site = Site::new("a.rs", 1, None, "a", (1, 1));
    static REPORTED: Mutex<Vec<String>> = Mutex::new(Vec::new());

    fn edited(text: &str) -> Literals {
        let literal = text.parse().expect("the text is a literal");
        Literals { site: SITE.id(), part: 0, all: Arc::new([literal]) }
    }

    /// Returns a literal as a call of its part reads it.
    fn read<T: Value>(text: &str, compiled: T) -> T {
        let _scope = Scope::of(Some(&edited(text)));
        SITE.literal(0, 0, compiled)
    }

    #[test]
    fn edited_literals_are_read_by_their_type() {
        assert_eq!(read("-128", 5_i8), -128);
        assert_eq!(read("0xff_u8", 5_u8), 255);
        assert_eq!(
            (read("2.5e3", 1.0_f32).to_string(), read("-7f64", 1.0_f64).to_string()),
            ("2500".into(), "-7".into())
        );
        assert_eq!((read("'x'", 'a'), read("false", true), read("\"a\\n\"", "b")), ('x', false, "a\n"));
        assert_eq!(SITE.literal(0, 0, 5), 5, "it is that of the part only while it is called");
        let _scope = Scope::of(Some(&edited("7")));
        assert_eq!((SITE.literal(1, 0, 5), SITE.literal(0, 1, 5)), (5, 5), "it is that of another part, or another");
    }

    #[test]
    fn a_literal_without_a_value_of_its_type_is_reported_once() {
        on_invalid(|_, reason| REPORTED.lock().expect("nobody panics").push(reason));
        for _ in 0..3 {
            assert_eq!(read("3000000000", 5_i32), 5);
        }
        let reported = || std::mem::take(&mut *REPORTED.lock().expect("nobody panics"));
        assert_eq!(reported(), ["`3000000000` is not a valid `i32`; the compiled value is used"]);
        let made = with(&edited("300"), || SITE.literal(0, 0, 5_u8));
        assert_eq!(made.unwrap_err(), ["`300` is not a valid `u8`"]);
        assert!(reported().is_empty(), "the edit is refused");
    }
}
