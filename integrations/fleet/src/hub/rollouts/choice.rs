//! Which machines get the version of a rollout, and which versions it replaces.

use std::collections::{BTreeMap, BTreeSet};

use super::document::{DocumentAt, MachineDocuments, like};
use super::rollout::Rollout;

impl Rollout {
    /// Returns the version that most of the machines have that do not have this one. What pages have changed elsewhere is left alone.
    pub(super) fn most_common(&self, version: &str, all: &MachineDocuments, others: bool) -> Result<String, String> {
        let (mut counts, mut is_edited) = (BTreeMap::<&str, usize>::new(), false);
        for (_, documents) in all.values() {
            let other = like(documents, &self.document).filter(|other| other.edit && other.fingerprint != version);
            let Some(other) = other else { continue };
            let is_sent = self.known.contains(&other.fingerprint) || self.to.fingerprint == other.fingerprint;
            if others || is_sent || !other.edited {
                *counts.entry(&other.fingerprint).or_default() += 1;
            } else {
                is_edited = true;
            }
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count).map(|(fingerprint, _)| fingerprint.to_owned());
        let reason = if is_edited {
            "the other machines have versions that were edited there"
        } else {
            "all machines that have this document, and let pages edit it, have this version"
        };
        most.ok_or_else(|| reason.to_owned())
    }

    /// Returns the versions that would be replaced by that of a document.
    pub(super) fn would_replace(&self, lead: &DocumentAt, all: &MachineDocuments) -> BTreeSet<String> {
        let base = self.most_common(&lead.fingerprint, all, false).ok();
        let sent = self.known.iter().chain([&self.to.fingerprint]);
        base.into_iter().chain(sent.cloned()).filter(|version| *version != lead.fingerprint).collect()
    }

    /// Returns the names of a tenth of the machines, and of at least one besides that of the page: first those that have the version, then those that came first.
    pub(super) fn tenth(&self, all: &MachineDocuments) -> BTreeSet<String> {
        let mut found: Vec<_> = all
            .iter()
            .filter_map(|(machine, (name, documents))| {
                let document = like(documents, &self.document).filter(|document| document.edit)?;
                let has_it = document.fingerprint == self.to.fingerprint;
                (has_it || self.replaces(&document.fingerprint)).then_some((!has_it, *machine, name))
            })
            .collect();
        found.sort();
        let count = found.len().div_ceil(10).max(2);
        found.into_iter().take(count).map(|(_, _, name)| name.clone()).collect()
    }

    pub(super) fn replaces(&self, version: &String) -> bool {
        *version != self.to.fingerprint && (self.others || self.known.contains(version))
    }
}
