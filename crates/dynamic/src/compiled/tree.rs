//! A tree that follows its source: its versions, and how it gets the next one.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use bt_behavior3::Diagnostic;
use bt_core::engine::edits;
use bt_syntax::live::Source;

use super::list::Parts;
use super::nodes::{LiveNodes, StoreShape};
use super::site::{Adopted, Site, warnings};
use super::stock::build;
use crate::nodes::shape::Shapes;
use crate::version::{Form, Version};
use crate::versions::Versions;

/// A version of a tree that follows its source.
pub(super) struct LiveForm<S: StoreShape> {
    pub(super) version: Version<Self>,
    /// The number of the edit that it is of.
    number: u32,
    /// How many nodes each leaf has: trees in it are edited, too.
    counts: Vec<u32>,
}

impl<S: StoreShape> Form for LiveForm<S> {
    type Nodes = LiveNodes<S>;

    #[inline(always)]
    fn version(&self) -> &Version<Self> {
        &self.version
    }

    fn version_mut(&mut self) -> &mut Version<Self> {
        &mut self.version
    }
}

impl<S: StoreShape> LiveForm<S> {
    fn new(site: &'static Site, store: &Arc<S>, number: u32, source: &Source) -> Result<Self, Vec<Diagnostic>> {
        let mut nodes = LiveNodes::new(store);
        let flat = build(site, source, &mut nodes)?;
        let counts = counts(&nodes);
        Ok(Self { version: Version::new(flat, nodes), number, counts })
    }
}

fn counts<S: StoreShape>(nodes: &LiveNodes<S>) -> Vec<u32> {
    (0..nodes.leaves.len()).map(|leaf| nodes.leaf(crate::flat::op::index(leaf)).count()).collect()
}

/// A tree that follows its source.
pub(super) struct LiveTree<S: StoreShape> {
    site: &'static Site,
    store: Arc<S>,
    /// The number of edits of all trees up to which it follows.
    seen: AtomicU32,
    /// The number of the last edit that it could not follow.
    refused: Mutex<u32>,
    versions: RwLock<Versions<LiveForm<S>>>,
}

impl<S: StoreShape> LiveTree<S> {
    /// Creates the tree as it was compiled.
    pub(super) fn new(site: &'static Site, store: S) -> Result<Self, Vec<Diagnostic>> {
        let parts = &store;
        site.compiled_as((0..S::Parts::COUNT).map(|part| parts.parts().about(part)));
        let store = Arc::new(store);
        let version = LiveForm::new(site, &store, 0, &*site.compiled()?)?;
        bt_core::engine::follow();
        let versions = RwLock::new(Versions::new(version));
        // It may be created after an edit.
        let seen = AtomicU32::new(edits().wrapping_sub(1));
        Ok(Self { site, store, seen, refused: Mutex::new(0), versions })
    }

    pub(super) const fn site(&self) -> &'static Site {
        self.site
    }

    /// Returns the present version.
    #[inline]
    pub(super) fn present(&self) -> Arc<LiveForm<S>> {
        if self.seen.load(Ordering::Relaxed) != edits() {
            self.follow();
        }
        let versions = self.versions.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&versions.current)
    }

    /// Builds the next version if the source was edited, or if a tree below has another number of nodes.
    #[cold]
    fn follow(&self) {
        let seen = edits();
        // One thread follows, and others wait for it.
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let current = Arc::clone(&self.versions.read().unwrap_or_else(PoisonError::into_inner).current);
        let (number, source) = self.site.present();
        let is_edited = number != current.number && number != *refused;
        if is_edited || counts(&current.version.nodes) != current.counts {
            let source = source.map_or_else(|| self.site.compiled(), Ok);
            let version = source.and_then(|source| {
                LiveForm::new(self.site, &self.store, number, &source).map(|version| (source, version))
            });
            match version {
                Ok((source, version)) => {
                    let warnings = warnings(&source, &version.version.flat.warnings);
                    self.versions.write().unwrap_or_else(PoisonError::into_inner).replace(version);
                    self.site.report(number, Ok(Adopted { warnings }));
                }
                Err(errors) => {
                    *refused = number;
                    self.site.report(number, Err(errors));
                }
            }
        }
        self.seen.store(seen, Ordering::Relaxed);
    }
}
