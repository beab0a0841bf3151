//! The documents of machines, as far as their versions are compared.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::hub::Machine;

/// A document at a machine.
#[derive(Clone, Debug, Deserialize)]
pub(in crate::hub) struct DocumentAt {
    /// The key at the machine.
    pub(in crate::hub) key: usize,
    name: String,
    path: Option<String>,
    /// That of the text.
    pub(super) fingerprint: String,
    /// Whether pages have changed it there.
    pub(super) edited: bool,
    /// Whether the program runs the text.
    pub(super) applied: bool,
    pub(super) error: Option<String>,
}

/// The names and the documents of machines.
pub(in crate::hub) type MachineDocuments = BTreeMap<Machine, (String, Vec<DocumentAt>)>;

/// Returns a document of a machine.
pub(in crate::hub) fn version_of(all: &MachineDocuments, machine: Machine, key: usize) -> Option<&DocumentAt> {
    all.get(&machine)?.1.iter().find(|document| document.key == key)
}

/// Returns whether two documents of one or of two machines are versions of one.
pub(super) fn same(one: &DocumentAt, other: &DocumentAt) -> bool {
    one.name == other.name && one.path == other.path
}

/// Returns the document of a machine that is a version of another one: that with its name or, of several, also with its path.
pub(super) fn like<'a>(documents: &'a [DocumentAt], other: &DocumentAt) -> Option<&'a DocumentAt> {
    let mut named = documents.iter().filter(|document| document.name == other.name);
    match (named.next(), named.next()) {
        (Some(only), None) => Some(only),
        _ => documents.iter().find(|document| same(document, other)),
    }
}
