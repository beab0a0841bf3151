//! The tree of customers. Compare Love Craft: 92 nodes, of which 21 are actions, 15 conditions and 2 decorators.

use bt_bevy::prelude::*;

use crate::leaves::{
    Me, begin_work, beloved_is_near, blush, chat, drink, earn, fall_in_love, finds_friend, forget, has_beloved,
    has_coins, is_broke_long, is_first, is_friend_near, is_in_love, is_in_queue, is_in_stock, is_loved, is_open,
    is_single, join_queue, kiss, leave_queue, look_around, look_up, pay, queue_is_shorter, sees_someone, sulk,
    throw_coin, walk_after_beloved, walk_after_friend, walk_anywhere, walk_in_line, walk_to, wants_potion, wave,
};
use crate::square::{Body, Chibi, Place, Shared};

impl Behavior for Chibi {
    type Data = Body;
    type Params = Shared<'static, 'static>;

    fn tree() -> impl TreeOf<Self> {
        chibi()
    }
}

pub(crate) fn chibi() -> impl TreeOf<Chibi> {
    tree! {
        for Me<'_, '_>: selector "chibi" {
            sequence "loved" { is_loved, !is_in_love, be_kissed() }
            sequence "in love" { is_in_love, leave_queue, court() }
            sequence "buy" { wants_potion, is_open, buy() }
            sequence "earn" { !has_coins, is_broke_long, leave_queue, work() }
            pastime(),
        }
    }
}

/// The customer whom another one loves waits for the kiss.
fn be_kissed() -> impl TreeOf<Chibi> {
    tree! {
        for Me<'_, '_>: mem_sequence {
            look_up,
            random_selector "feeling" { mem_sequence "shy" { is_single, blush, wait(millis(600)) } wave }
            wait(secs(1)),
        }
    }
}

/// Finds someone, goes there and kisses, or gives up.
fn court() -> impl TreeOf<Chibi> {
    tree! {
        for Me<'_, '_>: selector "court" {
            mem_sequence "woo" {
                has_beloved,
                walk_after_beloved(),
                mem_selector "kiss or not" {
                    mem_sequence "kiss" { beloved_is_near, system(kiss), wait(secs(1)), forget }
                    mem_sequence "refused" { sulk, wait(secs(2)), forget }
                }
            }
            mem_sequence "fall in love" { sees_someone, fall_in_love }
            mem_sequence "search" { walk_anywhere(), look_around }
        }
    }
}

/// Stands in line, buys a potion and drinks it.
fn buy() -> impl TreeOf<Chibi> {
    tree! {
        for Me<'_, '_>: selector "buy" {
            sequence "served" {
                is_first,
                is_in_stock,
                mem_sequence { walk_to(Place::Stall), pay, wait(millis(500)), drink, leave_queue }
            }
            sequence "line" { is_in_queue, has_coins, mem_sequence { walk_in_line(), wait(millis(300)) } }
            mem_sequence "join" { has_coins, queue_is_shorter(12), join_queue }
            cooldown(secs(8)) { mem_sequence "too long" { has_coins, walk_to(Place::Bench), sulk, wait(secs(3)) } }
        }
    }
}

/// Earns coins at the mill.
fn work() -> impl TreeOf<Chibi> {
    tree! { for Me<'_, '_>: mem_sequence "work" { walk_to(Place::Mill), begin_work, wait(secs(4)), earn } }
}

/// What customers do who want nothing.
fn pastime() -> impl TreeOf<Chibi> {
    tree! {
        for Me<'_, '_>: random_selector "pastime" {
            timeout(secs(20)) {
                mem_sequence "chat" { finds_friend, walk_after_friend(), is_friend_near, chat, wait(secs(2)) }
            }
            mem_sequence "fountain" { walk_to(Place::Fountain), throw_coin, wait(secs(2)) }
            mem_sequence "stroll" { walk_anywhere(), look_around, wait(secs(1)) }
        }
    }
}

/// Returns the lines of the drawing of the tree.
pub(crate) fn drawing() -> Vec<String> {
    bt_bevy::bt_core::describe::Description::of(&chibi()).draw().to_string().lines().map(str::to_owned).collect()
}
