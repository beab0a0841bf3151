//! The tree of the article. Its Sequence and Selector have memory (`mem_sequence`, `mem_selector`); its ActiveSelector is `selector`.

use bt_core::Never;
use bt_core::decorator::{AfterChild, Decorated, decorate};
use bt_core::prelude::*;

use crate::leaves::{
    any_around, any_around_attached, attach_to, chase, find_wander_point, melee_attack, move_to_point, separate,
    suspicious, talk, threatened, tk_lift, unsuspicious, unthreatened,
};
use crate::world::{Enemy, Kind};

/// The distance at which an enemy attacks the player.
pub(crate) const TRIGGER: f32 = 75.0;

/// The tree of all enemies: attack a near player, watch a distant one suspiciously, else idle.
#[subtree]
pub(crate) fn melee_enemy() -> impl Node<Enemy<'_>> {
    const PLAYER: &[Kind] = &[Kind::Player];
    tree! {
        selector "melee enemy" {
            mem_sequence "attack" {
                any_around(PLAYER, TRIGGER),
                threatened,
                until_failure {
                    // The article uses a Sequence with memory, which would check the distance only at the beginning and chase forever.
                    // Checked each tick, the chase lasts "until he distances himself enough".
                    sequence "chase" {
                        any_around(PLAYER, TRIGGER),
                        // The chase always succeeds, so the failure threshold of the article is never reached.
                        #[allow(threshold)]
                        parallel(success = all, failure = all) {
                            chase,
                            mem_sequence "strike" { any_around(PLAYER, 30.0), melee_attack }
                        }
                    }
                }
                !any_around(PLAYER, TRIGGER),
                unthreatened,
            }
            mem_sequence "suspicious" {
                any_around(PLAYER, 150.0),
                suspicious,
                !any_around(PLAYER, 150.0),
                unsuspicious,
            }
            idle,
        }
    }
}

/// The behavior while the player is far away.
#[subtree]
fn idle() -> impl Node<Enemy<'_>> {
    tree! {
        mem_selector {
            mem_sequence "TK practice" { find_and_move_to(&[Kind::Box], 50.0), tk_lift }
            mem_sequence "friend talk" {
                find_and_move_to(&[Kind::MeetingPoint], 100.0),
                attach_to(Kind::MeetingPoint, 10.0),
                wait_until { any_around_attached(Kind::Student, Kind::MeetingPoint, 80.0) }
                separate(10.0),
                talk(secs(5)),
            }
            mem_sequence "wander" { find_wander_point(100.0), move_to_point, wait(secs(5)) }
        }
    }
}

/// A reusable subtree: choose a thing of these kinds, but not twice in a row, and walk to it.
#[subtree]
fn find_and_move_to(kinds: &'static [Kind], radius: f32) -> impl Node<Enemy<'_>> {
    tree! { mem_sequence { not_twice_in_a_row { any_around(kinds, radius) } move_to_point } }
}

/// A decorator that turns a second success in a row into a failure (DontSucceedInARow of the article).
pub(crate) struct NotTwiceInARow;

#[decorator]
impl<C: ?Sized> Decorator<C> for NotTwiceInARow {
    type Kept = bool; // whether the last run succeeded

    fn name(&self) -> &'static str {
        "not_twice_in_a_row"
    }

    fn end(&self, outcome: Outcome, (): &mut (), succeeded: &mut bool, _: &mut C) -> AfterChild<Never> {
        *succeeded = outcome == Outcome::Success && !*succeeded;
        AfterChild::End(Outcome::from(*succeeded))
    }
}

fn not_twice_in_a_row<N>(child: N) -> Decorated<NotTwiceInARow, N> {
    decorate(NotTwiceInARow, child)
}
