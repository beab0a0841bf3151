//! The states that were found, how they were reached, and what can be reached from them.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::choices::Choice;

/// All states that were found. A state is known by a hash of 128 bits.
#[derive(Default)]
pub(crate) struct States {
    table: HashTable<u32>,
    hashes: Vec<u128>,
    /// The state before each state; the first state is its own.
    before: Vec<u32>,
    /// The ends of the choices of each state in `choices`.
    ends: Vec<u32>,
    /// The choices in the tick from the state before to each state.
    choices: Vec<u16>,
}

/// A transition between states, and a bit for each property for which it is a goal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) goals: u64,
}

#[expect(clippy::cast_possible_truncation, reason = "the low bits of a hash")]
const fn short(hash: u128) -> u64 {
    hash as u64
}

impl States {
    /// Adds a state. Returns its number, and whether it is new.
    pub(crate) fn add(&mut self, hash: u128, before: u32, choices: &[Choice]) -> (u32, bool) {
        let hashes = &mut self.hashes;
        let is_it = |index: &u32| hashes[*index as usize] == hash;
        match self.table.entry(short(hash), is_it, |index| short(hashes[*index as usize])) {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(place) => {
                let index = u32::try_from(hashes.len()).expect("fewer than 2^32 states fit in memory");
                place.insert(index);
                hashes.push(hash);
                self.before.push(before);
                self.choices.extend(choices.iter().map(|choice| choice.taken));
                self.ends.push(u32::try_from(self.choices.len()).expect("fewer than 2^32 choices fit in memory"));
                (index, true)
            }
        }
    }

    /// Returns the number of states.
    pub(crate) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Returns the memory that the states take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.table.allocation_size()
            + self.hashes.capacity() * size_of::<u128>()
            + (self.before.capacity() + self.ends.capacity()) * size_of::<u32>()
            + self.choices.capacity() * size_of::<u16>()
    }

    /// Returns the choices of each tick from the first state to this one.
    pub(crate) fn path(&self, state: u32) -> Vec<Vec<u16>> {
        let mut path = Vec::new();
        let mut at = state as usize;
        while at != 0 {
            let begin = self.ends[at - 1] as usize;
            path.push(self.choices[begin..self.ends[at] as usize].to_vec());
            at = self.before[at] as usize;
        }
        path.reverse();
        path
    }
}

/// Returns for each state whether a transition with a goal can be reached from it. `open` are states whose transitions are unknown: from these, everything
/// may be reached.
pub(crate) fn can_reach(states: usize, edges: &[Edge], goal: u64, open: impl IntoIterator<Item = u32>) -> Vec<bool> {
    // The transitions into each state: `into[first[state]..first[state + 1]]`.
    let mut first = vec![0_usize; states + 1];
    for edge in edges {
        first[edge.to as usize + 1] += 1;
    }
    for state in 0..states {
        first[state + 1] += first[state];
    }
    let (mut next, mut into) = (first.clone(), vec![0; edges.len()]);
    for edge in edges {
        let place = &mut next[edge.to as usize];
        into[*place] = edge.from;
        *place += 1;
    }
    let mut reaches = vec![false; states];
    let mut todo: Vec<u32> = edges.iter().filter(|edge| edge.goals & goal != 0).map(|edge| edge.from).collect();
    todo.extend(open);
    while let Some(state) = todo.pop() {
        let state = state as usize;
        if !std::mem::replace(&mut reaches[state], true) {
            todo.extend(&into[first[state]..first[state + 1]]);
        }
    }
    reaches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_contains_the_choices_of_each_tick() {
        let choice = |taken| Choice { taken, options: 9, label: "" };
        let mut states = States::default();
        assert_eq!(states.add(7, 0, &[]), (0, true));
        assert_eq!(states.add(8, 0, &[choice(1), choice(2)]), (1, true));
        assert_eq!(states.add(7, 1, &[choice(3)]), (0, false));
        assert_eq!(states.add(9, 1, &[]), (2, true));
        assert_eq!(states.add(10, 2, &[choice(4)]), (3, true));
        assert_eq!(states.path(3), [vec![1, 2], vec![], vec![4]]);
        assert_eq!(states.path(0), Vec::<Vec<u16>>::new());
    }

    #[test]
    fn what_can_be_reached_is_found_backwards() {
        let edge = |from, to, goals| Edge { from, to, goals };
        let edges = [edge(0, 1, 0), edge(1, 0, 0), edge(1, 2, 0), edge(2, 3, 2), edge(3, 3, 0), edge(0, 4, 1)];
        assert_eq!(can_reach(5, &edges, 2, []), [true, true, true, false, false]);
        assert_eq!(can_reach(5, &edges, 1, []), [true, true, false, false, false]);
        assert_eq!(can_reach(5, &edges, 4, [3]), [true, true, true, true, false]);
    }
}
