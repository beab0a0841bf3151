//! The authority that decides who owns which agent. Without a network.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::keys::MemberId;
use crate::shard::lease::with_margin;
use crate::shard::message::{Action, KeeperSays, Owned, ProcessSays, Request, State, ToKeeper, ToProcess, parts};
use crate::shard::table::{Process, Report, Step, Table};

/// The maximum number of processes that are gone and of which the keeper knows which requests are done.
const MAX_GONE: usize = 1024;
/// The maximum number of processes.
const MAX_PROCESSES: usize = 4096;
/// How long processes whose lease is over need at most until they have said what they have: the network connects again after 1 s, and they say `Hello` four times per second.
const RETURNING: Duration = Duration::from_millis(1500);

/// What a keeper has done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// The lease of a process is over. Its agents continue elsewhere, from their last snapshots.
    Gone { machine: String, agents: usize },
    /// A process cannot load an agent.
    Refused { machine: String, agent: String, reason: String },
    /// The process of these agents is gone, and the keeper has no snapshots of them: it was restarted just before.
    Lost { agents: Vec<String> },
    /// Processes have the term of a keeper with a greater one, which this keeper does not exceed now.
    Outranked { term: u64 },
}

/// A process that has said `Hello`.
struct Link {
    process: Process,
    connection: u64,
    /// The number of the next message, in both directions.
    next_sent: u64,
    next_received: u64,
    /// When its agents may be given to others.
    expires: Duration,
    /// The last request that is done.
    done: u64,
    /// Requests that wait until the keeper knows all agents, by their numbers.
    waiting: BTreeMap<u64, Action>,
}

/// What a process says of itself when it connects.
struct Hello {
    is_leased: bool,
    owned: Vec<Owned>,
    copies: Vec<(Owned, State)>,
    requests: Vec<Request>,
}

pub(crate) struct Keeper {
    term: u64,
    lease: Duration,
    /// When no lease of an earlier keeper holds anymore. Until then, only processes with a lease are answered.
    starts: Duration,
    /// When all processes that are there have said what they have. Until then, nothing is added and nothing moves.
    knows: Duration,
    /// When it may take a greater term.
    rises: Duration,
    /// The greatest term that it was told of, and did not exceed.
    outranked: u64,
    polled: Duration,
    links: BTreeMap<MemberId, Link>,
    members: BTreeMap<Process, MemberId>,
    next_process: Process,
    table: Table,
    /// The requests that are done of processes that are gone.
    gone: BTreeMap<MemberId, u64>,
    outgoing: Vec<(MemberId, ToProcess)>,
    events: Vec<Event>,
}

impl Keeper {
    /// Returns a keeper, of which there is one at a time. The term of a later one is greater.
    pub(crate) fn new(term: u64, lease: Duration, now: Duration) -> Self {
        let starts = now + with_margin(lease);
        Self {
            term,
            lease,
            starts,
            knows: starts + RETURNING,
            rises: now,
            outranked: 0,
            polled: now,
            links: BTreeMap::new(),
            members: BTreeMap::new(),
            next_process: 0,
            table: Table::new(term),
            gone: BTreeMap::new(),
            outgoing: Vec::new(),
            events: Vec::new(),
        }
    }

    pub(crate) fn events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Returns the number of agents, and of those that no process has.
    #[cfg(test)]
    pub(crate) fn agents(&self) -> (usize, usize) {
        self.table.count()
    }

    /// Returns the messages that are to be sent. Call it often compared with a lease.
    pub(crate) fn poll(&mut self, now: Duration) -> Vec<(MemberId, ToProcess)> {
        self.allow_for_a_pause(now);
        if now >= self.knows {
            self.do_waiting(now);
            self.expire(now);
            let lost = self.table.recover(now);
            if !lost.is_empty() {
                self.events.push(Event::Lost { agents: lost });
            }
            self.table.balance();
        }
        self.tell_steps();
        std::mem::take(&mut self.outgoing)
    }

    /// If the keeper itself was stopped, or late, processes have as much more time: what they have said meanwhile is still to be received.
    fn allow_for_a_pause(&mut self, now: Duration) {
        let pause = now.saturating_sub(std::mem::replace(&mut self.polled, now));
        if pause > self.lease / 8 {
            for link in self.links.values_mut() {
                link.expires += pause;
            }
        }
    }

