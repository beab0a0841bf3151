//! How the naive interpreter goes on when its tree is edited: the rules of the guide's page "Editing a running tree", as naively.

use std::collections::BTreeMap;
use std::time::Duration;

use bt_core::describe::Matching;
use bt_core::{Cause, End, NodeId, Status};
use bt_tests::world::{Event, LEFT, World};
use bt_words::{Family, Word};

use crate::reference::{BODY, CLEANUP, Reference, Stage};
use crate::spec::{How, Own, Spec};

/// What runs in the new tree, by id: the old node that it was, and whether something that goes on runs below it.
type Plan = BTreeMap<u32, (Option<u32>, bool)>;

impl Reference {
    /// Goes on with an edited tree.
    ///
    /// # Panics
    ///
    /// Panics if an id is no `u32`.
    #[must_use]
    pub fn migrated(mut self, spec: &Spec, matching: &Matching, world: &mut World) -> Self {
        let mut new = Self::new(spec);
        let to = |old: u32| matching.get(NodeId::new(old)).map(|id| u32::try_from(id.index()).expect("small"));
        let mut before = self.clone();
        let changed = |old: u32| {
            let (old, new) = (self.find(old), to(old).and_then(|there| new.find(there)));
            old.zip(new).is_some_and(|(old, new)| old.children.is_empty() && old.number() != new.number())
        };
        let stays = |old: u32, plan: &Plan| {
            let is_planned = |new| plan.get(&new).is_some_and(|(from, _)| *from == Some(old));
            to(old).is_some_and(is_planned) && !changed(old)
        };
        let mut plan = Plan::new();
        new.plan(&self, &self.ran(), &to, &mut plan);
        before.close_gone(&|old| stays(old, &plan), world);
        // Each cleanup that is left is a run of its own.
        for id in self.ids() {
            let now = before.clone();
            let stays_finally = to(id).and_then(|there| new.find(there)).is_some_and(Self::is_finally);
            if let Some(finally) = before.find_mut(id).filter(|node| node.left_waits && !stays_finally) {
                finally.left_waits = false;
                finally.left = finally.children[CLEANUP].visit(world, &mut Vec::new()) == Status::Running;
            }
            let Some(finally) = before.find_mut(id).filter(|node| node.left) else { continue };
            let ran = finally.children[CLEANUP].ran();
            let mut of_cleanup = Plan::new();
            if let Some(there) = to(id).and_then(|there| new.find(there)).filter(|there| there.is_finally()) {
                there.children[CLEANUP].plan(&now, &ran, &to, &mut of_cleanup);
            }
            finally.children[CLEANUP].close_gone(&|old| stays(old, &of_cleanup), world);
            finally.left = !of_cleanup.is_empty();
            finally.left_waits = stays_finally && !finally.left;
            plan.append(&mut of_cleanup);
        }
        let unchanged: Vec<u32> = self.ids().into_iter().filter(|old| stays(*old, &plan)).collect();
        new.copy(&before, &to, &plan);
        new.open_planned(&before, &to, &plan, &unchanged, world);
        self.open = false;
        new
    }

    /// Checks that what runs is possible.
    ///
    /// # Panics
    ///
    /// Panics if it is not: the parents of running nodes run, and one child of a node that runs one at a time.
    pub fn check(&self) {
        let running = self.running().count();
        assert!(!self.left || self.children[CLEANUP].open, "a cleanup that does not run is left");
        assert!(self.open || running == 0, "a child of a node that does not run runs: {:?}", self.spec);
        let several = self.runs_several();
        let waits = matches!(self.word(), Some(Word::If | Word::MemIf | Word::Match | Word::MemMatch));
        let is_alone = self.children.is_empty() || several || waits || self.runs_alone();
        assert!(!self.open || is_alone || running == 1, "{running} children run: {:?}", self.spec);
        assert!(several || running < 2, "{running} children run: {:?}", self.spec);
        self.children.iter().for_each(Self::check);
    }

    /// The number of a leaf with the full lifecycle, by its id.
    pub fn leaf(&self, id: u32) -> Option<u32> {
        match self.find(id)?.spec {
            Spec::Leaf(number) => Some(number),
            _ => None,
        }
    }

