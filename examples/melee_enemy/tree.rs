//! The tree of the text. Its Sequence and Selector remember (`mem_sequence`, `mem_selector`), its ActiveSelector is our `selector`.

use bt_core::prelude::*;

use crate::leaves::{
    any_around, any_around_attached, attach_to, chase, find_wander_point, melee_attack, move_to_point, separate,
    suspicious, talk, threatened, tk_lift, unsuspicious, unthreatened,
};
use crate::world::{Enemy, Kind};

/// What every enemy thinks: attack whom is near, get suspicious of whom is not far, else idle.
#[subtree]
pub(crate) fn melee_enemy() -> impl Node<Enemy<'_>> {
    const PLAYER: &[Kind] = &[Kind::Player];
    tree! {
        selector "melee enemy" {
            mem_sequence "attack" {
                any_around(PLAYER, 75.0),
                threatened,
                until_failure {
                    // The text's Sequence stays at the running child, and a chase that only asks at its beginning would go on for ever: asked each tick, it
                    // goes on "until he distances himself enough".
                    sequence "chase" {
                        any_around(PLAYER, 75.0),
                        // The chase always succeeds, so the text's threshold for failure is never reached.
                        #[allow(threshold)]
                        parallel(success = all, failure = all) {
                            chase,
                            mem_sequence "strike" { any_around(PLAYER, 30.0), melee_attack }
                        }
                    }
                }
                !any_around(PLAYER, 75.0),
                unthreatened,
            }
            mem_sequence "suspicious" {
                any_around(PLAYER, 150.0),
                suspicious,
                !any_around(PLAYER, 150.0),
                unsuspicious,
            }
            idle
        }
    }
}

/// What an enemy does when nobody disturbs it.
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

/// A stored subtree: look for one of these, but not twice in a row, and go there.
#[subtree]
fn find_and_move_to(kinds: &'static [Kind], radius: f32) -> impl Node<Enemy<'_>> {
    tree! { mem_sequence { not_twice_in_a_row { any_around(kinds, radius) }, move_to_point } }
}

/// Turns a second success in a row into a failure (the text's DontSucceedInARow).
struct NotTwiceInARow;

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
