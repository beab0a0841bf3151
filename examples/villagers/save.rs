//! Saving a village in mid-run, and loading it.

use bt_core::prelude::*;
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::story::{Story, Sums};
use crate::village::{Body, Entity, Life, Village, Villager, own_board};

/// Everything that is not part of the tree, which is source.
#[derive(Serialize, Deserialize)]
struct Game {
    now: Duration,
    chance: Pcg32,
    next_entity: u32,
    entities: Vec<Entity>,
    sums: Sums,
    bodies: Vec<Body>,
    village: Value,
    boards: Vec<Value>,
    herd: Value,
}

impl<N: for<'v> Node<Life<'v>> + Save + Sync> Story<N> {
    /// The whole village as JSON.
    ///
    /// # Errors
    ///
    /// If something in it cannot be written as JSON.
    pub(crate) fn save(&self) -> serde_json::Result<String> {
        serde_json::to_string(&Game {
            now: self.village.now,
            chance: self.chance.clone(),
            next_entity: self.next_entity,
            entities: self.village.entities.clone(),
            sums: self.sums,
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

    /// Goes back to a village from JSON.
    ///
    /// # Errors
    ///
    /// If it is no save, or one made for another tree; everything stays as it was.
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
        (self.people, self.village, self.chance) = (people, village, game.chance);
        (self.next_entity, self.sums) = (game.next_entity, game.sums);
        Ok(())
    }
}
