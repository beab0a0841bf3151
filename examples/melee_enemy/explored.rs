//! All runs of an enemy beside a player who walks anywhere.

use bt_core::prelude::*;
use bt_dynamic::{LoadedTree, NoProperties, Registry};
use bt_explore::{choose_labeled, explore, flip, model_tree, pick};
use serde::Deserialize;

use crate::tree::{NotTwiceInARow, melee_enemy};

/// The distance of the player, in the steps that the tree distinguishes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Distance {
    /// Up to 30.
    InReach,
    /// Up to 75.
    Near,
    /// Up to 150.
    InSight,
    Away,
}

const DISTANCES: [Distance; 4] = [Distance::InReach, Distance::Near, Distance::InSight, Distance::Away];

#[derive(Clone, Hash, Debug)]
struct Fight {
    distance: Distance,
    /// Whether a strike has hit the air in this tick.
    missed: bool,
    hit: bool,
    mood: &'static str,
}

#[derive(Deserialize)]
struct AnyAround {
    kinds: Vec<String>,
    radius: f32,
}

/// The player within the radius, or whatever else there may be.
#[condition]
fn around(fight: &Fight, is_player: bool, radius: f32) -> bool {
    if !is_player {
        return flip("something is around");
    }
    let distance = match fight.distance {
        Distance::InReach => 20.0,
        Distance::Near => 60.0,
        Distance::InSight => 120.0,
        Distance::Away => 200.0,
    };
    distance <= radius
}

/// Shows a question mark for some time.
fn suspicious(fight: &mut Fight) -> Status {
    fight.mood = "suspicious";
    pick("suspicious", &[Status::Running, Status::Success])
}

/// The tree of the enemy over the model. `attack` is the model of `melee_attack`.
fn fighting(attack: fn(&mut Fight) -> Status) -> LoadedTree<Fight> {
    let mut registry = Registry::<Fight>::new().with_clock();
    registry.add_with("any_around", |any: AnyAround| around(any.kinds == ["Player"], any.radius));
    registry.add_leaf("threatened", |fight: &mut Fight| fight.mood = "threatened");
    registry.add_leaf("unthreatened", |fight: &mut Fight| fight.mood = "calm");
    registry.add_leaf("suspicious", suspicious);
    registry.add_leaf("unsuspicious", |fight: &mut Fight| fight.mood = "calm");
    registry.add_leaf("chase", |_: &mut Fight| ());
    registry.add_leaf("melee_attack", attack);
    registry.add_decorator("not_twice_in_a_row", |_: NoProperties| NotTwiceInARow);
    match model_tree(&melee_enemy(), registry) {
        Ok(tree) => tree,
        Err(error) => panic!("{error}"),
    }
}

impl Clock for Fight {
    /// No time passes: the leaves that wait are free to end at any time.
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

fn start() -> Fight {
    Fight { distance: Distance::Away, missed: false, hit: false, mood: "calm" }
}

fn player_walks(fight: &mut Fight) {
    (fight.missed, fight.hit) = (false, false);
    let index = DISTANCES.iter().position(|distance| *distance == fight.distance).unwrap_or_default();
    let next = [index, index.saturating_sub(1), (index + 1).min(DISTANCES.len() - 1)];
    fight.distance = DISTANCES[next[choose_labeled("stays, comes or goes", 3)]];
}

/// As the leaf does it: it hits only what is in reach when it strikes.
fn looks_again(fight: &mut Fight) -> Status {
    if flip("prepares") {
        return Status::Running;
    }
    fight.hit = fight.distance == Distance::InReach;
    Status::Success
}

/// Relies on the condition before it in the tree.
fn relies_on_the_tree(fight: &mut Fight) -> Status {
    let status = pick("strike", &[Status::Running, Status::Success]);
    fight.hit = status == Status::Success;
    status
}

#[test]
fn a_strike_never_lands_out_of_reach() {
    let exploration = explore(fighting(looks_again), start())
        .environment(player_walks)
        .free("talk")
        .free("wait")
        .without_errors()
        .never("hits out of reach", |tick| tick.ctx.hit && tick.ctx.distance > Distance::InReach)
        .sometimes("hits", |tick| tick.ctx.hit)
        .leads_to("calms down", |tick| tick.ctx.mood == "threatened", |tick| tick.ctx.mood == "calm")
        .check();
    assert!(exploration.unseen().nodes.is_empty(), "{exploration}");
}

/// "strike" has a memory: it does not check the distance again while the leaf prepares. So the leaf has to.
#[test]
fn the_tree_alone_does_not_prevent_it() {
    let exploration = explore(fighting(relies_on_the_tree), start())
        .environment(player_walks)
        .free("talk")
        .free("wait")
        .without_errors()
        .never("hits out of reach", |tick| tick.ctx.hit && tick.ctx.distance > Distance::InReach)
        .run();
    let run = exploration.violations().next().and_then(|violation| violation.run()).expect("it hits");
    let distances: Vec<_> = run.ticks.iter().map(|tick| tick.log.join(", ")).collect();
    assert!(distances.last().is_some_and(|last| last.contains("melee_attack: success")), "{run}");
    assert_eq!(run.ticks.len(), 4, "away, in sight, near, in reach; then it gets away: {run}");
}
