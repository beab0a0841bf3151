//! What holds under faults, and without them.

use super::*;

fn seeds() -> std::ops::Range<u64> {
    let first = setting("SEED", 0);
    first..first + setting("SEEDS", 12)
}

#[test]
fn agents_are_balanced_when_a_process_joins_and_lose_nothing() {
    let mut world = World::new(1, Faults::default());
    world.join();
    world.join();
    world.add(1000);
    world.run_for(LEASE * 2);
    world.join();
    world.join();
    world.run_for(LEASE * 2);
    let counts = world.check_all_there();
    assert!(counts.iter().all(|count| (220..=290).contains(count)), "{counts:?}");
    assert!(world.hand_overs >= 400, "{}", world.hand_overs);
    assert_eq!((world.lost(), world.recoveries, world.drops), (0, 0, 0));
    assert!(world.truth.values().all(|truth| truth.ticks > 150), "all were ticked all the time");
}

#[test]
fn agents_of_a_killed_process_continue_from_their_snapshots() {
    let mut world = World::new(2, Faults::default());
    for _ in 0..3 {
        world.join();
    }
    world.add(300);
    world.run_for(LEASE * 3);
    world.processes[0].is_alive = false;
    let killed = world.processes[0].program.agents().len();
    world.run_for(LEASE * 3);
    world.check_all_there();
    assert_eq!(world.recoveries, killed as u64);
    // At most what a snapshot interval, a message and a step contain.
    let most = (SNAPSHOTS.as_millis() / STEP.as_millis() + 3) * killed as u128;
    assert!(world.lost() > 0 && u128::from(world.lost()) <= most, "{} of {most}", world.lost());
}

#[test]
fn a_process_that_is_cut_off_stops_before_others_continue_its_agents() {
    for rate in [970, 1000, 1030] {
        let mut world = World::new(3, Faults { clocks: true, ..Faults::default() });
        for _ in 0..3 {
            world.join();
        }
        world.processes[0].rate = rate;
        world.add(30);
        world.run_for(LEASE * 3);
        let before = world.processes[0].program.agents().len() as u64;
        assert!(before > 0);
        world.processes[0].is_cut_off = true;
        world.run_for(LEASE * 2);
        let now = world.processes[0].clock(world.now);
        assert!(!world.processes[0].program.is_leased(now));
        assert_eq!((world.recoveries, world.drops), (before, 0));
        world.settle();
        world.check_all_there();
        assert_eq!(world.drops, before);
    }
}

#[test]
fn a_process_that_leaves_hands_everything_over() {
    let mut world = World::new(4, Faults::default());
    world.join();
    world.join();
    world.add(700);
    world.run_for(LEASE * 3);
    lock(&world.processes[0].member).request(Action::Leave);
    world.run_for(LEASE);
    assert_eq!(world.processes[0].program.agents().len(), 0);
    assert!(lock(&world.processes[0].member).is_done());
    assert_eq!(world.check_all_there(), [0, 700]);
    // The last process leaves them with the keeper.
    lock(&world.processes[1].member).request(Action::Leave);
    world.run_for(LEASE);
    world.processes[0].is_alive = false;
    world.processes[1].is_alive = false;
    world.run_for(LEASE * 2);
    assert_eq!(world.keeper.agents(), (700, 700));
    world.join();
    world.run_for(LEASE);
    assert_eq!(world.check_all_there(), [700]);
    assert_eq!(world.lost(), 0);
}

#[test]
fn a_moved_agent_stays_where_it_is_moved_to() {
    let mut world = World::new(5, Faults::default());
    world.join();
    world.join();
    world.add(20);
    world.run_for(LEASE * 2);
    for number in 0..20 {
        let (agent, machine) = (format!("agent {number}"), "m1".to_owned());
        lock(&world.processes[0].member).request(Action::Move { agent, machine });
    }
    world.run_for(LEASE);
    assert_eq!(world.check_all_there(), [0, 20]);
    assert_eq!(world.lost(), 0);
}

#[test]
fn a_keeper_that_is_replaced_learns_everything_and_no_tick_is_lost() {
    let mut world = World::new(6, Faults::default());
    for _ in 0..4 {
        world.join();
    }
    world.add(200);
    world.run_for(LEASE * 2);
    let before = world.truth.values().map(|truth| truth.ticks).sum::<u64>();
    for _ in 0..3 {
        world.replace_keeper();
        world.run_for(LEASE * 2);
    }
    let ticks = world.truth.values().map(|truth| truth.ticks).sum::<u64>() - before;
    world.check_all_there();
    assert_eq!((world.lost(), world.drops), (0, 0));
    let steps = 3 * (LEASE * 2).as_millis() / STEP.as_millis();
    assert_eq!(u128::from(ticks), 200 * steps, "no tick was left out");
}

