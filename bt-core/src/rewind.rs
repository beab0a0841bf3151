//! A bounded list of earlier snapshots, to which a program can go back.

use alloc::collections::VecDeque;
use core::ops::RangeInclusive;
use core::time::Duration;

/// The last snapshots of an agent or of a whole world, within a maximum number of bytes. A program goes back to one of
/// them.
///
/// A memory is a plain value, so an agent goes back by getting an earlier memory and an earlier context. `S` is the type of the
/// stored state, such as a pair of both. A snapshot is stored before a tick and has the number of that tick. The first tick has
/// the number 0, as in a [`TickRecord`](crate::observe::TickRecord), so the number equals the number of earlier ticks.
///
/// ```
/// use bt_core::Rewind;
/// use bt_core::prelude::*;
///
/// fn eat(apples: &mut u32) -> Status {
///     *apples -= 1;
///     if *apples == 0 { Status::Success } else { Status::Running }
/// }
///
/// let tree = tree! { for u32: mem_sequence { eat, run } };
/// let (mut apples, mut memory) = (3, tree.memory());
/// let mut rewind = Rewind::new(10_000);
/// for tick in 0..10 {
///     rewind.store(tick, secs(tick), || (memory.clone(), apples));
///     tree.tick(&mut apples, &mut memory);
/// }
/// assert_eq!(rewind.ticks(), Some(0..=9));
///
/// let snapshot = rewind.rewind_to(2).expect("tick 2 is stored");
/// (memory, apples) = snapshot.state.clone();
/// assert_eq!((snapshot.tick, snapshot.now, apples), (2, secs(2), 1));
/// tree.tick(&mut apples, &mut memory);                    // tick 2 again
/// assert_eq!(apples, 0);
/// ```
///
/// A tick depends only on the tree, the memory and the context. With equal inputs, a tick repeats exactly if the context
/// contains all values that the leaves read, including the clock and the random number generator.
///
/// # The bound
///
/// A ring of snapshots never stores more bytes than its bound: it drops the oldest snapshots. The bytes are the bytes of the
/// ring, including free slots, and the bytes that the function passed to [`weigh`](Self::weigh) returns. Once the ring has its
/// full size, only the snapshots themselves allocate. While the ring grows, its old and its new slots exist at the same time for
/// a moment.
///
/// # Two futures
///
/// The ring contains only snapshots that lead to the present. [`rewind_to`](Self::rewind_to) forgets the later snapshots. To
/// compare two futures, continue from the state that [`at`](Self::at) returns, without storing: then nothing is forgotten.
///
/// # What is stored
///
/// | what goes back | what to store |
/// |---|---|
/// | an agent | its [`Memory`](crate::Memory) and its context; the same for trees loaded from files |
/// | a [`Brain`](crate::Brain) | a clone of [`Brain::memory`](crate::Brain::memory), for [`Brain::set_memory`](crate::Brain::set_memory) |
/// | a [`Herd`](crate::Herd) | [`Herd::memories`](crate::Herd::memories), for [`Herd::set_memories`](crate::Herd::set_memories) |
/// | a context that is not `Clone` | a value from which a function of the program restores the context |
///
/// Asynchronous actions: the future of a running action cannot be copied. A cloned memory starts the action again in the next
/// tick, and so does an agent that goes back.
#[derive(Clone, Debug)]
pub struct Rewind<S> {
    snapshots: VecDeque<Weighed<S>>,
    /// The bytes of all snapshots outside the ring.
    outside: usize,
    bound: usize,
    every: u64,
    weigh: Option<fn(&S) -> usize>,
}

/// A state of an agent before a tick, stored in a [`Rewind`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot<S> {
    /// The number of the tick that follows, which is the number of earlier ticks.
    pub tick: u64,
    /// The time that was passed to [`Rewind::store`].
    pub now: Duration,
    /// The stored state.
    pub state: S,
}

