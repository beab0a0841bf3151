//! The leaves of the tree: what customers know, and what they do.

use bevy_ecs::prelude::*;
use bt_bevy::Task;
use bt_bevy::prelude::*;

use crate::square::{BodyItem, Chibi, Customer, Doing, LovedBy, Place, Position, Stock, anywhere, fraction, in_line};
use crate::walking::Walk;

/// A customer in a tick.
pub(crate) type Me<'a, 'w> = Agent<'a, 'w, Chibi>;

// Conditions.

pub(crate) fn is_loved(chibi: &Me) -> bool {
    chibi.loved_by.is_some()
}

pub(crate) fn is_in_love(chibi: &Me) -> bool {
    chibi.me.drunk_until > chibi.now()
}

pub(crate) fn wants_potion(chibi: &Me) -> bool {
    chibi.me.longing >= 1.0
}

pub(crate) fn has_coins(chibi: &Me) -> bool {
    chibi.me.coins > 0
}

pub(crate) fn is_open(chibi: &Me) -> bool {
    // The stall closes for ten seconds in every minute.
    chibi.now().as_secs() % 60 < 50
}

pub(crate) fn is_broke_long(chibi: &Me) -> bool {
    chibi.me.longing >= 0.5
}

pub(crate) fn is_single(chibi: &Me) -> bool {
    chibi.me.is_single_by_choice
}

pub(crate) fn has_beloved(chibi: &Me) -> bool {
    chibi.me.beloved.is_some_and(|beloved| chibi.params.positions.contains(beloved))
}

pub(crate) fn beloved_is_near(chibi: &Me) -> bool {
    is_near(chibi, chibi.me.beloved)
}

pub(crate) fn is_first(chibi: &Me) -> bool {
    chibi.params.queue.0.front() == Some(&chibi.entity)
}

pub(crate) fn is_in_stock(chibi: &Me) -> bool {
    chibi.params.stock.potions > 0
}

pub(crate) fn is_in_queue(chibi: &Me) -> bool {
    chibi.params.queue.0.contains(&chibi.entity)
}

#[condition]
pub(crate) fn queue_is_shorter(chibi: &Me<'_, '_>, than: usize) -> bool {
    chibi.params.queue.0.len() < than
}

pub(crate) fn is_friend_near(chibi: &Me) -> bool {
    is_near(chibi, chibi.me.friend)
}

fn is_near(chibi: &Me, other: Option<Entity>) -> bool {
    let other = other.and_then(|other| chibi.params.positions.get(other).ok());
    other.is_some_and(|(_, position)| position.0.distance(chibi.position.0) < 3.0)
}

/// Returns another customer within a distance, by chance.
fn someone(chibi: &mut Me, distance: f32) -> Option<Entity> {
    let (entity, at) = (chibi.entity, chibi.position.0);
    let near = |(other, position): &(Entity, &Position)| *other != entity && position.0.distance(at) < distance;
    let near: Vec<_> = chibi.params.positions.iter().filter(near).map(|(other, _)| other).collect();
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "few customers"
    )]
    let index = (fraction(chibi.rng()) * near.len() as f32) as usize;
    near.get(index).copied()
}

// Actions.

type Go<F> = Task<F, Walk>;

pub(crate) fn walk_to(place: Place) -> Go<impl Fn(&mut Me) -> Walk + Send + Sync> {
    task(move |_: &mut Me| Walk::To(place.at()))
}

pub(crate) fn walk_anywhere() -> Go<impl Fn(&mut Me) -> Walk + Send + Sync> {
    task(|chibi: &mut Me| Walk::To(anywhere(chibi.rng())))
}

pub(crate) fn walk_in_line() -> Go<impl Fn(&mut Me) -> Walk + Send + Sync> {
    task(|chibi: &mut Me| {
        let index = chibi.params.queue.0.iter().position(|one| *one == chibi.entity);
        Walk::To(in_line(index.unwrap_or(0)))
    })
}

pub(crate) fn walk_after_beloved() -> Go<impl Fn(&mut Me) -> Walk + Send + Sync> {
    task(|chibi: &mut Me| Walk::After(chibi.me.beloved.unwrap_or(chibi.entity)))
}

