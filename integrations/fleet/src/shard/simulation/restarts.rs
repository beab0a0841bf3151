//! A keeper that is restarted, and what happens at the same time.

use super::*;

/// Returns 3 processes with some agents, of which all have been ticked.
fn herd(seed: u64, agents: usize) -> World {
    let mut world = World::new(seed, Faults { clocks: true, ..Faults::default() });
    for _ in 0..3 {
        world.join();
    }
    world.add(agents);
    world.run_for(LEASE * 3);
    world
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[test]
fn a_program_that_adds_what_is_there_after_a_restart_of_the_keeper_resets_nothing() {
    for (seed, outage) in [0, 100, 1000, 3000, 7000].into_iter().enumerate() {
        let mut world = herd(seed as u64, 60);
        world.restart_keeper(2, ms(outage));
        world.run_for(ms(outage));
        world.join();
        (0..60).for_each(|number| world.add_at(3, &format!("agent {number}")));
        world.run_for(LEASE * 4);
        let counts = world.check_all_there();
        assert_eq!((world.drops, world.recoveries, world.lost()), (0, 0, 0), "after {outage} ms");
        assert_eq!((world.refused.len(), counts.len()), (60, 4));
        assert!(counts[3] > 10, "the new process gets its part: {counts:?}");
    }
}

/// Kills a process some steps after a keeper has begun. Returns how many agents were lost.
fn kill_after(seed: u64, steps: u32, joins: bool) -> usize {
    let mut world = herd(seed, 12);
    world.restart_keeper(2, ms(100));
    world.run_for(ms(100));
    let mut is_known = 0;
    for _ in 0..steps {
        world.step();
        is_known += u32::from(lock(&world.processes[0].member).connection().is_some_and(|on| on.term == 2));
    }
    if joins {
        world.join();
    }
    world.processes[0].is_alive = false;
    let killed: BTreeSet<_> = world.processes[0].program.agents().keys().cloned().collect();
    world.run_for(LEASE * 4);
    let mut lost = BTreeSet::new();
    for event in std::mem::take(&mut world.events) {
        match event {
            Event::Lost { agents } => lost.extend(agents),
            Event::Gone { machine, .. } => assert_eq!(machine, "m0"),
            other => panic!("{other:?}"),
        }
    }
    let missing: BTreeSet<_> = world.missing().into_iter().collect();
    assert!(missing.is_subset(&killed), "the others are there: {missing:?}");
    // A new keeper gets a snapshot of each agent with the first messages of its process.
    assert!(is_known < 3 || missing.is_empty(), "{missing:?} after {steps} steps");
    assert!(is_known == 0 || lost == missing, "{lost:?} are said to be lost, and {missing:?} are");
    // All names are free, or taken by agents that are there.
    (0..12).for_each(|number| world.add_at(1, &format!("agent {number}")));
    world.run_for(LEASE * 2);
    world.check_all_there();
    assert_eq!(world.refused.len(), 12 - missing.len());
    missing.len()
}

#[test]
fn what_a_process_had_that_is_killed_after_a_restart_of_the_keeper_continues_or_can_be_added_again() {
    let lost: Vec<_> = (0..100).map(|steps| kill_after(u64::from(steps), steps, steps % 2 == 0)).collect();
    assert!(lost[0] > 0 && lost[80..].iter().all(|lost| *lost == 0), "{lost:?}");
}

#[test]
fn a_keeper_whose_clock_is_behind_continues_the_herd() {
    for (seed, outage) in [0, 100, 5000].into_iter().enumerate() {
        let mut world = herd(seed as u64, 30);
        world.restart_keeper(1_000_000, ms(100));
        world.run_for(LEASE * 4);
        world.restart_keeper(7, ms(outage));
        let before = world.truth.values().map(|truth| truth.ticks).sum::<u64>();
        world.run_for(ms(outage) + LEASE * 4);
        world.check_all_there();
        assert_eq!((world.lost(), world.drops, world.events.len()), (0, 0, 0));
        let ticks = world.truth.values().map(|truth| truth.ticks).sum::<u64>() - before;
        assert!(ticks > 30 * 100, "{ticks} ticks");
    }
}

#[test]
fn one_message_with_the_greatest_term_stops_nothing_and_is_told() {
    let mut world = herd(1, 30);
    let forged = ToProcess { term: u64::MAX, connection: 0, number: 0, body: KeeperSays::Again };
    for process in &world.processes {
        lock(&process.member).received(process.clock(world.now), forged.clone());
    }
    let before = world.truth.values().map(|truth| truth.ticks).sum::<u64>();
    world.run_for(Duration::from_secs(1));
    assert_eq!(world.events, [Event::Outranked { term: u64::MAX }]);
    let ticks = world.truth.values().map(|truth| truth.ticks).sum::<u64>() - before;
    assert_eq!(ticks, 30 * 50, "no tick was left out");
    world.check_all_there();
}

#[test]
fn restarts_with_other_terms_joiners_and_kills_leave_each_agent_with_one_owner() {
    for seed in 0..setting("SEEDS", 12) {
        let mut world = herd(seed, 20);
        for _ in 0..6 {
            let (term, outage) = (1 + below(&mut world.random, 40), below(&mut world.random, 4000));
            world.restart_keeper(term, ms(outage));
            world.run_for(ms(outage));
            world.join();
            let joined = world.processes.len() - 1;
            (0..20).for_each(|number| world.add_at(joined, &format!("agent {number}")));
            let until = below(&mut world.random, 4000);
            world.run_for(ms(until));
            let number = world.any_alive();
            world.processes[number].is_alive = world.processes.iter().filter(|one| one.is_alive).count() < 3;
            world.run_for(LEASE * 4);
        }
        // Those that a restart had lost were added again by the next program.
        world.join();
        let joined = world.processes.len() - 1;
        (0..20).for_each(|number| world.add_at(joined, &format!("agent {number}")));
        world.run_for(LEASE * 3);
        world.check_all_there();
    }
}
