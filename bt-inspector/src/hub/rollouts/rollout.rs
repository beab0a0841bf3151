//! One version of a document on its way to machines.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::json;

use super::document::{DocumentAt, MachineDocuments, like};
use super::{PAGE, RolloutRequest, Step};
use crate::fingerprint::fingerprint;
use crate::hub::{Machine, Outgoing, ToMachine};

/// The maximum size of a document that is sent to machines, in bytes.
const MAX_TEXT: usize = 256 << 10;
/// The maximum number of versions that are known as those of a rollout. Machines with earlier ones are left alone.
const MAX_KNOWN: usize = 256;

/// The number of machines that are asked for a text at a time: one that does not answer must not stop the others.
const ASKED: usize = 3;

/// A version of the document. Its text is read from a machine that has it.
#[derive(Default)]
struct Version {
    fingerprint: String,
    text: Option<String>,
    /// The machines that were asked for the text.
    asked: BTreeSet<Machine>,
    /// Those that have answered with another one.
    failed: BTreeSet<Machine>,
}

/// What was sent to a machine.
pub(super) enum Sent {
    /// It has not answered.
    Waiting,
    Done,
    Refused(String),
}

pub(super) struct Rollout {
    document: DocumentAt,
    /// The version that machines get, and the one that most of them had before.
    to: Version,
    base: Version,
    /// The fingerprints of the versions that are replaced, at most [`MAX_KNOWN`].
    known: VecDeque<String>,
    step: Step,
    /// The names of the machines that get it; `None` for all.
    machines: Option<BTreeSet<String>>,
    others: bool,
    saves: bool,
    /// A machine gets the version once, so that it can be edited there afterwards.
    sent: BTreeMap<Machine, Sent>,
    error: Option<String>,
}

impl Rollout {
    pub(super) fn new(document: DocumentAt) -> Self {
        Self {
            document,
            to: Version::default(),
            base: Version::default(),
            known: VecDeque::new(),
            step: Step::End,
            machines: None,
            others: false,
            saves: false,
            sent: BTreeMap::new(),
            error: None,
        }
    }

    /// Returns whether it is about the document of a machine.
    pub(super) fn is_of(&self, (machine, document): (Machine, &DocumentAt), all: &MachineDocuments) -> bool {
        let of_machine = all.get(&machine).and_then(|(_, documents)| like(documents, &self.document));
        of_machine.is_some_and(|of_machine| of_machine.key == document.key)
    }

    /// Returns the document, which has the name of those at all machines.
    pub(super) const fn document(&self) -> &DocumentAt {
        &self.document
    }

    pub(super) fn sent(&self, machine: Machine) -> Option<&Sent> {
        self.sent.get(&machine)
    }

    /// Returns how far it is, for pages.
    pub(super) fn stage(&self) -> serde_json::Value {
        let is_ready = self.to.text.is_some() && self.base.text.is_some();
        json!({ "step": self.step, "ready": is_ready, "error": self.error })
    }

    /// Sends the version of `lead` to a tenth of the machines, or to all.
    pub(super) fn go_on(
        &mut self,
        request: &RolloutRequest,
        (machine, lead): (Machine, &DocumentAt),
        all: &MachineDocuments,
    ) -> Result<(), String> {
        if self.to.fingerprint != lead.fingerprint || self.base.fingerprint == lead.fingerprint {
            let base = self.most_common(lead, all, request.others)?;
            let version = |fingerprint: &str| Version { fingerprint: fingerprint.to_owned(), ..Version::default() };
            let before = [
                std::mem::replace(&mut self.to, version(&lead.fingerprint)),
                std::mem::replace(&mut self.base, version(&base)),
            ];
            // What is known already is not read again.
            for version in before {
                let same =
                    [&mut self.to, &mut self.base].into_iter().find(|new| new.fingerprint == version.fingerprint);
                if let Some(same) = same {
                    same.text.clone_from(&version.text);
                }
                self.know(version.fingerprint);
            }
            self.know(base);
        }
        // All that lack it get it again, and those that had no text are asked again.
        self.to.failed.clear();
        self.base.failed.clear();
        self.sent = BTreeMap::from([(machine, Sent::Done)]);
        (self.step, self.others, self.saves, self.error) = (request.step, request.others, request.save, None);
        self.machines = match request.step {
            Step::Tenth => Some(self.tenth(all)),
            Step::All | Step::Back | Step::End => None,
        };
        Ok(())
    }

    /// Returns the version that most of the machines have that do not have that of `lead`. What pages have changed elsewhere is left alone.
    fn most_common(&self, lead: &DocumentAt, all: &MachineDocuments, others: bool) -> Result<String, String> {
        let (mut counts, mut is_edited) = (BTreeMap::<&str, usize>::new(), false);
        for (_, documents) in all.values() {
            let Some(other) = like(documents, lead).filter(|other| other.fingerprint != lead.fingerprint) else {
                continue;
            };
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
            "all machines that have this document have this version"
        };
        most.ok_or_else(|| reason.to_owned())
    }

