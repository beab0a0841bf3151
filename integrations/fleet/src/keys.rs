//! The key expressions of a fleet: who is there, and where messages go.

use std::hash::{BuildHasher as _, RandomState};

use crate::FleetError;

/// The maximum length of a name, in characters.
const MAX_NAME: usize = 100;

/// One member: a machine may have joined several times.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct MemberId {
    pub(crate) machine: String,
    pub(crate) session: String,
}

/// A page at a member.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PageId {
    pub(crate) hub: String,
    pub(crate) page: u64,
}

/// Where a message goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    To,
    From,
}

impl Direction {
    fn name(self) -> &'static str {
        match self {
            Self::To => "to",
            Self::From => "from",
        }
    }
}

/// Returns 16 random hexadecimal digits. They tell sessions and hubs apart, and keep no secret.
pub(crate) fn random_id() -> String {
    format!("{:016x}", RandomState::new().hash_one(()))
}

/// Checks a name that becomes a part of keys.
pub(crate) fn check_name(of: &'static str, name: &str) -> Result<(), FleetError> {
    let is_invalid = |c: char| c.is_whitespace() || c.is_control() || "/*$?#@".contains(c);
    let reason = if name.is_empty() {
        "it is empty".to_owned()
    } else if name.chars().nth(MAX_NAME).is_some() {
        format!("it has more than {MAX_NAME} characters")
    } else if let Some(found) = name.chars().find(|c| is_invalid(*c)) {
        format!("it contains {found:?}")
    } else {
        return Ok(());
    };
    Err(FleetError::Name { of, name: name.to_owned(), reason })
}

/// Checks the name of an agent, which may contain all characters.
pub(crate) fn check_agent(name: &str) -> Result<(), FleetError> {
    let reason = match name.chars().count() {
        0 => "it is empty".to_owned(),
        1..=MAX_NAME => return Ok(()),
        _ => format!("it has more than {MAX_NAME} characters"),
    };
    Err(FleetError::Name { of: "agent", name: name.to_owned(), reason })
}

