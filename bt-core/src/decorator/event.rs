//! A decorator for conditions that depend on events.

use bt_words::Word;

use crate::decorator::policy::{Decorator, DecoratorShape};
use crate::status::Never;
use crate::wake::{Foreseen, Wake};

/// States that the outcome of its child changes only by events, so that a sleeping agent need not tick it, as in
/// `by_event { is_hit }`.
///
/// The node ticks its child and returns the child's status. A reactive composite starts the children before its running child
/// in every tick. If they are such nodes, the agent can sleep until the next event instead: see
/// [`Tree::due`](crate::Tree::due). The child must have no effects, and its outcome must not change unless the agent is woken
/// ([`Herd::wake`](crate::Herd::wake)). For a condition with a name, write `#[condition(event)]` instead.
///
/// ```
/// # use bt_core::prelude::*;
/// # use bt_core::Wake;
/// # struct Npc { hit: bool }
/// fn is_hit(npc: &Npc) -> bool { npc.hit }
///
/// let polled = tree! { for Npc: selector { sequence { is_hit, run } run } };
/// let waits = tree! { for Npc: selector { sequence { by_event { is_hit }, run } run } };
/// let (mut one, mut other) = (polled.memory(), waits.memory());
/// let mut npc = Npc { hit: false };
/// let status = polled.tick(&mut npc, &mut one);
/// assert_eq!(polled.due(status, &one, &mut npc), Wake::Next);
/// let status = waits.tick(&mut npc, &mut other);
/// assert_eq!(waits.due(status, &other, &mut npc), Wake::Event);
/// ```
pub const fn by_event() -> ByEvent {
    ByEvent
}

/// The policy of [`by_event`](crate::keywords::by_event).
#[derive(Clone, Copy, Debug)]
pub struct ByEvent;

impl DecoratorShape for ByEvent {
    type Open = ();
    type Kept = ();
    type Pause = Never;
    const WORD: Option<Word> = Some(Word::ByEvent);
    const RESTARTS: bool = true;
    const BY_EVENT: bool = true;

    #[inline]
    fn foresee(&self, (): &(), child: &mut dyn FnMut() -> Foreseen) -> Foreseen {
        child().map(|(outcome, _)| (outcome, Wake::Event))
    }
}

impl<C: ?Sized> Decorator<C> for ByEvent {}
