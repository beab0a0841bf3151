//! The machines that a hub sees, without a network.

use std::collections::BTreeMap;

use crate::hub::{Hub, Machine};
use crate::keys::MemberId;

/// The maximum number of machines.
const MAX_MACHINES: usize = 1024;

/// The members of a fleet, and the machines that they are in the hub.
#[derive(Default)]
pub(crate) struct Machines {
    machines: BTreeMap<MemberId, Machine>,
    members: BTreeMap<Machine, MemberId>,
}

impl Machines {
    /// Adds a member. Returns whether it is new. What is too much is ignored.
    pub(crate) fn joined(&mut self, hub: &Hub, member: MemberId) -> bool {
        if self.machines.contains_key(&member) || self.machines.len() >= MAX_MACHINES {
            return false;
        }
        let machine = hub.joined(&member.machine);
        self.machines.insert(member.clone(), machine);
        self.members.insert(machine, member);
        true
    }

    /// Removes a member. Returns whether it was known.
    pub(crate) fn left(&mut self, hub: &Hub, member: &MemberId) -> bool {
        let Some(machine) = self.machines.remove(member) else { return false };
        self.members.remove(&machine);
        hub.left(machine);
        true
    }

    pub(crate) fn machine(&self, member: &MemberId) -> Option<Machine> {
        self.machines.get(member).copied()
    }

    pub(crate) fn member(&self, machine: Machine) -> Option<&MemberId> {
        self.members.get(&machine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(session: u32) -> MemberId {
        MemberId { machine: "robot".to_owned(), session: format!("{session:016x}") }
    }

    #[test]
    fn each_session_is_a_machine() {
        let (hub, mut machines) = (Hub::without_server(), Machines::default());
        assert!(machines.joined(&hub, member(1)) && machines.joined(&hub, member(2)));
        assert!(!machines.joined(&hub, member(1)), "it is known");
        let (first, second) = (machines.machine(&member(1)), machines.machine(&member(2)));
        assert!(first.is_some() && second.is_some() && first != second);
        assert_eq!(first.and_then(|machine| machines.member(machine)), Some(&member(1)));
        assert!(machines.left(&hub, &member(1)) && !machines.left(&hub, &member(1)));
        assert_eq!((machines.machine(&member(1)), machines.machine(&member(2))), (None, second));
    }

    #[test]
    fn machines_are_bounded() {
        let (hub, mut machines) = (Hub::without_server(), Machines::default());
        let robot = |number| MemberId { machine: format!("robot-{number}"), ..member(number) };
        let joined = (0..2000).filter(|number| machines.joined(&hub, robot(*number))).count();
        assert_eq!(joined, MAX_MACHINES);
    }
}
