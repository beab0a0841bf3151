//! Saving and loading a running village.

use bt_core::prelude::*;
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::simulation::{Simulation, Totals};
use crate::village::{Body, Entity, Life, Village, Villager, own_board};

/// The saved state: everything except the tree.
#[derive(Serialize, Deserialize)]
struct Game {
    now: Duration,
    rng: Pcg32,
    next_entity: u32,
    entities: Vec<Entity>,
    totals: Totals,
    bodies: Vec<Body>,
    village: Value,
    boards: Vec<Value>,
    herd: Value,
}

impl<N: for<'v> Node<Life<'v>> + Save + Sync> Simulation<N> {
    /// Saves the whole village as JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if the state cannot be written as JSON.
    pub(crate) fn save(&self) -> serde_json::Result<String> {
        serde_json::to_string(&Game {
            now: self.village.now,
            rng: self.rng.clone(),
            next_entity: self.next_entity,
            entities: self.village.entities.clone(),
            totals: self.totals,
            bodies: self.people.iter().map(|villager| villager.body.clone()).collect(),
            village: serde_json::to_value(&self.village.board)?,
            boards: self
                .people
                .iter()
                .map(|villager| serde_json::to_value(&villager.board))
                .collect::<Result<_, _>>()?,
            herd: serde_json::to_value(self.herd.saved())?,
        })
    }

    /// Loads a village from JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if `save` is invalid or was made for another tree. The village is unchanged then.
    pub(crate) fn load(&mut self, save: &str) -> serde_json::Result<()> {
        let game: Game = serde_json::from_str(save)?;
        let mut village = Village { now: game.now, entities: game.entities, ..Village::new(0) };
        village.board.load(game.village)?;
        let people = game.bodies.into_iter().zip(game.boards).map(|(body, saved)| {
            let mut board = own_board();
            board.load(saved)?;
            Ok(Villager { body, board })
        });
        let people = people.collect::<serde_json::Result<_>>()?;
        self.herd.load(game.herd)?;
        (self.people, self.village, self.rng) = (people, village, game.rng);
        (self.next_entity, self.totals) = (game.next_entity, game.totals);
        Ok(())
    }
}
