//! Arguments that are functions of the context.

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;

use crate::argument::{Argument, ArgumentIn, IntoArgument};

/// The marker of an argument that is a function of the context `C`.
pub struct ByFunction<C: ?Sized>(PhantomData<C>);

/// An argument that is computed by a function of the context.
#[derive(Clone, Copy)]
pub struct Computed<F>(F);

impl<C: ?Sized, T: Default + Copy + Send + Sync + 'static, F: Fn(&C) -> T> IntoArgument<T, ByFunction<C>> for F {
    type Argument = Computed<F>;

    #[inline(always)]
    fn into_argument(self) -> Computed<F> {
        Computed(self)
    }
}

impl<T: Default + Copy + Send + Sync + 'static, F> Argument<T> for Computed<F> {
    type Drawn = T;

    #[inline(always)]
    fn value(&self, drawn: &T) -> T {
        *drawn
    }
}

impl<C: ?Sized, T: Default + Copy + Send + Sync + 'static, F: Fn(&C) -> T> ArgumentIn<C, T> for Computed<F> {
    #[inline(always)]
    fn draw(&self, ctx: &mut C) -> Option<T> {
        Some((self.0)(ctx))
    }
}

/// Writes the name of the function.
impl<F> fmt::Debug for Computed<F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = type_name::<F>();
        let name = path.rsplit("::").next().unwrap_or(path);
        let is_function = !path.contains('(') && name.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
        out.write_str(match name {
            // Not a name that a file could have registered.
            "{{closure}}" => "|_| …",
            name if is_function => name,
            // A function pointer, or a generic function.
            _ => "fn(…)",
        })
    }
}
