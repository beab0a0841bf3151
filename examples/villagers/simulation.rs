//! The simulation: a village, and the memories of its villagers on one tree.

use bt_core::prelude::*;
use bt_core::rand_core::{Rng, SeedableRng};
use bt_examples::options::Options;
use bt_examples::watch::{Watch, board, numbered};
use glam::vec2;
use rand_pcg::Pcg32;

use crate::village::{
    ACTIVITIES, Activity, BELL, Bell, Entity, FOOD, Life, SEASON, Season, TICK, Village, Villager, hour, hours,
};

/// The number of cores to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cores {
    One,
    All,
}

/// A village with one tree, and a memory per villager.
pub(crate) struct Simulation<N: for<'v> Node<Life<'v>> + Sync> {
    pub(crate) herd: Herd<N>,
    pub(crate) people: Vec<Villager>,
    pub(crate) village: Village,
    pub(crate) rng: Pcg32,
    pub(crate) next_entity: u32,
    pub(crate) totals: Totals,
    pub(crate) watch: Watch,
}

/// Totals since the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Totals {
    pub(crate) eaten: i64,
    pub(crate) produced: i64,
    pub(crate) left: usize,
    pub(crate) joined: usize,
    pub(crate) wolves: usize,
}

impl<N: for<'v> Node<Life<'v>> + Sync> Simulation<N> {
    pub(crate) fn new(tree: N, people: usize, seed: u64) -> Self {
        let mut herd = Herd::new(tree);
        herd.grow(people);
        let mut rng = Pcg32::seed_from_u64(seed);
        let villagers = (0..people).map(|_| Villager::new(rng.next_u64())).collect();
        let village = Village::new(people);
        Self {
            herd,
            people: villagers,
            village,
            rng,
            next_entity: 0,
            totals: Totals::default(),
            watch: Watch::default(),
        }
    }

    /// Registers the first 100 villagers with the inspector, if the options demand it.
    pub(crate) fn watched(mut self, options: Options) -> Self {
        let watched = self.people.len().min(100);
        self.watch = Watch::new(options, ("villager", self.herd.tree()), numbered("villager", watched), millis(50));
        self
    }

    /// Ticks each villager once. Villagers do not see the actions of others in the same tick, so the number of cores does not affect the result.
    pub(crate) fn tick(&mut self, cores: Cores) {
        self.pass_time();
        let village = &self.village;
        let prepare = |villager: &mut Villager| {
            const HUNGER_OF_A_TICK: f32 = 0.008;
            villager.body.hunger += HUNGER_OF_A_TICK;
            villager.body.activity = Activity::Nothing;
        };
        // Watched villagers are ticked sequentially, because a page can hold them.
        match cores {
            Cores::All if !self.watch.is_on() => {
                self.herd.par_for_each(&mut self.people, |_, tree, memory, villager| {
                    prepare(villager);
                    tree.tick(&mut Life { villager, village }, memory);
                });
            }
            _ => self.herd.for_each(|member, tree, memory| {
                let (me, watch) = (member.index(), &mut self.watch);
                if watch.is_held(me) {
                    return;
                }
                let villager = &mut self.people[me];
                prepare(villager);
                tree.tick_with(&mut Life { villager: &mut *villager, village }, memory, &mut watch.at(me, village.now));
                watch.show(me, || serde_json::json!({ "body": villager.body, "board": board(&villager.board) }));
            }),
        }
        self.update_food();
    }

    /// Advances the time: updates season and bell, adds wolves, and replaces villagers at dawn.
    fn pass_time(&mut self) {
        let (before, now) = (self.village.now, self.village.now + TICK);
        self.village.now = now;
        let day = now.as_secs() / hours(24).as_secs();
        if hour(before) != hour(now) {
            let festival = day % 3 == 2 && (18..21).contains(&hour(now));
            self.village.board.set(&BELL, if festival { Bell::Festival } else { Bell::Silent });
            let seasons = [Season::Spring, Season::Summer, Season::Autumn, Season::Winter];
            let season = seasons[usize::try_from(day / 5 % 4).unwrap_or(0)];
            self.village.board.set(&SEASON, season);
            self.add_wolf();
            if hour(now) == 6 {
                self.replace_villagers();
            }
        }
        self.village.entities.retain(|entity| now < entity.leaves_at);
        for entity in &mut self.village.entities {
            entity.position.x -= 40.0;
        }
    }

