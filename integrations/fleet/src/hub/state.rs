//! What a hub and its pages share.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use serde_json::json;

use super::machine::{Machine, Outgoing};
use super::page::HubPage;
use super::rollouts::Rollouts;
use crate::lock::lock;

/// The maximum number of messages to machines that wait for [`Hub::take`](crate::Hub::take).
const MAX_OUTGOING: usize = 100_000;

/// What a hub and its pages share.
pub(super) struct HubState {
    pub(super) inner: Mutex<Inner>,
    /// Woken when there is something to take.
    pub(super) waiting: Condvar,
    pub(super) is_closed: AtomicBool,
    session: u64,
}

#[derive(Default)]
pub(super) struct Inner {
    pub(super) machines: BTreeMap<Machine, MachineOfHub>,
    pub(super) next_machine: u32,
    pub(super) pages: BTreeMap<u64, HubPage>,
    /// The number of pages so far. Number 0 is that of the rollouts.
    next_page: u64,
    pub(super) rollouts: Rollouts,
    pub(super) is_editable: bool,
    /// The last message for all pages, as an update.
    pub(super) report: Option<String>,
    pub(super) outbox: Vec<Outgoing>,
}

pub(super) struct MachineOfHub {
    pub(super) name: String,
    pub(super) is_gone: bool,
}

impl HubState {
    pub(super) fn new() -> Self {
        // A page reads it as a float.
        let session = RandomState::new().hash_one(()) >> 12;
        Self { inner: Mutex::default(), waiting: Condvar::new(), is_closed: AtomicBool::new(false), session }
    }

    pub(super) fn hello(&self) -> String {
        json!({ "hello": { "recording": false, "session": self.session } }).to_string()
    }

    pub(super) fn open_page(&self, has_token: bool) -> u64 {
        let mut inner = lock(&self.inner);
        let Inner { machines, pages, next_page, outbox, is_editable, report, .. } = &mut *inner;
        *next_page += 1;
        let number = *next_page;
        let mut page = HubPage::new(number, has_token);
        if *is_editable {
            page.allow_edit();
        }
        if let Some(report) = report {
            page.report(report);
        }
        for (machine, MachineOfHub { name, is_gone }) in machines {
            if *is_gone {
                page.joined(*machine, name, &mut Vec::new());
                page.left(*machine);
            } else {
                page.joined(*machine, name, outbox);
            }
        }
        pages.insert(number, page);
        self.waiting.notify_all();
        number
    }

    pub(super) fn close_page(&self, page: u64) {
        let mut inner = lock(&self.inner);
        let Inner { pages, outbox, .. } = &mut *inner;
        if let Some(page) = pages.remove(&page) {
            page.close(outbox);
            self.waiting.notify_all();
        }
    }

    pub(super) fn receive(&self, page: u64, message: &str, updates: &mut Vec<String>) {
        let mut inner = lock(&self.inner);
        let Inner { pages, outbox, rollouts, .. } = &mut *inner;
        let Some(page) = pages.get_mut(&page) else { return };
        if outbox.len() > MAX_OUTGOING {
            return updates.push(json!({ "error": "too many requests wait for machines" }).to_string());
        }
        page.request(message, rollouts, outbox, updates);
        pages.values_mut().for_each(HubPage::changed);
        if !outbox.is_empty() {
            self.waiting.notify_all();
        }
    }

    pub(super) fn push_updates(&self, page: u64, now: Duration, updates: &mut Vec<String>) {
        let mut inner = lock(&self.inner);
        let Inner { pages, rollouts, .. } = &mut *inner;
        if let Some(page) = pages.get_mut(&page) {
            page.push_updates(now, rollouts, updates);
        }
    }

    /// Returns whether a page is served no more.
    pub(super) fn is_closed(&self, page: u64) -> bool {
        // A page that is too slow connects again.
        let is_slow = lock(&self.inner).pages.get(&page).is_none_or(HubPage::is_overflown);
        is_slow || self.is_closed.load(Ordering::SeqCst)
    }
}