    fn expire(&mut self, now: Duration) {
        let is_over = |(_, link): &(&MemberId, &Link)| link.expires <= now;
        let over: Vec<_> = self.links.iter().filter(is_over).map(|(member, _)| member.clone()).collect();
        for member in over {
            let Some(link) = self.links.remove(&member) else { continue };
            self.members.remove(&link.process);
            let agents = self.table.gone(link.process);
            if agents > 0 {
                self.events.push(Event::Gone { machine: member.machine.clone(), agents });
            }
            if self.gone.len() >= MAX_GONE {
                self.gone.pop_first();
            }
            self.gone.insert(member, link.done);
        }
    }

    fn do_waiting(&mut self, now: Duration) {
        let waiting = self.links.iter().filter(|(_, link)| !link.waiting.is_empty());
        let waiting: Vec<_> = waiting.map(|(member, _)| member.clone()).collect();
        for member in waiting {
            self.handle(&member, Vec::new(), now);
        }
    }

    /// Handles a message of a process.
    pub(crate) fn received(&mut self, now: Duration, from: &MemberId, message: ToKeeper) {
        let ToKeeper { connection, number, body } = message;
        if let ProcessSays::Hello { term, is_leased, owned, copies, requests } = body {
            let is_ignored = match self.links.get(from) {
                Some(link) => link.connection >= connection,
                None => self.links.len() >= MAX_PROCESSES,
            };
            if is_ignored {
                return;
            }
            if term > self.term {
                self.exceed(term, now);
            }
            if term != self.term {
                // What was said before this keeper has begun may not hold anymore.
                self.answer_again(from, connection);
            } else if is_leased || now >= self.starts {
                self.connect(now, from, connection);
                self.welcome(now, from, Hello { is_leased, owned, copies, requests });
            }
            return;
        }
        let Some(link) = self.links.get_mut(from).filter(|link| link.connection == connection) else {
            return self.answer_again(from, connection);
        };
        if number != link.next_received {
            if number > link.next_received {
                self.answer_again(from, connection);
            }
            return;
        }
        link.next_received += 1;
        let process = link.process;
        match body {
            ProcessSays::Hello { .. } => {}
            ProcessSays::Beat => {
                link.expires = link.expires.max(now + with_margin(self.lease));
                let done = link.done;
                self.send(from, KeeperSays::Lease { beat: number, done });
            }
            ProcessSays::Requests(requests) => self.handle(from, requests, now),
            ProcessSays::Snapshots(all) => {
                for (owned, state) in all {
                    self.table.snapshot(process, &owned, state, now);
                }
            }
        }
    }

    /// Begins again with a term that is greater than one of a process: an earlier keeper was on a machine whose clock is ahead. A keeper does so now and then, so that two of them at a
    /// time do not outdo each other without end.
    fn exceed(&mut self, term: u64, now: Duration) {
        match term.checked_add(1).filter(|_| now >= self.rises) {
            Some(greater) => {
                let new = Self::new(greater, self.lease, now);
                *self = Self { rises: new.knows, events: std::mem::take(&mut self.events), ..new };
            }
            None if term > self.outranked => {
                self.outranked = term;
                self.events.push(Event::Outranked { term });
            }
            None => {}
        }
    }

    fn answer_again(&mut self, to: &MemberId, connection: u64) {
        let message = ToProcess { term: self.term, connection, number: 0, body: KeeperSays::Again };
        self.outgoing.push((to.clone(), message));
    }

    fn connect(&mut self, now: Duration, member: &MemberId, connection: u64) {
        let expires = now + with_margin(self.lease);
        if let Some(link) = self.links.get_mut(member) {
            (link.connection, link.next_sent, link.next_received) = (connection, 0, 1);
            link.expires = link.expires.max(expires);
            return;
        }
        let process = self.next_process;
        self.next_process += 1;
        let done = self.gone.remove(member).unwrap_or(0);
        let link =
            Link { process, connection, next_sent: 0, next_received: 1, expires, done, waiting: BTreeMap::new() };
        self.links.insert(member.clone(), link);
        self.members.insert(process, member.clone());
        self.table.join(process);
    }

