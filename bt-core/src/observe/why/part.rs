//! The parts of a sentence, and what they are linked to.

use alloc::string::String;

use crate::id::NodeId;

/// A part of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(hidden)]
pub struct WhyPart {
    /// The text.
    pub text: String,
    /// The node and the tick of the event that the text states; `None` for the text between such statements.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub link: Option<WhyLink>,
}

/// A node at a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(hidden)]
pub struct WhyLink {
    /// The node.
    pub node: NodeId,
    /// The [number](crate::observe::TickRecord::number) of the tick.
    pub tick: u64,
}