#[derive(Clone, Debug)]
struct Weighed<S> {
    snapshot: Snapshot<S>,
    /// The bytes of the state outside the ring.
    outside: usize,
}

impl<S> Rewind<S> {
    /// Creates an empty ring with this maximum number of bytes. The ring allocates when the first snapshot is stored.
    pub const fn new(bytes: usize) -> Self {
        Self { snapshots: VecDeque::new(), outside: 0, bound: bytes, every: 1, weigh: None }
    }

    /// Sets the minimum number of ticks from one snapshot to the next. By default, each tick is stored. To go back to a tick
    /// between two snapshots, go back to the snapshot before the tick, and repeat the ticks after it.
    ///
    /// ```
    /// use bt_core::Rewind;
    /// use core::time::Duration;
    ///
    /// let mut rewind = Rewind::new(10_000).every(10);
    /// for tick in 0..100 {
    ///     rewind.store(tick, Duration::ZERO, || tick);
    /// }
    /// assert_eq!(rewind.iter().len(), 10);
    /// assert_eq!(rewind.at(47).map(|snapshot| snapshot.tick), Some(40));
    /// ```
    #[must_use]
    pub const fn every(mut self, ticks: u64) -> Self {
        self.every = ticks;
        self
    }

    /// Sets the function that returns the bytes of a state outside the ring, on the heap. By default, these bytes are not
    /// counted.
    ///
    /// ```
    /// use bt_core::Rewind;
    /// use core::time::Duration;
    ///
    /// let mut rewind = Rewind::new(10_000).weigh(|items: &Vec<u64>| items.capacity() * size_of::<u64>());
    /// for tick in 0..100 {
    ///     rewind.store(tick, Duration::ZERO, || vec![tick; 100]);
    /// }
    /// assert_eq!(rewind.iter().len(), 11);
    /// assert!(rewind.bytes() <= 10_000);
    /// ```
    #[must_use]
    pub const fn weigh(mut self, bytes: fn(&S) -> usize) -> Self {
        self.weigh = Some(bytes);
        self
    }

    /// Changes the maximum number of bytes, and drops the oldest snapshots beyond it.
    #[doc(hidden)]
    pub fn set_bound(&mut self, bytes: usize) {
        self.bound = bytes;
        while self.bytes() > bytes && !self.snapshots.is_empty() {
            let keep = self.snapshots.len() - 1;
            self.outside -= self.snapshots.pop_front().map_or(0, |oldest| oldest.outside);
            let places = bytes.saturating_sub(self.outside) / size_of::<Weighed<S>>();
            if places >= keep || keep == 0 {
                self.snapshots.shrink_to(keep);
            }
        }
    }

    /// Changes the minimum number of ticks from one snapshot to the next. See [`every`](Self::every).
    #[doc(hidden)]
    pub const fn set_every(&mut self, ticks: u64) {
        self.every = ticks;
    }

    /// Stores the state before a tick, which `save` returns. `save` is called only if the tick is to be [stored](Self::every).
    ///
    /// Snapshots of this tick and of later ones are forgotten first, because the agent has gone back. If one snapshot
    /// takes more bytes than the bound, nothing is stored.
    #[inline]
    pub fn store(&mut self, tick: u64, now: Duration, save: impl FnOnce() -> S) {
        if self.snapshots.back().is_some_and(|last| last.snapshot.tick >= tick) {
            self.forget_from(tick);
        }
        if self.snapshots.back().is_some_and(|last| tick - last.snapshot.tick < self.every) {
            return;
        }
        let state = save();
        let outside = self.weigh.map_or(0, |weigh| weigh(&state));
        let has_place = self.snapshots.len() < self.snapshots.capacity();
        if (has_place && self.fits(self.snapshots.capacity(), outside)) || self.make_place(outside) {
            self.outside += outside;
            self.snapshots.push_back(Weighed { snapshot: Snapshot { tick, now, state }, outside });
        }
    }

