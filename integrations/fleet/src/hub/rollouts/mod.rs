//! Versions of documents that go from one machine to others: to some of them, to all, and back. They do not belong to a page, so they stay when it is closed, and machines that come
//! later get them, too.

mod choice;
mod document;
mod rollout;
mod step;

use serde::{Deserialize, Serialize};
use serde_json::json;

pub(super) use self::document::{DocumentAt, MachineDocuments, version_of};
use self::document::{has_several, like};
use self::rollout::{Rollout, Sent};
use self::step::Step;
pub(super) use self::step::{PAGE, RolloutRequest};
use super::machine::{Machine, Outgoing, ToMachine};
use super::names::Kind;

/// The maximum number of documents of a machine.
pub(super) const MAX_DOCUMENTS: usize = 1000;
/// The maximum number of rollouts.
const MAX_ROLLOUTS: usize = 32;

/// What a machine has of a document, for a page.
#[derive(Serialize)]
struct MachineState<'a> {
    machine: u32,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

#[derive(Default)]
pub(super) struct Rollouts {
    all: Vec<Rollout>,
    /// The machines with a page of the rollouts, and their documents; none without a rollout.
    machines: MachineDocuments,
}

impl Rollouts {
    /// Called when a machine has come.
    pub(super) fn joined(&mut self, machine: Machine, name: &str, outbox: &mut Vec<Outgoing>) {
        if self.all.iter().any(Rollout::is_active) {
            self.open(machine, name, Vec::new(), outbox);
        }
    }

    /// Called when a machine has gone.
    pub(super) fn left(&mut self, machine: Machine, outbox: &mut Vec<Outgoing>) {
        let Some((name, _)) = self.machines.remove(&machine) else { return };
        for rollout in &mut self.all {
            rollout.left(machine, &name);
        }
        self.advance(outbox);
    }

    fn open(&mut self, machine: Machine, name: &str, documents: Vec<DocumentAt>, outbox: &mut Vec<Outgoing>) {
        self.machines.insert(machine, (name.to_owned(), documents));
        // It shows no agents.
        let list = json!({ "list": { "count": 0 } }).to_string();
        let messages = [ToMachine::Open, ToMachine::Text(list)];
        outbox.extend(messages.map(|message| Outgoing { machine, page: PAGE, message }));
    }

    /// Takes an update of a machine for the page of the rollouts.
    pub(super) fn received(&mut self, machine: Machine, text: &str, outbox: &mut Vec<Outgoing>) {
        let Self { all, machines } = self;
        let Some((_, documents)) = machines.get_mut(&machine) else { return };
        let Some((kind, content)) = Kind::read(text, |_, key| Some(key)) else { return };
        match kind {
            Kind::Documents => {
                *documents = serde_json::from_str(content.get()).unwrap_or_default();
                documents.truncate(MAX_DOCUMENTS);
            }
            Kind::Text => {
                let Ok(answer) = serde_json::from_str::<TextAt>(content.get()) else { return };
                let Some(document) = version_of(machines, machine, answer.document) else { return };
                for rollout in all.iter_mut().filter(|rollout| rollout.is_of((machine, document), machines)) {
                    rollout.take_text(machine, &answer.text, answer.applied, machines);
                }
            }
            Kind::Adopted => {
                let Ok(Adopted { document: key, sent, fingerprint, error }) = serde_json::from_str(content.get())
                else {
                    return;
                };
                // The list follows later.
                if let Some(document) = documents.iter_mut().find(|document| document.key == key) {
                    document.fingerprint = fingerprint;
                }
                for rollout in all {
                    rollout.take_answer(machine, &sent, error.as_ref());
                }
            }
            // All others are for pages that show agents.
            Kind::Hello
            | Kind::Loading
            | Kind::Trees
            | Kind::Agents
            | Kind::Ticks
            | Kind::Pause
            | Kind::Present
            | Kind::Breakpoints
            | Kind::Watches
            | Kind::Checked
            | Kind::Test
            | Kind::Overview
            | Kind::Edited
            | Kind::Lost
            | Kind::Error
            | Kind::Palette
            | Kind::Document
            | Kind::Changed
            | Kind::Tried
            | Kind::Copied
            | Kind::Source
            | Kind::Refused => return,
        }
        self.advance(outbox);
    }

