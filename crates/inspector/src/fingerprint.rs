//! The fingerprint of a text, by which versions of a document are compared. No machine can send another text with the same one.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// Returns the fingerprint of the text of a document, as in updates.
#[must_use]
pub fn fingerprint(text: &str) -> String {
    let hash = Sha256::digest(text);
    hash.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