    /// Compares what a process has with what it owns.
    fn welcome(&mut self, now: Duration, member: &MemberId, hello: Hello) {
        let Hello { is_leased, owned, copies, requests } = hello;
        let Some(process) = self.links.get(member).map(|link| link.process) else { return };
        // What was told on a connection before is repeated below.
        self.tell_steps();
        self.outgoing.retain(|(to, _)| to != member);
        // What it has released is a copy, and is not among what it has.
        let refused = self.do_all(member, requests, now);
        let mut forget = Vec::new();
        for (owned, state) in copies {
            if !self.table.copy(process, &owned, state, now) {
                forget.push(owned);
            }
        }
        let (mut has, mut dropped, mut renewed) = (BTreeSet::new(), Vec::new(), Vec::new());
        for owned in owned {
            match self.table.report(process, &owned, is_leased) {
                Report::Keeps => _ = has.insert(owned.agent),
                Report::Renewed(epoch) => {
                    has.insert(owned.agent.clone());
                    renewed.push((owned, epoch));
                }
                Report::Copy => dropped.push((owned, true)),
                Report::Lost => dropped.push((owned, false)),
            }
        }
        self.send(member, KeeperSays::Welcome { lease: self.lease, dropped, renewed, forget });
        self.refuse(member, refused);
        // What this process is to take and to release is among what is repeated.
        let is_repeated = |(to, step): &(Process, Step)| *to == process && !matches!(step, Step::Forget(_));
        let steps = self.table.steps().into_iter().filter(|step| !is_repeated(step)).collect();
        self.tell(steps);
        self.table.repeat(process, |agent| has.contains(agent));
        self.tell_steps();
    }

    fn handle(&mut self, member: &MemberId, requests: Vec<Request>, now: Duration) {
        let refused = self.do_all(member, requests, now);
        self.refuse(member, refused);
    }

    fn refuse(&mut self, member: &MemberId, refused: Vec<(u64, String)>) {
        for (request, reason) in refused {
            self.send(member, KeeperSays::Refused { request, reason });
        }
    }

    /// Does what a process asks, once. Returns the numbers of the requests that are refused.
    fn do_all(&mut self, member: &MemberId, requests: Vec<Request>, now: Duration) -> Vec<(u64, String)> {
        let mut refused = Vec::new();
        let Some(link) = self.links.get_mut(member) else { return refused };
        link.waiting.extend(requests.into_iter().map(|Request { number, action }| (number, action)));
        if now < self.knows {
            return refused;
        }
        let process = link.process;
        for (number, action) in std::mem::take(&mut link.waiting) {
            match self.links.get_mut(member) {
                Some(link) if link.done < number => link.done = number,
                _ => continue,
            }
            let result = match action {
                Action::Add { agent, state } => self.table.add(&agent, state, now),
                Action::Move { agent, machine } => self.move_to(&agent, &machine),
                Action::Remove(owned) => {
                    self.table.remove(process, &owned);
                    Ok(())
                }
                Action::Take(owned) => {
                    self.table.taken(process, &owned);
                    Ok(())
                }
                Action::Refuse { owned, state, reason } => {
                    self.table.refused(process, &owned, state, now);
                    let (machine, agent) = (member.machine.clone(), owned.agent);
                    self.events.push(Event::Refused { machine, agent, reason });
                    Ok(())
                }
                Action::Release(owned, state) => {
                    self.table.released(process, &owned, state, now);
                    Ok(())
                }
                Action::Leave => {
                    self.table.leave(process);
                    Ok(())
                }
            };
            if let Err(reason) = result {
                refused.push((number, reason));
            }
        }
        refused
    }

    fn move_to(&mut self, agent: &str, machine: &str) -> Result<(), String> {
        let process = self.links.iter().find(|(member, _)| member.machine == machine).map(|(_, link)| link.process);
        self.table.move_to(agent, process.ok_or("there is no machine with this name")?)
    }

    fn tell_steps(&mut self) {
        let steps = self.table.steps();
        self.tell(steps);
    }

    fn tell(&mut self, steps: Vec<(Process, Step)>) {
        let mut by_process = BTreeMap::<Process, (Vec<_>, Vec<_>, Vec<_>)>::new();
        for (process, step) in steps {
            let (take, release, forget) = by_process.entry(process).or_default();
            match step {
                Step::Take(taken) => take.push(taken),
                Step::Release(owned) => release.push(owned),
                Step::Forget(owned) => forget.push(owned),
            }
        }
        for (process, (take, release, forget)) in by_process {
            let Some(member) = self.members.get(&process).cloned() else { continue };
            // An agent is taken before it is released.
            for part in parts(take, |taken| Some(&taken.state)) {
                self.send(&member, KeeperSays::Take(part));
            }
            for part in parts(release, |_| None) {
                self.send(&member, KeeperSays::Release(part));
            }
            for part in parts(forget, |_| None) {
                self.send(&member, KeeperSays::Forget(part));
            }
        }
    }

    fn send(&mut self, to: &MemberId, body: KeeperSays) {
        let Some(link) = self.links.get_mut(to) else { return };
        let message = ToProcess { term: self.term, connection: link.connection, number: link.next_sent, body };
        link.next_sent += 1;
        self.outgoing.push((to.clone(), message));
    }
}
