//! A tree to look at in Groot2: `cargo run -p bt-groot2 --example groot2`, then connect Groot2 to port 1667. An argument is another
//! port.

use std::error::Error;
use std::time::{Duration, Instant};
use std::{env, thread};

use bt_btcpp::{Nodes, XmlRegistry};
use bt_core::prelude::*;
use bt_dynamic::Registry;
use bt_groot2::{Model, Publisher};

struct Robot {
    board: Board,
    began: Instant,
}

impl HasBoard for Robot {
    fn board(&self) -> &Board {
        &self.board
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }
}

const TREE: &str = r#"<root BTCPP_format="4" main_tree_to_execute="Patrol">
  <BehaviorTree ID="Patrol">
    <Sequence>
      <Script code="battery := 100; rounds := 0"/>
      <KeepRunningUntilFailure>
        <Sequence>
          <ScriptCondition name="enough energy" code="battery > 20"/>
          <Sleep name="walk" msec="2000"/>
          <Script code="battery -= 5; rounds += 1"/>
        </Sequence>
      </KeepRunningUntilFailure>
      <Sleep name="charge" msec="5000"/>
    </Sequence>
  </BehaviorTree>
</root>"#;

fn main() -> Result<(), Box<dyn Error>> {
    let port = env::args().nth(1).map_or(Ok(1667), |port| port.parse())?;
    let mut registry = Registry::<Robot>::new().with_clock();
    Nodes::new().add_to(&mut registry);
    let tree = registry.load_xml(TREE)?;

    let mut publisher = Publisher::bind(("127.0.0.1", port), &Model::new(&tree).with_id(tree.title()))?;
    println!("{}", publisher.local_addr());
    let (mut robot, mut memory) = (Robot { board: Board::new(), began: Instant::now() }, tree.memory());
    loop {
        tree.tick_with(&mut robot, &mut memory, &mut publisher);
        publisher.show(&robot.board);
        thread::sleep(Duration::from_millis(50));
    }
}
