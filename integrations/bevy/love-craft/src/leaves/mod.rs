//! The leaves of the tree: conditions and actions.

mod actions;
mod conditions;

pub(crate) use actions::*;
pub(crate) use conditions::*;

use glam::Vec2;

use crate::chibi::Me;

/// Returns the position of the friend: the chibi that this one loves, talks to, or is going to meet, in this order.
fn friend_at(chibi: &Me) -> Option<Vec2> {
    let love = chibi.love.map(|love| love.of);
    let friend = love.or_else(|| chibi.talk.map(|talk| talk.with)).or(chibi.mood.friend);
    friend.and_then(|friend| chibi.params.chibis.get(friend).ok()).map(|position| position.0)
}