    /// Sends what machines need by now, or closes the pages at them.
    fn advance(&mut self, outbox: &mut Vec<Outgoing>) {
        if !self.all.iter().any(Rollout::is_active) {
            let open = std::mem::take(&mut self.machines).into_keys();
            return outbox.extend(open.map(|machine| Outgoing { machine, page: PAGE, message: ToMachine::Close }));
        }
        for rollout in &mut self.all {
            rollout.advance(&self.machines, outbox);
        }
    }

    /// Takes the next step of a rollout. `lead` is the document of the page, and `all` those of all machines that are there.
    pub(super) fn request(
        &mut self,
        request: &RolloutRequest,
        lead: (Machine, &DocumentAt),
        all: &MachineDocuments,
        outbox: &mut Vec<Outgoing>,
    ) -> Result<(), String> {
        let position = match self.all.iter().position(|rollout| rollout.is_of(lead, all)) {
            Some(position) => position,
            None => self.add(Rollout::new(lead.1.clone()))?,
        };
        let rollout = &mut self.all[position];
        match request.step {
            Step::Tenth | Step::All => {
                for (machine, (name, documents)) in all {
                    if !self.machines.contains_key(machine) {
                        self.open(*machine, name, documents.clone(), outbox);
                    }
                }
                let name = all.get(&lead.0).map_or("", |(name, _)| name.as_str());
                self.all[position].go_on(request, lead, name, outbox);
            }
            Step::Back => rollout.go_back(request, lead.1)?,
            Step::End => rollout.end(),
        }
        self.advance(outbox);
        Ok(())
    }

    /// Adds a rollout. Returns its position.
    fn add(&mut self, rollout: Rollout) -> Result<usize, String> {
        if self.all.len() >= MAX_ROLLOUTS {
            let ended = self.all.iter().position(|rollout| !rollout.is_active());
            let ended = ended.ok_or(format!("too many documents: end one of the {MAX_ROLLOUTS} that are sent"))?;
            self.all.remove(ended);
        }
        self.all.push(rollout);
        Ok(self.all.len() - 1)
    }

    /// Returns what the machines have of a document that is open in a page.
    pub(super) fn state(&self, key: usize, lead: (Machine, &DocumentAt), all: &MachineDocuments) -> serde_json::Value {
        let rollout = self.all.iter().find(|rollout| rollout.is_of(lead, all));
        let lead = lead.1;
        let new = Rollout::new(lead.clone());
        let replaced = rollout.unwrap_or(&new).would_replace(lead, all);
        let machines: Vec<_> = all
            .iter()
            .filter_map(|(machine, (_, documents))| {
                let state = |state, error| Some(MachineState { machine: machine.number(), state, error });
                let Some(document) = like(documents, lead) else {
                    let reason = has_several(documents, lead).then_some("it has several documents of this name");
                    return reason.and_then(|reason| state("refused", Some(reason)));
                };
                match rollout.and_then(|rollout| rollout.sent(*machine)) {
                    _ if document.fingerprint == lead.fingerprint && !document.applied => {
                        state("unapplied", document.error.as_deref())
                    }
                    Some(Sent::Refused(reason)) if document.fingerprint == lead.fingerprint => {
                        state("unsaved", Some(reason))
                    }
                    _ if document.fingerprint == lead.fingerprint => state("same", None),
                    _ if !document.edit => state("refused", Some("its program does not let pages edit")),
                    Some(Sent::Waiting) => state("waiting", None),
                    Some(Sent::Refused(reason)) => state("refused", Some(reason)),
                    Some(Sent::Done) | None if replaced.contains(&document.fingerprint) => state("before", None),
                    Some(Sent::Done) | None if document.edited => state("edited", None),
                    Some(Sent::Done) | None => state("other", None),
                }
            })
            .collect();
        json!({ "document": key, "machines": machines, "stage": rollout.and_then(Rollout::stage) })
    }
}

/// A document as text.
#[derive(Deserialize)]
struct TextAt {
    document: usize,
    text: String,
    /// Whether the program runs it.
    applied: bool,
}

/// Whether a machine has taken a version.
#[derive(Deserialize)]
struct Adopted {
    document: usize,
    /// The fingerprint of the text that was sent, and of the one that the document has now.
    sent: String,
    fingerprint: String,
    error: Option<String>,
}
