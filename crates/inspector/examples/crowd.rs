//! 500 soldiers on a tree of about 300 nodes, and a guard on a small tree, in the inspector.
//!
//! `cargo run -p bt-inspector --example crowd -- [--soldiers 500] [--skip-held] [--record crowd.jsonl] [--fast]` prints the URL of the page. With `--skip-held`, the
//! program goes on with the others while a page holds an agent. `--record` also writes 200 ticks of the guard to a file, for
//! `cargo run -p bt-inspector -- crowd.jsonl`; with `--fast`, without waiting between ticks.

use std::time::Instant;

use bt_core::Observer;
use bt_core::observe::RecordFile;
use bt_core::prelude::*;
use bt_inspector::Inspector;
use serde::Serialize;

const TICK: Duration = millis(50);

/// The context of both trees: a soldier or the guard. Its random events depend on its seed.
#[derive(Clone, Serialize)]
struct Soldier {
    seed: u64,
    position: [i32; 2],
    health: i32,
    enemy: Option<f32>,
    ticks: u32,
    /// An integer that a float cannot represent exactly.
    id: u64,
    /// The speed towards the enemy; `NaN` without an enemy.
    speed: f32,
}

impl Soldier {
    fn new(seed: u64) -> Self {
        Self {
            seed: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            position: [0, 0],
            health: 10,
            enemy: None,
            ticks: 0,
            id: (1 << 53) + seed,
            speed: f32::NAN,
        }
    }

    fn draw(&mut self, below: u64) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) % below
    }

    /// Updates the perception: an enemy is present in the last 20 of every 60 ticks.
    fn look(&mut self) {
        self.ticks += 1;
        let phase = self.ticks % 60;
        self.enemy = (phase >= 40).then_some(20.0);
    }
}

fn enemy_near(soldier: &Soldier) -> bool {
    soldier.enemy.is_some()
}

#[condition]
fn chance(soldier: &Soldier, sides: u64, side: u64) -> bool {
    (soldier.seed >> 20) % sides == side
}

fn attack(soldier: &mut Soldier) -> Status {
    soldier.health -= i32::from(soldier.draw(8) == 0);
    Status::Running
}

#[action]
fn go(soldier: &mut Soldier, x: i32, y: i32) -> Status {
    let [from, to] = [soldier.position, [x, y]];
    soldier.position = [from[0] + (to[0] - from[0]).signum(), from[1] + (to[1] - from[1]).signum()];
    if soldier.position == to { Status::Success } else { Status::Running }
}

#[action]
fn rest(soldier: &mut Soldier, ticks: u32, #[open] rested: &mut u32) -> Status {
    *rested += 1;
    soldier.health = 10;
    if *rested > ticks { Status::Success } else { Status::Running }
}

/// The small tree, with 9 nodes.
#[subtree]
fn guard() -> impl Node<Soldier> {
    tree! {
        selector "guard" {
            sequence "fight" { enemy_near, attack }
            mem_sequence "patrol" { go(5, 0), rest(8), go(0, 5), rest(8) }
        }
    }
}

/// One of many errands, with 13 nodes.
#[subtree]
fn errand(number: i32) -> impl Node<Soldier> {
    tree! {
        sequence {
            self::chance(24, u64::from(number.unsigned_abs()) % 24),
            selector {
                sequence { !|soldier: &Soldier| soldier.health > 3, rest(10) }
                mem_sequence { go(number, -number), rest(3), go(-number, number), rest(5) }
            }
        }
    }
}

#[subtree]
fn errands(from: i32) -> impl Node<Soldier> {
    tree! {
        mem_selector {
            errand(from),
            errand(from + 1),
            errand(from + 2),
            errand(from + 3),
            errand(from + 4),
            errand(from + 5),
        }
    }
}

/// The large tree.
#[subtree]
fn soldier() -> impl Node<Soldier> {
    tree! {
        selector "soldier" {
            sequence "fight" { enemy_near, attack }
            mem_selector "errands" { errands(0), errands(6), errands(12), errands(18) }
            mem_sequence "drill" { go(1, 1), rest(4) }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut soldiers, mut record, mut address) = (500_u64, None, "127.0.0.1:0".to_owned());
    let (mut skip_held, mut fast) = (false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--soldiers" => soldiers = arguments.next().unwrap_or_default().parse()?,
            "--skip-held" => skip_held = true,
            "--fast" => fast = true,
            "--record" => record = arguments.next(),
            "--address" => address = arguments.next().unwrap_or_default(),
            other => return Err(format!("unknown option `{other}`").into()),
        }
    }
    let (small, large) = (guard(), soldier());
    let mut file = record.map(|path| RecordFile::create(path, "guard", &small)).transpose()?;
    if let Some(file) = &mut file {
        file.name(0, "Gus")?;
    }

    let inspector = Inspector::serve(address)?;
    println!("{}", inspector.url());
    let mut gus = (Soldier::new(1), small.memory(), inspector.agent(inspector.tree("guard", &small), "Gus the guard"));
    let key = inspector.tree("soldier", &large);
    let new =
        |number| (Soldier::new(number + 7), large.memory(), inspector.agent(key.clone(), format!("soldier {number}")));
    let mut crowd: Vec<_> = (0..soldiers).map(new).collect();

    let began = Instant::now();
    for tick in 0_u32.. {
        let now = TICK * tick;
        let (guard, memory, watched) = &mut gus;
        if !(skip_held && watched.is_held()) {
            watched.rewind(now, memory, guard);
            guard.look();
            small.tick_with(guard, memory, &mut (watched.at(now), file.as_mut().map(|file| file.for_agent(0, now))));
        }
        watched.show_mut(|values| {
            values.show("seed", &guard.seed).edit("position", &mut guard.position).edit("health", &mut guard.health);
            values
                .show("enemy", &guard.enemy)
                .show("ticks", &guard.ticks)
                .show("id", &guard.id)
                .edit("speed", &mut guard.speed);
        });
        for (soldier, memory, watched) in &mut crowd {
            if skip_held && watched.is_held() {
                continue;
            }
            watched.rewind(now, memory, soldier);
            soldier.look();
            large.tick_with(soldier, memory, &mut watched.at(now));
            watched.show(|| &*soldier);
        }
        if tick == 200
            && let Some(file) = file.take()
        {
            file.finish()?;
        }
        if fast {
            continue;
        }
        std::thread::sleep((TICK * tick).saturating_sub(began.elapsed()).min(TICK));
    }
    Ok(())
}
