//! The documents of machines, in a page of the hub: a page edits one of them, as a page of its machine does.

use std::collections::BTreeMap;

use bt_inspector::protocol::Access;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::machine::{Machine, Outgoing};
use super::names::with_key;
use super::page::{EditRight, HubPage};
use super::request::invalid;
use super::rollouts::{DocumentAt, MachineDocuments, RolloutRequest, Rollouts, version_of};

impl HubPage {
    /// Handles a request about documents: one with an access goes to the machine of its document, and a rollout to all machines.
    pub(super) fn edit(
        &mut self,
        request: (&str, &RawValue),
        access: Option<Access>,
        rollouts: &mut Rollouts,
        outbox: &mut Vec<Outgoing>,
        updates: &mut Vec<String>,
    ) {
        let result = match access {
            Some(access) => self.pass_on(request, access, outbox),
            None => match serde_json::from_str(request.1.get()) {
                Ok(request) => self.roll_out(&request, rollouts, outbox),
                Err(reason) => Err((None, invalid(reason))),
            },
        };
        updates.extend(result.err().map(|(document, message)| refused(document, &message)));
    }

    /// Sends a request to the machine of its document.
    fn pass_on(
        &mut self,
        (name, content): (&str, &RawValue),
        access: Access,
        outbox: &mut Vec<Outgoing>,
    ) -> Result<(), (Option<usize>, String)> {
        let path: &[&str] = if content.get().starts_with('{') { &["document"] } else { &[] };
        let (document, content) = with_key(content, path, |key| Machine::of(key).1)
            .ok_or_else(|| (None, invalid("expected the key of a document")))?;
        let refuse = |message: String| (document, message);
        if access == Access::Edit {
            self.check_edit().map_err(refuse)?;
        }
        let is_open = name == "open";
        let text =
            serde_json::to_string(&BTreeMap::from([(name, content)])).map_err(|error| refuse(error.to_string()))?;
        let before = self.opened.map(|key| Machine::of(key).0);
        let now = document.map(|key| Machine::of(key).0);
        if let Some(before) = before.filter(|_| is_open)
            && let Some(page) = self.machines.get(&before).filter(|page| !page.is_gone && Some(before) != now)
        {
            page.send_text("{\"open\":null}".to_owned(), outbox);
        }
        if is_open {
            self.opened = document;
        }
        let Some(now) = now else { return Ok(()) };
        match self.machines.get(&now) {
            None => Err(refuse("unknown document".to_owned())),
            Some(page) if page.is_gone => Err(refuse(format!("the machine `{}` is gone", page.name))),
            Some(page) => {
                page.send_text(text, outbox);
                Ok(())
            }
        }
    }

    fn roll_out(
        &mut self,
        request: &RolloutRequest,
        rollouts: &mut Rollouts,
        outbox: &mut Vec<Outgoing>,
    ) -> Result<(), (Option<usize>, String)> {
        let refuse = |message: String| (Some(request.document), message);
        self.check_edit().map_err(refuse)?;
        let all = self.documents();
        let (machine, key) = Machine::of(request.document);
        let lead = version_of(&all, machine, key).ok_or_else(|| refuse("unknown document".to_owned()))?.clone();
        rollouts.request(request, (machine, &lead), &all, outbox).map_err(refuse)
    }

    /// Returns an error if the page must not change documents.
    fn check_edit(&self) -> Result<(), String> {
        let reason = match self.edit_right {
            EditRight::On => return Ok(()),
            EditRight::Off => {
                "the hub does not let pages edit; help: call `allow_edit`, or start `bt-fleet` with `--edit`"
            }
            EditRight::NoToken => {
                "this page was opened without the token; help: open the full address that the hub printed"
            }
        };
        Err(reason.to_owned())
    }

    /// Returns the documents of all machines that are there.
    fn documents(&self) -> MachineDocuments {
        let present = self.machines.values().filter(|machine| !machine.is_gone);
        let documents = present.map(|machine| {
            let documents = machine.documents.iter().filter_map(|fields| {
                let mut document: DocumentAt = serde_json::from_str(&serde_json::to_string(fields).ok()?).ok()?;
                document.key = Machine::of(document.key).1;
                Some(document)
            });
            (machine.machine, (machine.name.clone(), documents.collect()))
        });
        documents.collect()
    }

    /// Adds the documents of all machines, and which machines have the version of the opened one, if they have changed.
    pub(super) fn push_documents(&mut self, rollouts: &Rollouts, updates: &mut Vec<String>) {
        let may_edit = self.edit_right == EditRight::On;
        let documents = self.machines.values().flat_map(|machine| {
            machine.documents.iter().filter_map(move |fields| {
                let mut fields = fields.clone();
                fields.insert("machine".to_owned(), to_raw_value(&machine.machine.number()).ok()?);
                if !may_edit {
                    let no = to_raw_value(&false).ok()?;
                    fields.extend([("edit".to_owned(), no.clone()), ("write".to_owned(), no)]);
                }
                Some(fields)
            })
        });
        let documents: Vec<_> = documents.collect();
        let is_any = !documents.is_empty();
        if is_any || self.sent.contains_key("documents") {
            self.push("documents", json!({ "documents": documents }).to_string(), updates);
        }
        if let Some(opened) = self.opened.filter(|_| is_any) {
            let (machine, key) = Machine::of(opened);
            let all = self.documents();
            let state = version_of(&all, machine, key).map(|lead| rollouts.state(opened, (machine, lead), &all));
            self.push("rollout", json!({ "rollout": state }).to_string(), updates);
        }
    }
}

/// Returns the answer to a request that cannot be fulfilled.
fn refused(document: Option<usize>, message: &str) -> String {
    match document {
        Some(document) => json!({ "refused": { "document": document, "message": message } }).to_string(),
        None => json!({ "error": message }).to_string(),
    }
}
