//! The process.

use super::*;
use crate::shard::member::{Command, Member};
use crate::shard::message::{Arrival, KeeperSays, ProcessSays, Taken, ToKeeper, ToProcess};

const TERM: u64 = 5;

fn message(connection: u64, number: u64, body: KeeperSays) -> ToProcess {
    ToProcess { term: TERM, connection, number, body }
}

fn welcome() -> KeeperSays {
    KeeperSays::Welcome { lease: LEASE, dropped: Vec::new(), renewed: Vec::new(), forget: Vec::new() }
}

fn take(agent: &str, number: u64) -> KeeperSays {
    let (owned, state) = (owned(agent, TERM, number), state(0));
    KeeperSays::Take(vec![Taken { owned, state, arrival: Arrival::Added }])
}

/// Returns the term and the lease of a `Hello`, and the number of its connection.
fn hello(messages: &[ToKeeper]) -> Option<(u64, bool, u64)> {
    match messages {
        [ToKeeper { connection, number: 0, body: ProcessSays::Hello { term, is_leased, .. } }] => {
            Some((*term, *is_leased, *connection))
        }
        _ => None,
    }
}

/// Returns a process that has said `Hello` after 100 ms, in its second connection, and was answered after 900 ms.
fn welcomed() -> Member {
    let mut member = Member::new();
    assert_eq!(hello(&member.poll(ms(0))), Some((0, false, 1)));
    member.received(ms(100), message(1, 0, KeeperSays::Again));
    assert_eq!(hello(&member.poll(ms(120))), Some((TERM, false, 2)));
    assert_eq!(member.connection(), None);
    member.received(ms(900), message(2, 0, welcome()));
    assert_eq!(member.connection().map(|on| (on.term, on.number)), Some((TERM, 2)));
    member
}

#[test]
fn a_lease_begins_when_hello_was_said_and_not_when_it_is_answered() {
    let lease = welcomed().lease();
    assert!(lease.holds(ms(2099)) && !lease.holds(ms(2100)));
}

#[test]
fn an_answer_to_a_beat_extends_the_lease_from_when_the_beat_was_sent() {
    let mut member = welcomed();
    let lease = member.lease();
    let beat = ToKeeper { connection: 2, number: 1, body: ProcessSays::Beat };
    assert_eq!(member.poll(ms(1000)), [beat]);
    assert_eq!(member.poll(ms(1499)), []);
    assert_eq!(member.poll(ms(1500)).len(), 1, "a quarter of the lease later");
    member.received(ms(1900), message(2, 1, KeeperSays::Lease { beat: 1, done: 0 }));
    assert!(lease.holds(ms(2999)) && !lease.holds(ms(3000)));
    member.received(ms(1950), message(2, 2, KeeperSays::Lease { beat: 2, done: 0 }));
    assert!(lease.holds(ms(3499)) && !lease.holds(ms(3500)));
    // The answer to a beat that was not sent extends nothing.
    member.received(ms(1950), message(2, 3, KeeperSays::Lease { beat: 9, done: 0 }));
    assert!(!lease.holds(ms(3500)));
}

#[test]
fn the_lease_of_an_earlier_connection_is_never_extended() {
    let mut member = welcomed();
    let before = member.lease();
    member.received(ms(1000), message(2, 0, KeeperSays::Again));
    assert_eq!(hello(&member.poll(ms(1000))), Some((TERM, true, 3)), "the lease still holds");
    // What was sent on the connection before.
    member.received(ms(1000), message(2, 1, KeeperSays::Lease { beat: 0, done: 0 }));
    member.received(ms(1100), message(3, 0, welcome()));
    assert!(!before.holds(ms(2100)) && member.lease().holds(ms(2999)));
    member.poll(ms(1100));
    member.received(ms(1200), message(3, 1, KeeperSays::Lease { beat: 1, done: 0 }));
    assert!(!before.holds(ms(2100)) && member.lease().holds(ms(3099)) && !member.lease().holds(ms(3100)));
}

#[test]
fn hello_is_repeated_until_it_is_answered_and_when_the_lease_is_over() {
    let mut member = Member::new();
    assert_eq!(hello(&member.poll(ms(0))), Some((0, false, 1)));
    assert_eq!(member.poll(ms(249)), []);
    assert_eq!(hello(&member.poll(ms(250))), Some((0, false, 2)));
    let mut member = welcomed();
    assert_eq!(member.poll(ms(2099)).len(), 1, "a beat");
    assert_eq!(hello(&member.poll(ms(2100))), Some((TERM, false, 3)));
}

