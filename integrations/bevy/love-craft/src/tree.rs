//! The tree of chibis: 92 nodes with 21 actions and 15 conditions, as many as in the Ludum Dare game that this one follows. Earlier branches are more important:
//! chibis run from the rain in the middle of a talk, and talk on afterwards.

use bt_bevy::prelude::*;

use crate::chibi::{Balloon, Body, Chibi, Me, World};
use crate::leaves::{
    Spot, choose, dangle, feed, find_friend, find_talk, forget, friend_is_near, is_bored, is_charmed, is_held,
    is_in_love, is_in_talk, is_meddler, is_raining, is_sheltered, is_speaker, is_tired, likes_topic, listen,
    meddler_is_near, say_favorite, say_something, show, sit, wait_for_sun, walk_to_friend, walk_to_spot, wants_quiet,
    was_put_down,
};
use crate::talk::{end_talk, fall_in_love, greet, kiss, leave, pass_on};

impl Behavior for Chibi {
    type Data = Body;
    type Params = World<'static, 'static>;

    fn tree() -> impl TreeOf<Self> {
        chibi()
    }
}

pub(crate) fn chibi() -> impl TreeOf<Chibi> {
    tree! {
        for Me<'_, '_>: selector "chibi" {
            sequence "held" { is_held, dangle }
            sequence "rain" { is_raining, shelter() }
            sequence "love" { is_in_love, court() }
            sequence "talk" { is_in_talk, talk() }
            sequence "meddle" { is_meddler, !wants_quiet, meddle() }
            mem_sequence "put down" { was_put_down, find_friend, system(greet) }
            mem_sequence "rest" { is_tired, choose(Spot::Bench), walk_to_spot, sit }
            pastime(),
        }
    }
}

/// Runs under a tree, and waits there.
fn shelter() -> impl TreeOf<Chibi> {
    tree! {
        for Me<'_, '_>: selector "shelter" {
            sequence "dry" { is_sheltered, wait_for_sun }
            mem_sequence "run" { choose(Spot::Tree), walk_to_spot }
        }
    }
}

/// Kisses the beloved and leaves with them.
fn court() -> impl TreeOf<Chibi> {
    tree! {
        for Me<'_, '_>: selector "court" {
            sequence "together" {
                friend_is_near,
                mem_sequence "go" { system(kiss), wait(secs(2)), choose(Spot::Gate), walk_to_spot, system(leave) }
            }
            walk_to_friend,
            mem_sequence "lost" { show(Balloon::Tears), forget }
        }
    }
}

/// Speaks and listens by turns, until they love or bore each other, or a meddler interrupts them.
fn talk() -> impl TreeOf<Chibi> {
    tree! {
        for Me<'_, '_>: selector "in talk" {
            sequence "interrupted" { meddler_is_near, show(Balloon::Anger), system(end_talk) }
            sequence "apart" { !friend_is_near, walk_to_friend }
            sequence "charmed" { is_charmed, system(fall_in_love) }
            sequence "bored" { is_bored, show(Balloon::Bored), system(end_talk) }
            sequence "speak" {
                is_speaker,
                mem_sequence "turn" {
                    random_selector "topic" { 3 => say_favorite, say_something }
                    wait(millis(1200)),
                    system(pass_on),
                }
            }
            sequence "agree" { likes_topic, show(Balloon::Smile), listen }
            listen,
        }
    }
}

/// Goes to a talk and gossips. The others notice that a meddler is near.
fn meddle() -> impl TreeOf<Chibi> {
    tree! {
        for Me<'_, '_>: mem_sequence "interrupt" {
            find_talk,
            walk_to_friend,
            show(Balloon::Gossip),
            wait(secs(2)),
            forget,
        }
    }
}

/// What chibis do when there is nothing more important.
fn pastime() -> impl TreeOf<Chibi> {
    tree! {
        for Me<'_, '_>: random_selector "pastime" {
            3 => mem_sequence "meet" { find_friend, timeout(secs(8)) { walk_to_friend } system(greet) }
            mem_sequence "birds" { choose(Spot::Birds), walk_to_spot, feed }
            mem_sequence "stroll" { choose(Spot::Anywhere), walk_to_spot, wait(secs(1)) }
        }
    }
}
