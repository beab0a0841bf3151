//! The list of notations.

use std::path::Path;

use super::document::Notation;
use super::json::Json;
use super::rust::Rust;
use super::text::Text;
use super::xml::Xml;

impl Notation {
    /// A Rust source with its `tree!`.
    pub const RUST: Self = Self(&Rust);
    /// A text of trees.
    pub const TEXT: Self = Self(&Text);
    /// A file of the Behavior3 editor.
    pub const JSON: Self = Self(&Json);
    /// A file of BehaviorTree.CPP.
    pub const XML: Self = Self(&Xml);
    /// All notations.
    pub const ALL: [Self; 4] = [Self::RUST, Self::TEXT, Self::JSON, Self::XML];

    fn by_extension(path: &Path) -> Option<Self> {
        let extension = path.extension().and_then(|end| end.to_str())?;
        Self::ALL.into_iter().find(|notation| notation.0.facts().extension == extension)
    }

    /// Returns the notation of a file, by the extension of its name: `.rs`, `.bt`, `.xml`, or else JSON.
    pub fn of(path: &Path) -> Self {
        Self::by_extension(path).unwrap_or(Self::JSON)
    }

    /// Returns the content of a new file; `None` unless the extension of its name is `.bt`, `.json` or `.xml`.
    pub fn new_file(path: &Path) -> Option<&'static str> {
        Self::by_extension(path)?.0.facts().new_file
    }
}
