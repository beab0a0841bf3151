//! The documents of machines, as far as their versions are compared.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::hub::machine::Machine;

/// A document at a machine.
#[derive(Clone, Debug, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the fields of the protocol")]
pub(in crate::hub) struct DocumentAt {
    /// The key at the machine.
    pub(in crate::hub) key: usize,
    name: String,
    path: Option<String>,
    /// That of the text.
    pub(super) fingerprint: String,
    /// Whether the program lets pages edit it.
    pub(super) edit: bool,
    /// Whether its file has the text, if it is in a file.
    pub(super) saved: bool,
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

/// Returns the document of a machine that is a version of another one: that with its name or, of several, that with most of its folders.
pub(super) fn like<'a>(documents: &'a [DocumentAt], other: &DocumentAt) -> Option<&'a DocumentAt> {
    let named = documents.iter().filter(|document| document.name == other.name);
    let mut found: Vec<_> = named.map(|document| (common_folders(document, other), document)).collect();
    found.sort_by_key(|(common, _)| std::cmp::Reverse(*common));
    match found.as_slice() {
        [(most, _), (more, _), ..] if most == more => None,
        [(_, document), ..] => Some(document),
        [] => None,
    }
}

/// Returns whether a machine has several documents with the name of another one.
pub(super) fn has_several(documents: &[DocumentAt], other: &DocumentAt) -> bool {
    documents.iter().filter(|document| document.name == other.name).count() > 1
}

/// Returns the number of folders above the files that have the same names.
fn common_folders(one: &DocumentAt, other: &DocumentAt) -> usize {
    let parts = |document: &DocumentAt| {
        let path = document.path.clone().unwrap_or_default();
        path.rsplit(['/', '\\']).map(str::to_owned).collect::<Vec<_>>()
    };
    parts(one).iter().zip(&parts(other)).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(key: usize, name: &str, path: Option<&str>) -> DocumentAt {
        let (name, path) = (name.to_owned(), path.map(str::to_owned));
        DocumentAt {
            key,
            name,
            path,
            fingerprint: String::new(),
            edit: true,
            saved: true,
            edited: false,
            applied: true,
            error: None,
        }
    }

    #[test]
    fn a_document_of_another_machine_has_the_same_name_and_most_folders() {
        let file = |key, path: &str| document(key, "cart.bt", Some(path));
        let lead = file(9, "/home/ann/trees/dock/cart.bt");
        let found = |documents: &[DocumentAt]| like(documents, &lead).map(|document| document.key);
        assert_eq!(found(&[file(0, "/opt/cart.bt"), document(1, "arm.bt", None)]), Some(0), "the only one");
        assert_eq!(found(&[document(0, "cart.bt", None)]), Some(0), "it need not be in a file");
        assert_eq!(found(&[file(0, "/opt/hall/cart.bt"), file(1, "C:\\trees\\dock\\cart.bt")]), Some(1));
        assert_eq!(found(&[file(0, "/a/cart.bt"), file(1, "/b/cart.bt")]), None, "it could be either");
        assert_eq!(found(&[document(0, "arm.bt", None)]), None);
    }
}
