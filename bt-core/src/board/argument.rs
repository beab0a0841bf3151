//! Variables as arguments of nodes.

use core::fmt;

use crate::argument::{Argument, ArgumentIn, IntoArgument};
use crate::board::{HasBoard, Variable, read};

/// The marker of an argument that is a variable.
pub struct ByVariable;

/// An argument that is the value of a variable.
#[derive(Clone, Copy)]
pub struct FromVariable<V>(V);

impl<T: Default + Copy + Send + Sync + 'static, V: Variable<Value = T>> IntoArgument<T, ByVariable> for V {
    type Argument = FromVariable<V>;

    #[inline(always)]
    fn into_argument(self) -> FromVariable<V> {
        FromVariable(self)
    }
}

impl<T: Default + Copy + Send + Sync + 'static, V: Variable<Value = T>> Argument<T> for FromVariable<V> {
    type Drawn = T;
    const CAN_FAIL: bool = true;

    #[inline(always)]
    fn value(&self, drawn: &T) -> T {
        *drawn
    }
}

impl<C: ?Sized, T, V> ArgumentIn<C, T> for FromVariable<V>
where
    C: HasBoard<V::Board>,
    T: Default + Copy + Send + Sync + 'static,
    V: Variable<Value = T>,
{
    #[inline]
    fn draw(&self, ctx: &mut C) -> Option<T> {
        read(&self.0, ctx).ok().copied()
    }

    fn fault(&self, ctx: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        let name = self.0.name();
        match read(&self.0, ctx) {
            Ok(_) => {}
            Err(crate::Outcome::Error) => {
                show(&format_args!("variable `{name}` has another type, because two keys have the same name"));
            }
            Err(_) => show(&format_args!("variable `{name}` is not set")),
        }
    }
}

/// Writes the name in braces, as in files.
impl<V: Variable> fmt::Debug for FromVariable<V> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{{{}}}", self.0.name())
    }
}