fn is_id(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

pub(crate) fn member_token(fleet: &str, MemberId { machine, session }: &MemberId) -> String {
    format!("bt/{fleet}/machine/{machine}/{session}")
}

/// The tokens of all members.
pub(crate) fn all_members(fleet: &str) -> String {
    format!("bt/{fleet}/machine/*/*")
}

pub(crate) fn hub_token(fleet: &str, hub: &str) -> String {
    format!("bt/{fleet}/hub/{hub}")
}

/// The tokens of all hubs.
pub(crate) fn all_hubs(fleet: &str) -> String {
    format!("bt/{fleet}/hub/*")
}

/// All messages to a member.
pub(crate) fn to_member(fleet: &str, MemberId { machine, session }: &MemberId) -> String {
    format!("bt/{fleet}/to/{machine}/{session}/*/*")
}

/// All messages to a hub.
pub(crate) fn from_members(fleet: &str, hub: &str) -> String {
    format!("bt/{fleet}/from/*/*/{hub}/*")
}

/// The messages of one page.
pub(crate) fn of_page(fleet: &str, direction: Direction, member: &MemberId, page: &PageId) -> String {
    let (MemberId { machine, session }, PageId { hub, page }) = (member, page);
    format!("bt/{fleet}/{}/{machine}/{session}/{hub}/{page}", direction.name())
}

/// All messages of processes to the keeper of a fleet.
pub(crate) fn to_keeper(fleet: &str) -> String {
    format!("bt/{fleet}/shard/*/to-keeper/*/*")
}

/// The messages of a process about a herd.
pub(crate) fn from_process(fleet: &str, herd: &str, MemberId { machine, session }: &MemberId) -> String {
    format!("bt/{fleet}/shard/{herd}/to-keeper/{machine}/{session}")
}

/// The messages of the keeper to a process about a herd.
pub(crate) fn to_process(fleet: &str, herd: &str, MemberId { machine, session }: &MemberId) -> String {
    format!("bt/{fleet}/shard/{herd}/to/{machine}/{session}")
}

/// Returns the herd and the process of a message to the keeper, or `None` for what no process sends.
pub(crate) fn parse_process(key: &str) -> Option<(String, MemberId)> {
    match key.split('/').collect::<Vec<_>>()[..] {
        ["bt", _, "shard", herd, "to-keeper", machine, session] => {
            check_name("herd", herd).ok()?;
            Some((herd.to_owned(), member(machine, session)?))
        }
        _ => None,
    }
}

/// Returns the member that has a token, or `None` for what no member declares.
pub(crate) fn parse_member(key: &str) -> Option<MemberId> {
    match key.split('/').collect::<Vec<_>>()[..] {
        ["bt", _, "machine", machine, session] => member(machine, session),
        _ => None,
    }
}

/// Returns the hub that has a token, or `None` for what no hub declares.
pub(crate) fn parse_hub(key: &str) -> Option<String> {
    match key.split('/').collect::<Vec<_>>()[..] {
        ["bt", _, "hub", hub] if is_id(hub) => Some(hub.to_owned()),
        _ => None,
    }
}

/// Returns the member and the page of a message, or `None` for what no message has.
pub(crate) fn parse_page(key: &str) -> Option<(MemberId, PageId)> {
    match key.split('/').collect::<Vec<_>>()[..] {
        ["bt", _, "to" | "from", machine, session, hub, page] if is_id(hub) => {
            Some((member(machine, session)?, PageId { hub: hub.to_owned(), page: page.parse().ok()? }))
        }
        _ => None,
    }
}

fn member(machine: &str, session: &str) -> Option<MemberId> {
    let is_valid = check_name("machine", machine).is_ok() && is_id(session);
    is_valid.then(|| MemberId { machine: machine.to_owned(), session: session.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_single_chunks() {
        for name in ["a", "robot-1", "Roboter_ü", "x.y:z"] {
            assert!(check_name("machine", name).is_ok(), "{name}");
        }
        for name in ["", "a/b", "a b", "*", "$x", "a?", "#", "@a", "a\n", "\u{1b}[0m", &"a".repeat(101)] {
            assert!(check_name("machine", name).is_err(), "{name}");
        }
        let error = check_name("fleet", "a b").expect_err("it has a space").to_string();
        assert!(error.starts_with("invalid name \"a b\" of a fleet: it contains ' '\nhelp: use 1 to 100"), "{error}");
    }

    #[test]
    fn what_is_written_is_read() {
        let member = MemberId { machine: "r1".to_owned(), session: random_id() };
        let page = PageId { hub: random_id(), page: 7 };
        assert_eq!(parse_member(&member_token("f", &member)), Some(member.clone()));
        assert_eq!(parse_hub(&hub_token("f", &page.hub)), Some(page.hub.clone()));
        for direction in [Direction::To, Direction::From] {
            let key = of_page("f", direction, &member, &page);
            assert_eq!(parse_page(&key), Some((member.clone(), page.clone())));
        }
        let process = parse_process(&from_process("f", "herd", &member));
        assert_eq!(process, Some(("herd".to_owned(), member.clone())));
        assert_eq!(parse_process(&to_process("f", "herd", &member)), None);
        assert_ne!(random_id(), random_id());
    }

    #[test]
    fn other_keys_are_not_read() {
        let id = random_id();
        for key in ["", "bt", "bt/f/machine", "bt/f/machine/*/x", &format!("bt/f/machine/*/{id}"), "bt/f/machine/r/x"] {
            assert_eq!(parse_member(key), None, "{key}");
        }
        for key in ["bt/f/hub/*", "bt/f/hub/x", "bt/f/hub"] {
            assert_eq!(parse_hub(key), None, "{key}");
        }
        for page in ["x", "-1", "99999999999999999999", ""] {
            assert_eq!(parse_page(&format!("bt/f/to/r/{id}/{id}/{page}")), None, "{page}");
        }
    }
}