    /// Returns the versions that would be replaced.
    pub(super) fn would_replace(&self, lead: &DocumentAt, all: &MachineDocuments) -> BTreeSet<String> {
        let base = self.most_common(lead, all, false).ok();
        let sent = self.known.iter().chain([&self.to.fingerprint]);
        base.into_iter().chain(sent.cloned()).filter(|version| *version != lead.fingerprint).collect()
    }

    fn know(&mut self, fingerprint: String) {
        self.known.retain(|known| *known != fingerprint);
        if !fingerprint.is_empty() {
            self.known.push_back(fingerprint);
        }
        if self.known.len() > MAX_KNOWN {
            self.known.pop_front();
        }
    }

    /// Returns the names of a tenth of the machines, and of at least one besides that of the page: first those that have the version, then those that came first.
    fn tenth(&self, all: &MachineDocuments) -> BTreeSet<String> {
        let mut found: Vec<_> = all
            .iter()
            .filter_map(|(machine, (name, documents))| {
                let document = like(documents, &self.document)?;
                let has_it = document.fingerprint == self.to.fingerprint;
                (has_it || self.replaces(document)).then_some((!has_it, *machine, name))
            })
            .collect();
        found.sort();
        let count = found.len().div_ceil(10).max(2);
        found.into_iter().take(count).map(|(_, _, name)| name.clone()).collect()
    }

    fn replaces(&self, document: &DocumentAt) -> bool {
        let has_it = document.fingerprint == self.to.fingerprint;
        !has_it && (self.others || self.known.contains(&document.fingerprint))
    }

    /// Sends the version from before to all machines that have the version, or an earlier one of this rollout.
    pub(super) fn go_back(&mut self, lead: &DocumentAt) -> Result<(), String> {
        if self.base.text.is_none() {
            return Err("the version from before was not read yet".to_owned());
        }
        std::mem::swap(&mut self.to, &mut self.base);
        // Also what was changed in the page since.
        self.know(self.base.fingerprint.clone());
        self.know(lead.fingerprint.clone());
        self.sent.clear();
        (self.step, self.machines, self.others, self.error) = (Step::Back, None, false, None);
        Ok(())
    }

    pub(super) fn left(&mut self, machine: Machine) {
        self.sent.remove(&machine);
        for version in [&mut self.to, &mut self.base] {
            version.asked.remove(&machine);
            version.failed.remove(&machine);
        }
    }

    /// Takes the text of the document at a machine.
    pub(super) fn take_text(&mut self, machine: Machine, text: &str) {
        let found = fingerprint(text);
        for version in [&mut self.to, &mut self.base] {
            if !version.asked.remove(&machine) {
                continue;
            }
            if version.fingerprint != found {
                // If it was changed meanwhile, another machine is asked.
                version.failed.insert(machine);
            } else if text.len() > MAX_TEXT {
                self.error = Some(format!("the document has {} bytes, the limit is {MAX_TEXT}", text.len()));
            } else {
                version.text = Some(text.to_owned());
            }
        }
    }

    /// Takes the answer of a machine to which a version was sent.
    pub(super) fn take_answer(&mut self, machine: Machine, fingerprint: &str, error: Option<String>) {
        if let Some(sent @ Sent::Waiting) = self.sent.get_mut(&machine)
            && self.to.fingerprint == fingerprint
        {
            *sent = error.map_or(Sent::Done, Sent::Refused);
        }
    }

    /// Sends what machines need by now.
    pub(super) fn advance(&mut self, machines: &MachineDocuments, outbox: &mut Vec<Outgoing>) {
        if self.error.is_some() {
            return;
        }
        let send = |machine, message: serde_json::Value| Outgoing {
            machine,
            page: PAGE,
            message: ToMachine::Text(message.to_string()),
        };
        for version in [&mut self.to, &mut self.base] {
            for (machine, (_, documents)) in machines {
                let is_enough = version.text.is_some() || version.asked.len() >= ASKED;
                if is_enough || version.asked.contains(machine) || version.failed.contains(machine) {
                    continue;
                }
                let document = like(documents, &self.document);
                if let Some(document) = document.filter(|document| document.fingerprint == version.fingerprint) {
                    version.asked.insert(*machine);
                    outbox.push(send(*machine, json!({ "text": document.key })));
                }
            }
        }
        // Before it is replaced everywhere, the version from before must be known.
        let (Some(text), Some(_)) = (self.to.text.clone(), &self.base.text) else { return };
        for (machine, (name, documents)) in machines {
            let Some(document) = like(documents, &self.document) else { continue };
            if document.fingerprint == self.to.fingerprint {
                self.sent.insert(*machine, Sent::Done);
            }
            let is_meant = self.machines.as_ref().is_none_or(|names| names.contains(name));
            if is_meant && self.replaces(document) && !self.sent.contains_key(machine) {
                let adopt =
                    json!({ "document": document.key, "from": document.fingerprint, "text": text, "save": self.saves });
                outbox.push(send(*machine, json!({ "adopt": adopt })));
                self.sent.insert(*machine, Sent::Waiting);
            }
        }
    }
}