    /// The numbers of the running leaves with the full lifecycle.
    pub fn running_leaves(&self) -> Vec<u32> {
        let own = match self.spec {
            Spec::Leaf(number) if self.open => Some(number),
            _ => None,
        };
        own.into_iter().chain(self.children.iter().flat_map(Self::running_leaves)).collect()
    }

    /// The children that run as a part of its run.
    fn running(&self) -> impl Iterator<Item = &Self> {
        let is_left = |index: usize| self.left && index == CLEANUP;
        self.children
            .iter()
            .enumerate()
            .filter(move |(index, child)| child.open && !is_left(*index))
            .map(|(_, child)| child)
    }

    /// The nodes that run, if this one does.
    fn ran(&self) -> Vec<u32> {
        if !self.open {
            return Vec::new();
        }
        std::iter::once(self.id).chain(self.running().flat_map(Self::ran)).collect()
    }

    fn find_mut(&mut self, id: u32) -> Option<&mut Self> {
        if self.id == id { Some(self) } else { self.children.iter_mut().find_map(|child| child.find_mut(id)) }
    }

    fn ids(&self) -> Vec<u32> {
        std::iter::once(self.id).chain(self.children.iter().flat_map(Self::ids)).collect()
    }

    /// A node by its id.
    fn find(&self, id: u32) -> Option<&Self> {
        if self.id == id { Some(self) } else { self.children.iter().find_map(|child| child.find(id)) }
    }