#[test]
fn a_greater_term_counts_once_its_keeper_has_answered() {
    let mut member = welcomed();
    let forged = ToProcess { term: u64::MAX, connection: 0, number: 0, body: KeeperSays::Again };
    member.received(ms(1000), forged.clone());
    assert_eq!(hello(&member.poll(ms(1000))), Some((u64::MAX, true, 3)));
    // Nothing is heard of who has this term: the process returns to its keeper.
    assert_eq!(member.poll(ms(1249)), []);
    assert_eq!(hello(&member.poll(ms(1250))), Some((TERM, true, 4)));
    member.received(ms(1300), message(4, 0, welcome()));
    assert!(member.connection().is_some() && member.lease().holds(ms(3249)));
    // A keeper with a lesser term is not heard.
    member.received(ms(1300), ToProcess { term: TERM - 1, connection: 4, number: 1, body: KeeperSays::Again });
    assert!(member.connection().is_some());
    member.received(ms(1300), ToProcess { term: TERM - 1, connection: 4, number: 1, body: take("a", 1) });
    assert_eq!(member.commands(), []);
}

#[test]
fn messages_are_taken_once_and_in_order() {
    let mut member = welcomed();
    member.received(ms(900), message(2, 1, take("a", 1)));
    member.received(ms(900), message(2, 1, take("b", 2)));
    member.received(ms(900), message(1, 2, take("c", 3)));
    assert_eq!(member.commands().len(), 1);
    // A message is missing: what follows is heard again.
    member.received(ms(900), message(2, 3, take("d", 4)));
    assert_eq!((member.commands().len(), member.connection()), (0, None));
    // `Welcome` is the first message of a connection, and no other one is.
    member.received(ms(900), message(3, 0, take("e", 5)));
    assert_eq!((member.commands().len(), hello(&member.poll(ms(900))).map(|(_, _, on)| on)), (0, Some(4)));
    member.received(ms(900), message(4, 0, welcome()));
    member.received(ms(900), message(4, 1, welcome()));
    assert_eq!(member.connection(), None);
}

#[test]
fn a_request_is_sent_once_on_each_connection_until_it_is_done() {
    let mut member = welcomed();
    let numbers = |messages: Vec<ToKeeper>| {
        let requests = messages.into_iter().filter_map(|message| match message.body {
            ProcessSays::Requests(all) | ProcessSays::Hello { requests: all, .. } => Some(all),
            _ => None,
        });
        requests.flatten().map(|request| request.number).collect::<Vec<_>>()
    };
    (1..4).for_each(|_| member.request(Action::Leave));
    assert_eq!(numbers(member.poll(ms(900))), [1, 2, 3]);
    assert_eq!(numbers(member.poll(ms(900))), [0_u64; 0]);
    member.request(Action::Leave);
    assert_eq!(numbers(member.poll(ms(900))), [4]);
    member.received(ms(900), message(2, 1, KeeperSays::Lease { beat: 1, done: 3 }));
    assert!(!member.is_done());
    member.received(ms(900), message(2, 1, KeeperSays::Again));
    member.request(Action::Leave);
    assert_eq!(numbers(member.poll(ms(900))), [4], "those of `Hello`");
    member.received(ms(900), message(3, 0, welcome()));
    assert_eq!(numbers(member.poll(ms(900))), [5]);
    member.received(ms(900), message(3, 1, KeeperSays::Lease { beat: 0, done: 5 }));
    assert!(member.is_done());
}

#[test]
fn an_agent_that_is_given_again_is_not_loaded_again() {
    let mut member = welcomed();
    member.received(ms(900), message(2, 1, take("a", 4)));
    member.received(ms(900), message(2, 2, take("a", 4)));
    member.received(ms(900), message(2, 3, take("a", 3)));
    assert_eq!(member.commands().len(), 1);
    member.received(ms(900), message(2, 4, take("a", 5)));
    assert!(matches!(&member.commands()[..], [Command::Load(taken)] if taken.owned == owned("a", TERM, 5)));
}

#[test]
fn what_is_to_be_handed_over_is_asked_again_on_the_next_connection() {
    let mut member = welcomed();
    member.received(ms(900), message(2, 1, take("a", 1)));
    member.received(ms(900), message(2, 2, KeeperSays::Release(vec![owned("a", TERM, 1)])));
    member.received(ms(900), message(2, 0, KeeperSays::Again));
    let commands = member.commands();
    assert!(matches!(&commands[..], [Command::Load(_)]), "{commands:?}");
}

