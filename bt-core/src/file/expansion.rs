//! The expansion of `#[action]` and `#[condition]` for [`FromProperties`](super::FromProperties).

/// Reads each parameter from the property of its name. Reads all of them before it returns, so that all errors are
/// reported.
#[doc(hidden)]
#[macro_export]
macro_rules! __from_properties {
    ($name:ident $(($field:ident $read:ident, $property:literal, $text:literal, $default:expr, $how:expr))*) => {
        // The operator `?` is compiled for each leaf.
        #[allow(clippy::question_mark)]
        impl $crate::file::FromProperties for $name {
            fn from_properties(__properties: &mut $crate::file::Properties<'_>) -> $crate::__private::Option<Self> {
                #[allow(unused_imports)]
                use $crate::file::{Readable as _, Unreadable as _};
                $(let $field = __properties.$read($property, $text, $default, $how);)*
                __properties.finish();
                $(let $crate::__private::Some($field) = $field else { return $crate::__private::None };)*
                $crate::__private::Some(Self { $($field,)* })
            }
        }
    };
}
