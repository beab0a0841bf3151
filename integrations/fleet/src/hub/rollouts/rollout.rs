//! One version of a document on its way to machines.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bt_inspector::protocol::fingerprint;
use serde_json::json;

use super::document::{DocumentAt, MachineDocuments, like};
use super::step::{RolloutRequest, Step, message};
use crate::hub::machine::{Machine, Outgoing};

/// The maximum size of a document that is sent to machines, in bytes.
const MAX_TEXT: usize = 256 << 10;
/// The maximum number of versions that are known as those of a rollout. Machines with earlier ones are left alone.
const MAX_KNOWN: usize = 256;
/// The number of machines that are asked for a text at a time: one that does not answer must not stop the others.
const ASKED: usize = 3;

/// A version of the document.
#[derive(Default)]
pub(super) struct Version {
    pub(super) fingerprint: String,
    text: Option<String>,
}

/// The version that most of the machines had before. Its text is read from one of them.
#[derive(Default)]
struct Base {
    version: Version,
    /// The machines that were asked for the text.
    asked: BTreeSet<Machine>,
    /// Those that have answered with another one.
    failed: BTreeSet<Machine>,
}

/// A step that was requested, while the version of the page is read from its machine: it may have changed since the machine has listed its documents.
struct Next {
    machine: Machine,
    name: String,
    step: Step,
    others: bool,
    save: bool,
}

/// What was sent to a machine.
pub(super) enum Sent {
    /// It has not answered.
    Waiting,
    Done,
    /// It has not taken the version, or not saved it.
    Refused(String),
}

pub(super) struct Rollout {
    pub(super) document: DocumentAt,
    next: Option<Next>,
    /// The version that machines get, and the name of the machine that it comes from.
    pub(super) to: Version,
    from: String,
    /// The version to go back to, if there is one.
    base: Option<Base>,
    /// The fingerprints of the versions that are replaced, at most [`MAX_KNOWN`].
    pub(super) known: VecDeque<String>,
    step: Step,
    /// The names of the machines that get it; `None` for all.
    machines: Option<BTreeSet<String>>,
    pub(super) others: bool,
    saves: bool,
    /// A machine gets the version once, so that it can be edited there afterwards.
    sent: BTreeMap<Machine, Sent>,
    /// The versions that machines will have when they have received all that was sent.
    in_flight: BTreeMap<Machine, String>,
    error: Option<String>,
}

impl Rollout {
    pub(super) fn new(document: DocumentAt) -> Self {
        Self {
            document,
            next: None,
            to: Version::default(),
            from: String::new(),
            base: None,
            known: VecDeque::new(),
            step: Step::End,
            machines: None,
            others: false,
            saves: false,
            sent: BTreeMap::new(),
            in_flight: BTreeMap::new(),
            error: None,
        }
    }

    /// Returns whether it is about the document of a machine.
    pub(super) fn is_of(&self, (machine, document): (Machine, &DocumentAt), all: &MachineDocuments) -> bool {
        let of_machine = all.get(&machine).and_then(|(_, documents)| like(documents, &self.document));
        of_machine.is_some_and(|of_machine| of_machine.key == document.key)
    }

    /// Returns whether something is sent to machines, or is about to be sent.
    pub(super) fn is_active(&self) -> bool {
        self.step != Step::End || self.next.is_some()
    }

    pub(super) fn sent(&self, machine: Machine) -> Option<&Sent> {
        self.sent.get(&machine)
    }

    /// Returns how far it is, for pages; `None` if nothing is to be said.
    pub(super) fn stage(&self) -> Option<serde_json::Value> {
        let is_ready = self.base.as_ref().is_some_and(|base| base.version.text.is_some());
        let is_shown = self.is_active() || self.error.is_some();
        is_shown.then(|| json!({ "step": self.step, "ready": is_ready, "error": self.error }))
    }

    /// Reads the version of a machine, which then goes to a tenth of the machines or to all.
    pub(super) fn go_on(
        &mut self,
        request: &RolloutRequest,
        (machine, lead): (Machine, &DocumentAt),
        name: &str,
        outbox: &mut Vec<Outgoing>,
    ) {
        let next =
            Next { machine, name: name.to_owned(), step: request.step, others: request.others, save: request.save };
        // Two pages may send at the same time.
        self.error = self.next.replace(next).and_then(|before| replaced(&before.name, name));
        outbox.push(message(machine, &json!({ "text": lead.key })));
    }

    /// Sends the version from before to all machines that have the version, or an earlier one of this rollout.
    pub(super) fn go_back(&mut self, request: &RolloutRequest, lead: &DocumentAt) -> Result<(), String> {
        let base = self.base.take_if(|base| base.version.text.is_some());
        let base = base.ok_or("there is no version to go back to")?;
        let from = std::mem::replace(&mut self.to, base.version);
        self.know(from.fingerprint);
        // Also what was changed in the page since.
        self.know(lead.fingerprint.clone());
        self.sent.clear();
        (self.next, self.machines, self.error) = (None, None, None);
        (self.step, self.others, self.saves) = (Step::Back, false, request.save);
        Ok(())
    }

