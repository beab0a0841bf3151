//! The interface of leaves to files: leaves that are created from the properties of a node.
//!
//! The crate `bt-dynamic` loads files at run time. [`tree_from_json!`](crate::tree_from_json!) builds them in at
//! compile time.

mod expansion;
pub(crate) mod literal;
mod nested;
mod probe;
mod properties;
mod reader;
mod text;
mod variable;

#[doc(hidden)]
pub use bt_behavior3::FromScalar;
pub use bt_behavior3::Scalar;
#[doc(hidden)]
pub use nested::{Written, nested};
#[doc(hidden)]
pub use probe::Asked;
pub use properties::{FromProperties, NoProperties, Properties};
#[doc(hidden)]
pub use properties::{TypedVariable, VariableTypes, VariableUse};
#[doc(hidden)]
pub use reader::{How, Readable, Reader, Unreadable};
#[doc(hidden)]
pub use variable::{
    NamedArgument, NamedVariable, OfBoard, VariableCases, match_variable, mem_match_variable, no_value, value, variable,
};
