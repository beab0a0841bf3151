//! Boards in layers: of an agent's squad, its army and the land.

use bt_core::board::{compare, is_set, set};
use bt_core::prelude::*;

/// Boards in layers: the context has a struct for each.
#[test]
fn a_context_has_any_number_of_shared_boards() {
    #[derive(Blackboard, Default)]
    struct Squad {
        target: Option<u32>,
    }
    #[derive(Blackboard, Default)]
    struct Army {
        retreats: bool,
    }
    #[derive(Blackboard, Default)]
    struct Land {
        night: bool,
    }
    struct War {
        squads: [Squad; 2],
        army: Army,
        land: Land,
    }
    struct Soldier<'w> {
        war: &'w mut War,
        squad: usize,
    }
    macro_rules! has_board {
        ($board:ty, |$war:ident, $squad:ident| $place:expr) => {
            impl HasBoard<$board> for Soldier<'_> {
                fn board(&self) -> &$board {
                    let (Self { war: $war, .. }, $squad) = (self, self.squad);
                    let _ = $squad;
                    &$place
                }
                fn board_mut(&mut self) -> &mut $board {
                    let $squad = self.squad;
                    let _ = $squad;
                    let Self { war: $war, .. } = self;
                    &mut $place
                }
            }
        };
    }
    has_board!(Squad, |war, squad| war.squads[squad]);
    has_board!(Army, |war, squad| war.army);
    has_board!(Land, |war, squad| war.land);

    #[subtree]
    fn soldier() -> impl Node<Soldier<'_>> {
        tree! {
            sequence {
                compare(Land::NIGHT, |night| !*night),
                compare(Army::RETREATS, |retreats| !*retreats),
                !is_set(Squad::TARGET),
                set(Squad::TARGET, 7),
            }
        }
    }
    let tree = soldier();
    let mut war = War { squads: [Squad::default(), Squad::default()], army: Army::default(), land: Land::default() };
    let tick = |war: &mut War, squad| tree.tick(&mut Soldier { war, squad }, &mut tree.memory());
    assert_eq!(tick(&mut war, 0), Status::Success);
    assert_eq!(tick(&mut war, 0), Status::Failure, "the squad has a target");
    war.army.retreats = true;
    assert_eq!(tick(&mut war, 1), Status::Failure, "both squads read the board of the army");
    (war.army.retreats, war.land.night) = (false, true);
    assert_eq!(tick(&mut war, 1), Status::Failure, "and that of the land");
    war.land.night = false;
    assert_eq!(tick(&mut war, 1), Status::Success);
    assert_eq!(war.squads.map(|squad| squad.target), [Some(7); 2]);
}
