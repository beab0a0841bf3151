//! What has to have run before a leaf that begins in an edit, as naively.

use bt_tests::world::Event;
use bt_words::Word;

use crate::reference::{CLEANUP, Reference};
use crate::spec::Spec;

impl Reference {
    /// A leaf that an edit of this tree has begun in the new one, although the children before it in a sequence have not run in that place.
    pub fn begun_past_guards(&self, new: &Spec, seen: &[Event]) -> Option<u32> {
        let begun = seen.iter().enumerate().filter_map(|(index, event)| match (event, seen.get(index + 1)) {
            // It was ticked at once: the old tree has started a cleanup.
            (Event::Open(number), Some(Event::Tick(ticked, _))) if number == ticked => None,
            (Event::Open(number), _) => Some(*number),
            _ => None,
        });
        begun.into_iter().find(|number| has_leaf(new, *number) && self.begins(new, *number).is_none())
    }

    /// Whether a leaf in a tree is in a cleanup; `None` if it cannot begin there.
    fn begins(&self, spec: &Spec, number: u32) -> Option<bool> {
        if *spec == Spec::Leaf(number) {
            return Some(false);
        }
        let word = match spec {
            Spec::Word(word, ..) => Some(*word),
            _ => None,
        };
        let sequence = word.filter(|word| [Word::Sequence, Word::MemSequence, Word::KeptSequence].contains(word));
        let children = spec.children();
        (0..children.len()).find_map(|child| {
            // What is before its `finally` does not matter to a cleanup.
            let is_free = self.begins(children[child], number)?;
            let may = is_free || sequence.is_none_or(|word| child == 0 || self.has_run(word, &children[..child]));
            may.then_some(is_free || word == Some(Word::Finally) && child == CLEANUP)
        })
    }

    /// Whether these children have run in a sequence that is running at a later one.
    fn has_run(&self, word: Word, guards: &[&Spec]) -> bool {
        let is_here = matches!(self.spec, Spec::Word(here, ..) if here == word);
        let running = self.children.iter().position(|child| child.open).filter(|_| is_here && self.open);
        let have_run = |running: usize| {
            guards.iter().all(|guard| self.children[..running].iter().any(|child| is_alike(&child.spec, guard)))
        };
        running.is_some_and(have_run) || self.children.iter().any(|child| child.has_run(word, guards))
    }
}

fn has_leaf(spec: &Spec, number: u32) -> bool {
    *spec == Spec::Leaf(number) || spec.children().iter().any(|child| has_leaf(child, number))
}

/// Whether two trees have the same nodes. A spec has arguments that its words do not take.
fn is_alike(one: &Spec, other: &Spec) -> bool {
    let is_same = match (one, other) {
        (Spec::Word(one, ..), Spec::Word(other, ..)) => one == other,
        (Spec::Own(one, number, _), Spec::Own(other, same, _)) => (one, number) == (other, same),
        (Spec::Machine { .. }, Spec::Machine { .. }) => true,
        (Spec::Leaf(one), Spec::Leaf(other))
        | (Spec::Action(one), Spec::Action(other))
        | (Spec::Condition(one), Spec::Condition(other)) => one == other,
        _ => false,
    };
    let (one, other) = (one.children(), other.children());
    is_same && one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_alike(one, other))
}