    /// Returns the snapshot of the last stored tick that is this tick or an earlier one; `None` if there is none.
    pub fn at(&self, tick: u64) -> Option<&Snapshot<S>> {
        let later = self.later_than(tick);
        self.snapshots.get(later.checked_sub(1)?).map(|stored| &stored.snapshot)
    }

    /// Returns the snapshot of the last stored tick that is this tick or an earlier one, and forgets the later snapshots. If
    /// there is none, returns `None` and forgets nothing.
    ///
    /// The program loads the state. See the example of [`Rewind`].
    pub fn rewind_to(&mut self, tick: u64) -> Option<&Snapshot<S>> {
        let found = self.at(tick)?.tick;
        self.forget_from(found.checked_add(1)?);
        self.snapshots.back().map(|stored| &stored.snapshot)
    }

    /// Returns the numbers of the first and the last tick that are stored; `None` if there are none.
    pub fn ticks(&self) -> Option<RangeInclusive<u64>> {
        Some(self.snapshots.front()?.snapshot.tick..=self.snapshots.back()?.snapshot.tick)
    }

    /// Returns the stored snapshots, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Snapshot<S>> + ExactSizeIterator {
        self.snapshots.iter().map(|stored| &stored.snapshot)
    }
    /// Returns the number of bytes that the ring and its snapshots take, which never exceeds the bound.
    pub fn bytes(&self) -> usize {
        self.snapshots.capacity() * size_of::<Weighed<S>>() + self.outside
    }

    /// Forgets all snapshots and frees their memory.
    pub fn clear(&mut self) {
        self.snapshots = VecDeque::new();
        self.outside = 0;
    }

    /// Returns the index of the first snapshot that is later than a tick.
    fn later_than(&self, tick: u64) -> usize {
        self.snapshots.partition_point(|stored| stored.snapshot.tick <= tick)
    }

    /// Forgets the snapshots of this tick and of later ones.
    #[cold]
    fn forget_from(&mut self, tick: u64) {
        let keep = self.snapshots.partition_point(|stored| stored.snapshot.tick < tick);
        self.outside -= self.snapshots.drain(keep..).map(|stored| stored.outside).sum::<usize>();
    }

    /// Returns `true` if this number of places, the stored states, and `outside` more bytes are within the bound.
    fn fits(&self, places: usize, outside: usize) -> bool {
        let places = places.saturating_mul(size_of::<Weighed<S>>());
        places.saturating_add(self.outside).saturating_add(outside) <= self.bound
    }

    /// Makes a place for one more snapshot: by more places, or else by dropping the oldest ones. Returns `false` if one
    /// snapshot alone is beyond the bound.
    fn make_place(&mut self, outside: usize) -> bool {
        if self.bound.saturating_sub(outside) < size_of::<Weighed<S>>() {
            return false;
        }
        let places = self.snapshots.len();
        if places == self.snapshots.capacity() && self.fits(places + 1, outside) {
            self.grow(outside);
        }
        while self.snapshots.len() == self.snapshots.capacity() || !self.fits(self.snapshots.capacity(), outside) {
            let Some(oldest) = self.snapshots.pop_front() else {
                self.snapshots = VecDeque::with_capacity(1);
                break;
            };
            self.outside -= oldest.outside;
            // Places that were for lighter snapshots. A part of them stays, so that not each snapshot moves all others.
            let (needed, places) = (self.snapshots.len() + 1, self.snapshots.capacity());
            if places - needed > needed / 8 {
                self.snapshots.shrink_to(needed);
            }
        }
        true
    }

    /// Doubles the number of places, or adds as many as are within the bound.
    #[cold]
    fn grow(&mut self, outside: usize) {
        let free = self.bound.saturating_sub(self.outside.saturating_add(outside));
        let places = (self.snapshots.len() * 2).max(4).min(free / size_of::<Weighed<S>>());
        self.snapshots.reserve_exact(places.saturating_sub(self.snapshots.len()));
    }
}
