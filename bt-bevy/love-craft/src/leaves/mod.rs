//! The leaves of the tree: what chibis know, and what they do.

mod actions;
mod conditions;

pub(crate) use actions::*;
pub(crate) use conditions::*;

use glam::Vec2;

use crate::chibi::Me;

/// Returns where the friend is: whom this chibi loves, talks to, or wants to meet, in this order.
fn friend_at(chibi: &Me) -> Option<Vec2> {
    let love = chibi.love.map(|love| love.of);
    let friend = love.or_else(|| chibi.talk.map(|talk| talk.with)).or(chibi.mood.friend);
    friend.and_then(|friend| chibi.params.chibis.get(friend).ok()).map(|position| position.0)
}