    /// Randomly adds a wolf near the fields, which leaves within the hour.
    fn add_wolf(&mut self) {
        if (9..16).contains(&hour(self.village.now)) && self.rng.next_u32().is_multiple_of(4) {
            let position = vec2(1040.0, 520.0);
            let leaves_at = self.village.now + secs(600 + u64::from(self.rng.next_u32() % 2400));
            let name = "wolf".to_owned();
            self.village.entities.push(Entity { id: self.next_entity, name, position, leaves_at });
            self.next_entity += 1;
            self.totals.wolves += 1;
        }
    }

    /// Replaces 1% of the villagers. Newcomers reuse slots, with new memories and boards.
    fn replace_villagers(&mut self) {
        let leaving: Vec<_> = self.herd.ids().filter(|_| self.rng.next_u32().is_multiple_of(100)).collect();
        for member in &leaving {
            let mut life = Life { villager: &mut self.people[member.index()], village: &self.village };
            self.herd.remove(*member, &mut life);
        }
        for _ in &leaving {
            let slot = self.herd.add().index();
            self.people[slot] = Villager::new(self.rng.next_u64());
        }
        self.totals.left += leaving.len();
        self.totals.joined += leaving.len();
    }

    /// Updates the food store by the meals eaten and produced.
    fn update_food(&mut self) {
        let (mut ate, mut produced) = (0, 0);
        for Villager { body, .. } in &mut self.people {
            ate += i64::from(std::mem::take(&mut body.ate));
            produced += i64::from(std::mem::take(&mut body.produced));
        }
        self.totals.eaten += ate;
        self.totals.produced += produced;
        if let Some(food) = self.village.board.get_mut(&FOOD) {
            *food += produced - ate;
        }
    }

    /// Returns the number of villagers per activity.
    pub(crate) fn counts(&self) -> [usize; ACTIVITIES.len()] {
        let mut counts = [0; ACTIVITIES.len()];
        for member in self.herd.ids() {
            counts[self.people[member.index()].body.activity as usize] += 1;
        }
        counts
    }

    /// Returns the tree and its memory size, as lines.
    pub(crate) fn drawing(&self) -> Vec<String> {
        let mut lines = self.herd.tree().description().lines();
        let nodes = self.herd.tree().count();
        lines.push(format!(
            "{nodes} nodes, {} bytes of memory per agent, {} agents",
            size_of::<Memory<N>>(),
            self.herd.len()
        ));
        lines
    }

    /// Runs ticks. Returns a line per hour.
    pub(crate) fn trace(&mut self, ticks: u32, cores: Cores) -> Vec<String> {
        let mut lines = Vec::new();
        for _ in 0..ticks {
            let before = hour(self.village.now);
            self.tick(cores);
            self.watch.pace();
            if hour(self.village.now) != before {
                lines.push(self.line());
            }
        }
        let Totals { eaten, produced, left, wolves, .. } = self.totals;
        lines.push(format!("{eaten} meals eaten, {produced} produced, {left} villagers replaced, {wolves} wolves"));
        lines
    }

    /// Returns the state of the village as a line.
    pub(crate) fn line(&self) -> String {
        let now = self.village.now;
        let (day, hour) = (now.as_secs() / hours(24).as_secs() + 1, hour(now));
        let shown = ACTIVITIES.iter().zip(self.counts()).filter(|(_, count)| *count > 0);
        let doing: Vec<_> = shown.map(|(activity, count)| format!("{count} {activity:?}").to_lowercase()).collect();
        let board = &self.village.board;
        let season = board.get(&SEASON).map(|season| format!("{season:?}")).unwrap_or_default();
        let food = board.get(&FOOD).copied().unwrap_or_default();
        let bell = if board.get(&BELL) == Some(&Bell::Festival) { ", the bell rings" } else { "" };
        format!("day {day} {hour:>2}:00  {season}, {food} meals{bell}: {}", doing.join(", "))
    }
}