#[test]
fn an_agent_in_a_new_epoch_is_known_by_the_one_before() {
    let mut member = welcomed();
    member.received(ms(900), message(2, 1, take("a", 1)));
    member.received(ms(900), message(2, 0, KeeperSays::Again));
    let renewed =
        vec![(owned("a", TERM, 1), owned("a", TERM, 7).epoch), (owned("b", TERM, 1), owned("b", TERM, 8).epoch)];
    let body = KeeperSays::Welcome { lease: LEASE, dropped: Vec::new(), renewed, forget: Vec::new() };
    member.received(ms(900), message(3, 0, body));
    let commands = member.commands();
    assert!(matches!(&commands[..], [Command::Load(_), Command::Renew(old, _)] if *old == owned("a", TERM, 1)));
    // The program does not know of it yet, but the keeper does.
    assert!(!member.release(&owned("a", TERM, 6), state(1)));
    assert!(member.release(&owned("a", TERM, 1), state(1)));
    assert_eq!(member.unconfirmed().collect::<Vec<_>>(), ["a"]);
    let released = Action::Release(owned("a", TERM, 7), state(1));
    let sent = member.poll(ms(900));
    assert!(matches!(&sent[1].body, ProcessSays::Requests(all) if all[0].action == released), "{sent:?}");
    assert!(!member.release(&owned("a", TERM, 7), state(1)), "it has gone");
}

#[test]
fn a_copy_is_kept_until_the_keeper_forgets_its_epoch() {
    let mut member = welcomed();
    for number in 1..=3 {
        member.received(ms(900), message(2, number, take(&format!("a{number}"), number)));
    }
    assert!(member.release(&owned("a1", TERM, 1), state(9)));
    member.received(ms(900), message(2, 4, KeeperSays::Forget(vec![owned("a1", TERM, 2)])));
    let dropped = vec![(owned("a1", TERM, 1), false), (owned("a2", TERM, 2), true), (owned("a3", TERM, 3), false)];
    member.received(ms(900), message(2, 0, KeeperSays::Again));
    let copies = |messages: Vec<ToKeeper>| match messages.into_iter().next().map(|message| message.body) {
        Some(ProcessSays::Hello { copies, owned, .. }) => (copies, owned.len()),
        other => panic!("{other:?}"),
    };
    assert_eq!(copies(member.poll(ms(900))), (vec![(owned("a1", TERM, 1), state(9))], 2));
    let body = KeeperSays::Welcome { lease: LEASE, dropped, renewed: Vec::new(), forget: Vec::new() };
    member.received(ms(900), message(3, 0, body));
    let drops: Vec<_> = member.commands().into_iter().filter(|one| matches!(one, Command::Drop(..))).collect();
    assert_eq!(drops, [Command::Drop(owned("a2", TERM, 2), true), Command::Drop(owned("a3", TERM, 3), false)]);
    member.keep_copy(owned("a2", TERM, 2), state(8));
    member.received(ms(900), message(3, 0, KeeperSays::Again));
    assert_eq!(copies(member.poll(ms(900))), (vec![(owned("a2", TERM, 2), state(8))], 0));
    let forget = vec![owned("a2", TERM, 2)];
    let body = KeeperSays::Welcome { lease: LEASE, dropped: Vec::new(), renewed: Vec::new(), forget };
    member.received(ms(900), message(4, 0, body));
    member.received(ms(900), message(4, 0, KeeperSays::Again));
    assert_eq!(copies(member.poll(ms(900))), (vec![], 0));
}

#[test]
fn snapshots_of_what_the_process_does_not_own_are_not_sent() {
    let mut member = welcomed();
    member.received(ms(900), message(2, 1, take("a", 1)));
    let snapshots =
        || vec![(owned("a", TERM, 1), state(1)), (owned("a", TERM, 2), state(1)), (owned("b", TERM, 1), state(1))];
    member.snapshots(snapshots());
    let sent = member.poll(ms(900));
    assert!(matches!(&sent[0].body, ProcessSays::Snapshots(all) if *all == snapshots()[..1]), "{sent:?}");
    member.received(ms(900), message(2, 0, KeeperSays::Again));
    member.snapshots(snapshots());
    assert!(hello(&member.poll(ms(900))).is_some(), "only `Hello`");
}