#[test]
fn a_keeper_that_was_stopped_takes_nothing_from_those_that_were_there() {
    let mut world = World::new(9, Faults::default());
    for _ in 0..3 {
        world.join();
    }
    world.add(60);
    world.run_for(LEASE * 2);
    for pause in [LEASE / 2, LEASE * 3] {
        world.keeper_stopped_until = world.now + pause;
        // The processes are not heard at the same time.
        world.processes[1].stopped_until = world.keeper_stopped_until + LEASE / 4;
        world.run_for(pause + LEASE * 2);
        world.check_all_there();
    }
    assert_eq!((world.lost(), world.recoveries, world.drops), (0, 0, 0));
}

#[test]
fn an_agent_that_is_refused_on_its_way_says_what_it_has_lost() {
    let mut world = World::new(10, Faults::default());
    world.join();
    world.join();
    world.join();
    world.processes[1].program.codec.is_foreign = true;
    world.add(9);
    world.run_for(LEASE * 2);
    world.processes[0].is_alive = false;
    let killed = world.processes[0].program.agents().len() as u64;
    world.run_for(LEASE * 3);
    // The process with another tree gets some of them first.
    assert_eq!((world.recoveries, world.check_all_there()), (killed, vec![0, 9]));
    lock(&world.processes[2].member).request(Action::Leave);
    world.run_for(LEASE);
    assert_eq!(world.keeper.agents(), (9, 9));
    world.join();
    world.run_for(LEASE);
    // What was handed over is not recovered.
    assert_eq!((world.recoveries, world.check_all_there()), (killed, vec![0, 0, 9]));
}

#[test]
fn a_new_keeper_gets_snapshots_of_agents_that_are_not_ticked() {
    let mut world = World::new(8, Faults::default());
    world.join();
    world.join();
    world.add(10);
    world.run_for(LEASE * 2);
    world.is_idle = true;
    world.run_for(LEASE);
    world.replace_keeper();
    world.run_for(LEASE * 2);
    world.processes[0].is_alive = false;
    world.run_for(LEASE * 2);
    world.is_idle = false;
    world.run_for(LEASE);
    assert_eq!(world.check_all_there(), [10]);
    assert_eq!(world.lost(), 0);
}

/// All faults but those of the keeper.
const FAULTS: Faults = Faults {
    loss: 50,
    repetition: 20,
    partition: 200,
    stop: 150,
    kill: 400,
    join: 200,
    keeper: 0,
    moves: 20,
    clocks: true,
};

/// Runs 40 agents at 4 processes under faults, which then end. Panics if an agent is ticked by a process that does not own it.
fn run_under(seed: u64, faults: Faults) -> World {
    let mut world = World::new(seed, Faults { clocks: true, ..Faults::default() });
    for _ in 0..4 {
        world.join();
    }
    world.add(40);
    world.run_for(LEASE * 2);
    world.faults = faults;
    world.run_for(Duration::from_secs(setting("SECONDS", 60)));
    world.settle();
    world
}

#[test]
fn under_random_faults_each_tick_has_one_owner_and_no_agent_is_lost() {
    for seed in seeds() {
        let world = run_under(seed, FAULTS);
        let counts = world.check_all_there();
        println!(
            "seed {seed}: {counts:?}, {} hand-overs, {} recoveries, {} drops, {} ticks lost",
            world.hand_overs,
            world.recoveries,
            world.drops,
            world.lost(),
        );
    }
}

#[test]
fn under_random_faults_of_keepers_and_the_network_no_agent_is_lost() {
    for seed in seeds() {
        run_under(seed, Faults { keeper: 300, partition: 0, stop: 0, kill: 0, ..FAULTS }).check_all_there();
    }
}

#[test]
fn under_all_faults_at_once_each_tick_has_one_owner() {
    for seed in seeds() {
        // An agent may be lost with its process and the keeper.
        let world = run_under(seed, Faults { keeper: 300, ..FAULTS });
        println!("seed {seed}: {} drops, the keeper has {:?}", world.drops, world.keeper.agents());
    }
}

/// `PROCESSES=1000 AGENTS=1000000 cargo test --release --lib many_agents -- --nocapture` measures more of them.
#[test]
fn many_agents_at_many_processes() {
    let (processes, agents) = (setting("PROCESSES", 100), setting("AGENTS", 10_000));
    let mut world = World::new(7, Faults { clocks: true, ..Faults::default() });
    world.step = Duration::from_millis(100);
    for _ in 0..processes {
        world.join();
    }
    world.add(usize::try_from(agents).expect("it is small"));
    let start = std::time::Instant::now();
    world.run_for(LEASE * 2);
    for process in world.processes.iter_mut().take(usize::try_from(processes / 10).expect("it is small")) {
        process.is_alive = false;
    }
    world.run_for(LEASE * 2);
    for _ in 0..processes / 10 {
        world.join();
    }
    world.settle();
    let counts = world.check_all_there();
    println!(
        "{agents} agents, {processes} processes: {} to {} agents, {} hand-overs, {} recoveries, {} messages, {} MB, {:?}",
        counts.iter().min().expect("there are some"),
        counts.iter().max().expect("there are some"),
        world.hand_overs,
        world.recoveries,
        world.sent,
        world.bytes / 1_000_000,
        start.elapsed(),
    );
}
