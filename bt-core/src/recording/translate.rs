//! Recorded ticks of one version of a tree, with the ids of another version.

use alloc::vec::Vec;

use crate::describe::{Description, Matching};
use crate::recording::{Event, EventKind, TickRecord};

impl TickRecord {
    /// Returns this tick of the tree `old` with the ids of the tree `new`, which has replaced it. Events and reasons of nodes that
    /// the new tree does not have are left out.
    ///
    /// ```
    /// use bt_core::describe::Matching;
    /// use bt_core::observe::{Event, Recorder};
    /// use bt_core::prelude::*;
    ///
    /// let (old, new) = (tree! { for (): sequence { succeed, run } }, tree! { for (): sequence { run } });
    /// let mut recorder = Recorder::new(100);
    /// old.tick_with(&mut (), &mut old.memory(), &mut recorder);
    ///
    /// let tick = recorder.recording(0).unwrap().ticks().next().unwrap();
    /// assert_eq!(Event::to_text(&tick.events), "0r 1s 2r");
    /// let matching = Matching::new([Some(NodeId::ROOT), None, Some(NodeId::new(1))]);
    /// let translated = tick.translated(&old.description(), &new.description(), &matching);
    /// assert_eq!(Event::to_text(&translated.events), "0r 1r");
    /// ```
    #[must_use]
    pub fn translated(&self, old: &Description, new: &Description, matching: &Matching) -> Self {
        let event = |event: &Event| {
            let node = matching.get(event.node)?;
            let what = match event.what {
                what @ (EventKind::Visited { .. } | EventKind::Halted(_) | EventKind::Score(_)) => what,
                EventKind::State(state) => {
                    let state = matching.get(old.children(event.node).nth(usize::from(state))?.id)?;
                    let index = new.children(node).position(|other| other.id == state)?;
                    EventKind::State(u16::try_from(index).unwrap_or(u16::MAX))
                }
            };
            Some(Event { node, what })
        };
        let reasons = self.reasons.iter().filter_map(|(node, error)| Some((matching.get(*node)?, error.clone())));
        let events: Vec<_> = self.events.iter().filter_map(event).collect();
        Self { events, reasons: reasons.collect(), replaced: self.replaced.saturating_add(1), ..*self }
    }
}