    /// Sends nothing more. What is known stays, for a machine that was started again with an earlier version.
    pub(super) fn end(&mut self) {
        self.sent.clear();
        self.in_flight.clear();
        (self.next, self.base, self.error, self.step) = (None, None, None, Step::End);
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

    /// Begins to send the version that was read. Returns whether it replaces that of another machine.
    fn begin(&mut self, next: &Next, text: &str, all: &MachineDocuments) -> Result<Option<String>, String> {
        if text.len() > MAX_TEXT {
            return Err(format!("the document has {} bytes, the limit is {MAX_TEXT}", text.len()));
        }
        let version = fingerprint(text);
        let mut replaces = None;
        if version != self.to.fingerprint {
            let base = match self.most_common(&version, all, next.others) {
                Ok(fingerprint) => Some(Version { fingerprint, text: None }),
                // It is only saved.
                Err(_) if next.save => None,
                Err(reason) => return Err(reason),
            };
            let before = std::mem::replace(&mut self.to, Version { fingerprint: version, text: Some(text.to_owned()) });
            let from = std::mem::replace(&mut self.from, next.name.clone());
            replaces = replaced(&from, &next.name).filter(|_| matches!(self.step, Step::Tenth | Step::All));
            let base_before = self.base.take().map(|base| base.version);
            self.base = base.map(|version| Base { version, ..Base::default() });
            for version in [Some(before), base_before].into_iter().flatten() {
                // What is known already is not read again.
                if let Some(base) = self.base.as_mut().filter(|base| base.version.fingerprint == version.fingerprint) {
                    base.version.text.clone_from(&version.text);
                }
                self.know(version.fingerprint);
            }
            let base = self.base.as_ref().map(|base| base.version.fingerprint.clone());
            self.know(base.unwrap_or_default());
        }
        // All that lack it get it again, and those that had no text are asked again.
        if let Some(base) = &mut self.base {
            base.failed.clear();
        }
        self.sent.clear();
        if !next.save {
            self.sent.insert(next.machine, Sent::Done);
        }
        (self.step, self.others, self.saves) = (next.step, next.others, next.save);
        self.machines = match next.step {
            Step::Tenth => Some(self.tenth(all)),
            Step::All | Step::Back | Step::End => None,
        };
        Ok(replaces)
    }

    /// Called when a machine has gone.
    pub(super) fn left(&mut self, machine: Machine, name: &str) {
        self.sent.remove(&machine);
        self.in_flight.remove(&machine);
        if let Some(base) = &mut self.base {
            base.asked.remove(&machine);
            base.failed.remove(&machine);
        }
        if self.next.take_if(|next| next.machine == machine).is_some() {
            self.error = Some(format!("nothing was sent: the machine `{name}` has gone"));
        }
    }

    /// Takes the text of the document at a machine, which runs it or has not applied it.
    pub(super) fn take_text(&mut self, machine: Machine, text: &str, is_applied: bool, all: &MachineDocuments) {
        if let Some(base) = &mut self.base
            && base.asked.remove(&machine)
        {
            if base.version.fingerprint == fingerprint(text) {
                base.version.text = Some(text.to_owned());
            } else {
                // It was changed meanwhile: another machine is asked.
                base.failed.insert(machine);
            }
        }
        if let Some(next) = self.next.take_if(|next| next.machine == machine) {
            let error = self.error.take();
            self.error = if is_applied {
                self.begin(&next, text, all).map_or_else(Some, |replaced| error.or(replaced))
            } else {
                Some("nothing was sent: the machine does not run this version; apply it first".to_owned())
            };
        }
    }

    /// Takes the answer of a machine to which a version was sent.
    pub(super) fn take_answer(&mut self, machine: Machine, fingerprint: &str, error: Option<&String>) {
        if self.in_flight.get(&machine).is_some_and(|sent| *sent == fingerprint) {
            self.in_flight.remove(&machine);
        }
        if let Some(sent @ Sent::Waiting) = self.sent.get_mut(&machine)
            && self.to.fingerprint == fingerprint
        {
            *sent = error.map_or(Sent::Done, |reason| Sent::Refused(reason.clone()));
        }
    }

    /// Sends what machines need by now.
    pub(super) fn advance(&mut self, machines: &MachineDocuments, outbox: &mut Vec<Outgoing>) {
        let Some(text) = self.to.text.clone().filter(|_| self.step != Step::End) else { return };
        if !self.read_base(machines, outbox) {
            return;
        }
        for (machine, (name, documents)) in machines {
            let Some(document) = like(documents, &self.document).filter(|document| document.edit) else { continue };
            let version = self.in_flight.get(machine).unwrap_or(&document.fingerprint);
            let is_saved = !self.saves || document.saved;
            let has_it = *version == self.to.fingerprint;
            if has_it && is_saved {
                self.sent.entry(*machine).or_insert(Sent::Done);
            }
            let is_meant = self.machines.as_ref().is_none_or(|names| names.contains(name));
            if is_meant && (has_it || self.replaces(version)) && !self.sent.contains_key(machine) {
                let adopt = json!({ "document": document.key, "from": version, "text": text, "save": self.saves });
                outbox.push(message(*machine, &json!({ "adopt": adopt })));
                self.sent.insert(*machine, Sent::Waiting);
                self.in_flight.insert(*machine, self.to.fingerprint.clone());
            }
        }
    }

    /// Requests the text of the version from before. Returns whether it is there: before it is replaced everywhere, it must be known.
    fn read_base(&mut self, machines: &MachineDocuments, outbox: &mut Vec<Outgoing>) -> bool {
        let Some(base) = self.base.as_mut().filter(|base| base.version.text.is_none()) else { return true };
        for (machine, (_, documents)) in machines {
            if base.asked.len() >= ASKED || base.asked.contains(machine) || base.failed.contains(machine) {
                continue;
            }
            let document = like(documents, &self.document);
            if let Some(document) = document.filter(|document| document.fingerprint == base.version.fingerprint) {
                base.asked.insert(*machine);
                outbox.push(message(*machine, &json!({ "text": document.key })));
            }
        }
        false
    }
}

/// Returns what pages show if the version of a machine replaces that of another one, which another page may have sent.
fn replaced(before: &str, now: &str) -> Option<String> {
    (before != now).then(|| format!("the version of `{now}` has replaced that of `{before}`, which was being sent"))
}
