//! Ten thousand memories of one tree, and what happens to those who have them.

use bt_core::prelude::*;
use bt_core::rand_core::{Rng, SeedableRng};
use bt_examples::options::Options;
use bt_examples::watch::Watch;
use glam::vec2;
use rand_pcg::Pcg32;

use crate::village::{
    ACTIVITIES, Activity, BELL, Bell, Entity, FOOD, Life, SEASON, Season, TICK, Village, Villager, hour, hours,
};

/// How many cores to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cores {
    One,
    All,
}

/// A village, its people, and what each of them remembers of the one tree.
pub(crate) struct Story<N: for<'v> Node<Life<'v>> + Sync> {
    pub(crate) herd: Herd<N>,
    pub(crate) people: Vec<Villager>,
    pub(crate) village: Village,
    pub(crate) chance: Pcg32,
    pub(crate) next_entity: u32,
    pub(crate) sums: Sums,
    pub(crate) watch: Watch,
}

/// What has been eaten and so on since the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Sums {
    pub(crate) eaten: i64,
    pub(crate) brought: i64,
    pub(crate) left: usize,
    pub(crate) came: usize,
    pub(crate) wolves: usize,
}

impl<N: for<'v> Node<Life<'v>> + Sync> Story<N> {
    pub(crate) fn new(tree: N, people: usize, seed: u64) -> Self {
        let mut herd = Herd::new(tree);
        herd.grow(people);
        let mut chance = Pcg32::seed_from_u64(seed);
        let villagers = (0..people).map(|_| Villager::new(chance.next_u64())).collect();
        let village = Village::new(people);
        Self {
            herd,
            people: villagers,
            village,
            chance,
            next_entity: 0,
            sums: Sums::default(),
            watch: Watch::default(),
        }
    }

    /// Lets the first hundred villagers be watched in the browser, if the options ask for it.
    pub(crate) fn watched(mut self, options: Options) -> Self {
        let watched = self.people.len().min(100);
        self.watch = Watch::new(options, ("villager", self.herd.tree()), "villager", watched, millis(50));
        self
    }

    /// Time passes, and everybody thinks once. Nobody sees what others do in the same tick, so the number of cores makes no difference.
    pub(crate) fn tick(&mut self, cores: Cores) {
        self.pass_time();
        let village = &self.village;
        let stand_up = |who: &mut Villager| {
            const HUNGER_OF_A_TICK: f32 = 0.008;
            who.body.hunger += HUNGER_OF_A_TICK;
            who.body.activity = Activity::Nothing;
        };
        // Those who are watched are ticked one after the other: a page can make them wait.
        match cores {
            Cores::All if !self.watch.is_on() => self.herd.par_for_each(&mut self.people, |_, tree, memory, who| {
                stand_up(who);
                tree.tick(&mut Life { who, village }, memory);
            }),
            _ => self.herd.for_each(|member, tree, memory| {
                let (me, watch) = (member.index(), &mut self.watch);
                let who = &mut self.people[me];
                stand_up(who);
                tree.tick_with(&mut Life { who: &mut *who, village }, memory, &mut watch.at(me, village.now));
                watch.show(me, || serde_json::json!({ "body": who.body, "board": bt_inspector::board(&who.board) }));
            }),
        }
        self.settle();
    }

    /// What the day brings: the season, the bell, wolves, and at dawn people who leave and come.
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
            self.wolf_comes();
            if hour(now) == 6 {
                self.people_change();
            }
        }
        self.village.entities.retain(|entity| now < entity.leaves_at);
        for entity in &mut self.village.entities {
            entity.position.x -= 40.0;
        }
    }

    /// Now and then a wolf comes to the fields and is gone again within the hour.
    fn wolf_comes(&mut self) {
        if (9..16).contains(&hour(self.village.now)) && self.chance.next_u32().is_multiple_of(4) {
            let position = vec2(1040.0, 520.0);
            let leaves_at = self.village.now + secs(600 + u64::from(self.chance.next_u32() % 2400));
            let name = "wolf".to_owned();
            self.village.entities.push(Entity { id: self.next_entity, name, position, leaves_at });
            self.next_entity += 1;
            self.sums.wolves += 1;
        }
    }

    /// One in a hundred leaves, and as many come: in their places, but with memories and boards of their own.
    fn people_change(&mut self) {
        let leaving: Vec<_> = self.herd.members().filter(|_| self.chance.next_u32().is_multiple_of(100)).collect();
        for member in &leaving {
            let mut life = Life { who: &mut self.people[member.index()], village: &self.village };
            self.herd.remove(*member, &mut life);
        }
        for _ in &leaving {
            let place = self.herd.add().index();
            self.people[place] = Villager::new(self.chance.next_u64());
        }
        self.sums.left += leaving.len();
        self.sums.came += leaving.len();
    }

    /// What people have eaten and brought in goes from and to the store.
    fn settle(&mut self) {
        let (mut ate, mut brought) = (0, 0);
        for Villager { body, .. } in &mut self.people {
            ate += i64::from(std::mem::take(&mut body.ate));
            brought += i64::from(std::mem::take(&mut body.brought));
        }
        self.sums.eaten += ate;
        self.sums.brought += brought;
        if let Some(food) = self.village.board.get_mut(&FOOD) {
            *food += brought - ate;
        }
    }

    /// How many do what.
    pub(crate) fn counts(&self) -> [usize; ACTIVITIES.len()] {
        let mut counts = [0; ACTIVITIES.len()];
        for member in self.herd.members() {
            counts[self.people[member.index()].body.activity as usize] += 1;
        }
        counts
    }

    /// The tree, and what it takes.
    pub(crate) fn drawing(&self) -> Vec<String> {
        let mut lines = self.herd.tree().description().lines();
        let nodes = self.herd.tree().count();
        lines.push(format!(
            "{nodes} nodes, {} bytes of memory for each of {}",
            size_of::<Memory<N>>(),
            self.herd.len()
        ));
        lines
    }

    /// So many ticks, a line for each hour.
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
        let Sums { eaten, brought, left, wolves, .. } = self.sums;
        lines.push(format!("{eaten} meals eaten, {brought} brought in, {left} people changed, {wolves} wolves came"));
        lines
    }

    /// Where the village is, in a line.
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