pub(crate) fn walk_after_friend() -> Go<impl Fn(&mut Me) -> Walk + Send + Sync> {
    task(|chibi: &mut Me| Walk::After(chibi.me.friend.unwrap_or(chibi.entity)))
}

/// Two customers change, so this is a system. Who is single by choice refuses.
pub(crate) fn kiss(In(entity): In<Entity>, mut customers: Query<&mut Customer>, mut stock: ResMut<Stock>) -> bool {
    let Some(beloved) = customers.get(entity).ok().and_then(|customer| customer.beloved) else { return false };
    let Ok([mut one, mut other]) = customers.get_many_mut([entity, beloved]) else { return false };
    if other.is_single_by_choice {
        return false;
    }
    for customer in [&mut one, &mut other] {
        customer.kisses += 1;
        customer.doing = Doing::Kissing;
    }
    stock.kisses += 1;
    true
}

pub(crate) fn sees_someone(chibi: &mut Me) -> bool {
    chibi.me.beloved = someone(chibi, 12.0);
    chibi.me.beloved.is_some()
}

pub(crate) fn finds_friend(chibi: &mut Me) -> bool {
    chibi.me.friend = someone(chibi, 15.0);
    chibi.me.friend.is_some()
}

pub(crate) fn leave_queue(chibi: &mut Me) {
    let entity = chibi.entity;
    chibi.params.queue.0.retain(|one| *one != entity);
}

pub(crate) fn join_queue(chibi: &mut Me) {
    let entity = chibi.entity;
    chibi.me.doing = Doing::Queueing;
    chibi.params.queue.0.push_back(entity);
}

pub(crate) fn pay(chibi: &mut Me) -> bool {
    let Agent { data: BodyItem { me, .. }, params, .. } = chibi;
    let (Some(coins), Some(potions)) = (me.coins.checked_sub(1), params.stock.potions.checked_sub(1)) else {
        return false;
    };
    (me.coins, params.stock.potions) = (coins, potions);
    params.stock.sold += 1;
    me.potions += 1;
    me.doing = Doing::Drinking;
    true
}

pub(crate) fn drink(chibi: &mut Me) {
    chibi.me.potions -= 1;
    chibi.me.longing = 0.0;
    chibi.me.drunk_until = chibi.now() + secs(30);
}

pub(crate) fn fall_in_love(chibi: &mut Me) {
    let (entity, beloved) = (chibi.entity, chibi.me.beloved);
    chibi.me.doing = Doing::Courting;
    if let Some(beloved) = beloved {
        chibi.commands().entity(beloved).insert(LovedBy(entity));
    }
}

pub(crate) fn forget(chibi: &mut Me) {
    chibi.me.doing = Doing::Wandering;
    if let Some(beloved) = chibi.me.beloved.take() {
        chibi.commands().entity(beloved).try_remove::<LovedBy>();
    }
}

pub(crate) fn sulk(chibi: &mut Me) {
    chibi.me.doing = Doing::Sulking;
}

pub(crate) fn look_up(chibi: &mut Me) {
    chibi.me.doing = Doing::Wandering;
    chibi.me.friend = chibi.loved_by.map(|lover| lover.0);
}

pub(crate) fn look_around(chibi: &mut Me) {
    chibi.me.doing = Doing::Wandering;
}

pub(crate) fn blush(chibi: &mut Me) {
    chibi.me.longing *= 0.5;
}

pub(crate) fn wave(chibi: &mut Me) {
    chibi.me.longing += 0.1;
}

pub(crate) fn begin_work(chibi: &mut Me) {
    chibi.me.doing = Doing::Working;
}

pub(crate) fn earn(chibi: &mut Me) {
    chibi.me.coins += 2;
    chibi.me.doing = Doing::Wandering;
}

pub(crate) fn chat(chibi: &mut Me) {
    chibi.me.doing = Doing::Chatting;
}

pub(crate) fn throw_coin(chibi: &mut Me) {
    if chibi.me.coins > 2 {
        chibi.me.coins -= 1;
    }
}