    /// The old node that a new node was.
    fn before<'o>(&self, old: &'o Self, to: &dyn Fn(u32) -> Option<u32>) -> Option<&'o Self> {
        if to(old.id) == Some(self.id) {
            return Some(old);
        }
        old.children.iter().find_map(|child| self.before(child, to))
    }

    fn number(&self) -> Option<u32> {
        match self.spec {
            Spec::Leaf(number) | Spec::Action(number) | Spec::Condition(number) => Some(number),
            Spec::Word(..) | Spec::Machine { .. } | Spec::Own(..) => None,
        }
    }

    fn is_machine(&self) -> bool {
        matches!(self.spec, Spec::Machine { .. })
    }

    /// Whether several children can run at once.
    fn runs_several(&self) -> bool {
        matches!(self.word(), Some(Word::Parallel | Word::MemParallel))
            || matches!(self.spec, Spec::Own(Own::Crowd, ..))
    }

    fn word(&self) -> Option<Word> {
        match self.spec {
            Spec::Word(word, ..) => Some(word),
            _ => None,
        }
    }

    /// Whether it goes on although the edit has halted its child.
    fn runs_alone(&self) -> bool {
        let only_pass = [Word::Invert, Word::ForceSuccess, Word::ForceFailure];
        match &self.spec {
            Spec::Word(Word::Finally, ..) => true,
            Spec::Word(word, ..) => word.row().family == Family::Decorator && !only_pass.contains(word),
            Spec::Machine { .. } | Spec::Own(Own::Patience, ..) => true,
            _ => false,
        }
    }

    /// The open nodes at or below this one that have no open children.
    fn tips(&self) -> Vec<u32> {
        let below: Vec<_> = self.running().flat_map(Self::tips).collect();
        if self.open && below.is_empty() { vec![self.id] } else { below }
    }

    /// Plans what runs at and below a new node, of the old nodes that ran in one run.
    fn plan(&self, old: &Self, ran: &[u32], to: &dyn Fn(u32) -> Option<u32>, plan: &mut Plan) -> Option<bool> {
        let mut running = Vec::new();
        for child in &self.children {
            if let Some(is_real) = child.plan(old, ran, to, plan) {
                running.push((child, is_real));
            }
        }
        let mut before = self.before(old, to).filter(|before| ran.contains(&before.id));
        if !self.runs_several() {
            // A machine stays in its state, unless that was deleted.
            let state = before.filter(|_| self.is_machine()).map(|before| self.state_of(before, to));
            if state == Some(None) {
                before = None;
            }
            let state = state.flatten().map(|state| self.children[state].id);
            let real = running.iter().find(|child| child.1).or(running.first()).map(|(child, _)| child.id);
            let real = if self.is_finally() {
                match before.map_or(Stage::Body, |before| before.stage) {
                    Stage::Waits => None,
                    Stage::Body => Some(self.children[BODY].id),
                    Stage::Cleanup(_) => Some(self.children[CLEANUP].id),
                }
            } else {
                real
            };
            running.retain(|(child, _)| {
                let is_chosen = Some(child.id) == state.or(real);
                if !is_chosen {
                    child.ids().iter().for_each(|id| _ = plan.remove(id));
                }
                is_chosen
            });
        }
        let is_real = if running.is_empty() {
            let before = before?;
            let is_tip = before.tips() == [before.id];
            let here = self.ids();
            let elsewhere = before.tips().into_iter().filter_map(to).any(|tip| !here.contains(&tip));
            if !is_tip && (!self.runs_alone() || elsewhere) {
                return None;
            }
            is_tip
        } else {
            running.iter().any(|child| child.1)
        };
        plan.insert(self.id, (before.map(|before| before.id), is_real));
        Some(is_real)
    }

    /// The new place of the present state of a machine.
    fn state_of(&self, old: &Self, to: &dyn Fn(u32) -> Option<u32>) -> Option<usize> {
        let state = to(old.children[old.at].id)?;
        self.children.iter().position(|child| child.id == state)
    }

    /// Closes what does not stay, deepest first.
    fn close_gone(&mut self, stays: &dyn Fn(u32) -> bool, world: &mut World) {
        if !self.open {
            return;
        }
        let cleans_up = self.is_finally() && !self.ids().into_iter().any(stays);
        let is_kept = |index| index == CLEANUP && (cleans_up || self.left);
        let closed: Vec<_> = (0..self.children.len()).filter(|index| !is_kept(*index)).collect();
        for index in closed {
            self.children[index].close_gone(stays, world);
        }
        match self.stage {
            Stage::Body if cleans_up => self.leave_cleanup(world, &mut Vec::new()),
            Stage::Cleanup(_) if cleans_up => {
                self.left = self.children[CLEANUP].open;
                self.left_waits = !self.left;
            }
            Stage::Waits | Stage::Body | Stage::Cleanup(_) => {}
        }
        if !stays(self.id) {
            self.close_alone(world);
        }
    }

    fn close_alone(&mut self, world: &World) {
        if let Spec::Machine { states, .. } = &self.spec {
            world.see(Event::Close(states[self.at].number, LEFT));
        }
        self.closed(End::Halted(Cause::Edited), world);
    }

    /// The new places of the children of an old node, also of those that were wrapped or unwrapped, with or without others beside them. Two old children in
    /// one new child are not that child.
    fn places(&self, old: &Self, old_root: &Self, to: &dyn Fn(u32) -> Option<u32>) -> Vec<Option<usize>> {
        let place = |child: &Self| {
            let there = |id: u32| self.children.iter().position(|there| there.holds(id, old_root, to));
            let all: Vec<_> = child.matched(to).into_iter().map(there).collect();
            all.first().copied().flatten().filter(|first| all.iter().all(|place| *place == Some(*first)))
        };
        let places: Vec<_> = old.children.iter().map(place).collect();
        places
            .iter()
            .map(|place| place.filter(|_| places.iter().filter(|other| *other == place).count() == 1))
            .collect()
    }

    /// The new nodes that this old node was, or the nodes below it.
    fn matched(&self, to: &dyn Fn(u32) -> Option<u32>) -> Vec<u32> {
        to(self.id).map_or_else(|| self.children.iter().flat_map(|child| child.matched(to)).collect(), |id| vec![id])
    }

    /// Whether a new node is this one, or was inserted above it.
    fn holds(&self, id: u32, old_root: &Self, to: &dyn Fn(u32) -> Option<u32>) -> bool {
        let is_inserted = self.before(old_root, to).is_none();
        self.id == id || is_inserted && self.children.iter().any(|child| child.holds(id, old_root, to))
    }

    /// Whether a `kept_sequence` continues at a child.
    fn has_begun(&self) -> bool {
        self.position > 0 || self.is_at_first
    }

    /// Whether there are as many children as before, and all that were not removed are where they were.
    fn is_in_place(&self, places: &[Option<usize>]) -> bool {
        let stays = |(child, place): (usize, &Option<usize>)| place.is_none_or(|place| place == child);
        places.len() == self.children.len() && places.iter().enumerate().all(stays)
    }

    /// Copies all that nodes remember, with the new numbers.
    fn copy(&mut self, old_root: &Self, to: &dyn Fn(u32) -> Option<u32>, plan: &Plan) {
        if let Some(old) = self.before(old_root, to) {
            (self.runs, self.once, self.over, self.served) = (old.runs, old.once, old.over, old.served);
            (self.ended, self.began, self.times, self.span) = (old.ended, old.began, old.times, old.span);
            (self.stage, self.left, self.left_waits) = (old.stage, old.left, old.left_waits);
            let places = self.places(old, old_root, to);
            let next = places.iter().skip(old.position).find_map(|place| *place);
            self.position = match &self.spec {
                // One that has never run begins at the first child.
                Spec::Own(..) if !old.open && old.over.is_none() => 0,
                Spec::Own(..) => places.get(old.position).copied().flatten().unwrap_or(0),
                _ => next.filter(|_| old.has_begun()).unwrap_or(0),
            };
            self.is_at_first = old.has_begun() && next == Some(0);
            if matches!(self.spec, Spec::Own(Own::Shift, ..)) && !self.is_in_place(&places) {
                self.runs = 0;
            }
            if plan.get(&self.id).is_some_and(|(from, _)| from.is_some()) {
                if self.is_machine() {
                    self.at = self.state_of(old, to).expect("it goes on");
                    self.results[self.at] = old.results[old.at];
                } else {
                    for (place, result) in places.into_iter().zip(&old.results) {
                        if let Some(place) = place {
                            self.results[place] = *result;
                        }
                    }
                }
            }
            if let Spec::Word(word, args, _) = &self.spec
                && args.how == How::Fixed
            {
                self.times = args.times;
                self.span = Duration::from_millis(args.millis);
                // A delay that is over does not begin again.
                if *word == Word::Delay && old.open && (old.span.is_zero() || old.children[0].open) {
                    self.span = Duration::ZERO;
                }
            } else if self.word() == Some(Word::Delay) && old.open && old.children[0].open {
                self.span = Duration::ZERO;
            }
        }
        self.children.iter_mut().for_each(|child| child.copy(old_root, to, plan));
    }

    /// Opens what is planned, from the root down. Returns whether the node runs.
    fn open_planned(
        &mut self,
        old: &Self,
        to: &dyn Fn(u32) -> Option<u32>,
        plan: &Plan,
        unchanged: &[u32],
        world: &mut World,
    ) -> bool {
        let Some((from, _)) = plan.get(&self.id) else {
            self.open_left(old, to, plan, unchanged, world);
            return false;
        };
        let is_planned = |child: &usize| plan.contains_key(&self.children[*child].id);
        let is_left = |child: &usize| self.left && *child == CLEANUP;
        let running: Vec<usize> =
            (0..self.children.len()).filter(|child| is_planned(child) && !is_left(child)).collect();
        let goes_on = from.is_some();
        let opens = if let (true, Some(number)) = (goes_on, self.number()) {
            // It has been closed, because its number has changed.
            if from.is_some_and(|from| !unchanged.contains(&from)) && matches!(self.spec, Spec::Leaf(_)) {
                world.see(Event::Open(number));
            }
            true
        } else {
            if !goes_on {
                (self.ended, self.began) = (0, world.now);
            }
            self.fits(goes_on, old, to, &running) && (goes_on || self.adopts(running.first().copied(), world))
        };
        if !opens {
            self.close_kept(plan, unchanged, world, goes_on);
            self.open_left(old, to, plan, unchanged, world);
            return false;
        }
        if self.is_finally() && !goes_on {
            self.stage = Stage::Body;
        }
        if let Some(first) = running.first() {
            self.at = *first;
            self.position = *first;
            self.is_at_first = *first == 0 && self.before(old, to).is_some_and(Self::has_begun);
            if matches!(self.word(), Some(Word::RandomSelector | Word::RandomSequence | Word::MemUtilitySelector)) {
                self.results[*first] = Some(Status::Running);
            }
            if self.is_machine() {
                self.results.fill(None);
            }
            // Around a running child it does not wait.
            if self.word() == Some(Word::Delay) {
                self.span = Duration::ZERO;
            }
        }
        self.open = true;
        let mut still = running.is_empty();
        for child in 0..self.children.len() {
            if running.contains(&child) {
                still |= self.children[child].open_planned(old, to, plan, unchanged, world);
            } else {
                self.open_left_in(child, old, to, plan, unchanged, world);
            }
        }
        if !(still || goes_on && self.runs_alone()) {
            self.close_alone(world);
            self.open = false;
        }
        self.open
    }

    /// Opens what is planned of the cleanups below that are left.
    fn open_left(
        &mut self,
        old: &Self,
        to: &dyn Fn(u32) -> Option<u32>,
        plan: &Plan,
        unchanged: &[u32],
        world: &mut World,
    ) {
        (0..self.children.len()).for_each(|child| self.open_left_in(child, old, to, plan, unchanged, world));
    }

    fn open_left_in(
        &mut self,
        child: usize,
        old: &Self,
        to: &dyn Fn(u32) -> Option<u32>,
        plan: &Plan,
        unchanged: &[u32],
        world: &mut World,
    ) {
        if self.left && child == CLEANUP && plan.contains_key(&self.children[child].id) {
            self.left = self.children[child].open_planned(old, to, plan, unchanged, world);
            self.left_waits = !self.left;
        } else {
            self.children[child].open_left(old, to, plan, unchanged, world);
        }
    }

    /// Whether a composite can run at these children.
    fn fits(&mut self, goes_on: bool, old_root: &Self, to: &dyn Fn(u32) -> Option<u32>, running: &[usize]) -> bool {
        if matches!(self.spec, Spec::Own(Own::Shift, ..)) {
            let old = self.before(old_root, to).filter(|_| goes_on);
            let fits = old.is_some_and(|old| {
                let places = self.places(old, old_root, to);
                let ran = |child: &usize| places.get(*child) == Some(&Some(*child)) && old.children[*child].open;
                running.iter().all(ran) && self.is_in_place(&places)
            });
            if !fits {
                self.runs = 0;
            }
            return fits;
        }
        match self.word() {
            Some(Word::If | Word::MemIf) => running != [0],
            Some(Word::Finally) => goes_on || running == [BODY] && !self.left,
            Some(Word::MemParallel) if goes_on => {
                let old = self.before(old_root, to).expect("it goes on");
                let removed = self
                    .places(old, old_root, to)
                    .iter()
                    .zip(&old.results)
                    .any(|(place, result)| place.is_none() && result.is_some());
                let [successes, failures] =
                    [Status::Success, Status::Failure].map(|status| old.results.contains(&Some(status)));
                !(removed && successes && failures)
            }
            _ => true,
        }
    }

    /// Opens a decorator or a machine around its running child, as if it had started it.
    fn adopts(&mut self, running: Option<usize>, world: &mut World) -> bool {
        if let Spec::Machine { states, .. } = &self.spec {
            world.see(Event::Open(states[running.unwrap_or(0)].number));
        }
        match self.word() {
            Some(Word::Delay | Word::Fresh | Word::Chance) => true,
            _ => self.refusal(true, world, &mut Vec::new()).is_none(),
        }
    }

    /// Closes what goes on below a node that cannot, deepest first.
    fn close_kept(&mut self, plan: &Plan, unchanged: &[u32], world: &mut World, is_open: bool) {
        // A halt does not end a cleanup.
        let closed = if self.is_finally() { BODY..CLEANUP } else { 0..self.children.len() };
        for child in &mut self.children[closed] {
            if let Some((from, _)) = plan.get(&child.id) {
                let is_open = from.is_some_and(|from| unchanged.contains(&from));
                child.close_kept(plan, unchanged, world, is_open);
            }
        }
        if is_open && self.is_finally() {
            if plan.contains_key(&self.children[CLEANUP].id) {
                self.left = true;
            } else {
                self.halt_finally(Cause::Edited, world, &mut Vec::new());
            }
        }
        if is_open {
            self.close_alone(world);
        }
    }
}
