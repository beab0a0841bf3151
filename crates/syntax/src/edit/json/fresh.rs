//! Ids of new nodes, in the style of a file.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

/// How the ids of a tree are written.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Style {
    /// As the editor does: random numbers in five groups.
    Random,
    /// A number after a text, with the least number that is not in use.
    Number(String, u64),
}

/// The greatest number that is counted on from.
const MOST: u64 = 1 << 60;

/// Gives ids that no other node of a tree has.
pub(super) struct Fresh {
    style: Style,
    used: HashSet<String>,
    /// The number of the first node that was not read.
    first: u32,
}

impl Fresh {
    /// Begins with the ids that a tree has, and others in the file, which show the style if the tree has none.
    pub(super) fn new<'a>(
        ids: impl Iterator<Item = &'a str>,
        others: impl Iterator<Item = &'a str>,
        first: u32,
    ) -> Self {
        let used: HashSet<String> = ids.map(str::to_owned).collect();
        let style = if used.is_empty() { style(others) } else { style(used.iter().map(String::as_str)) };
        let style = match style {
            Style::Number(prefix, _) if used.is_empty() => Style::Number(prefix, 1),
            style => style,
        };
        Self { style, used, first }
    }

    /// Keeps an id, if no other node has it.
    pub(super) fn keep(&mut self, id: &str) -> bool {
        !id.is_empty() && self.used.insert(id.to_owned())
    }

    /// Returns an id for a node with a number in the document: the same each time, so that a file that is saved twice keeps it.
    pub(super) fn id(&mut self, number: u32) -> String {
        let mut after = u64::from(number.saturating_sub(self.first));
        loop {
            let id = match &self.style {
                Style::Random => random(number, after),
                Style::Number(prefix, least) => format!("{prefix}{}", least + after),
            };
            if self.used.insert(id.clone()) {
                return id;
            }
            after += 1;
        }
    }
}

fn style<'a>(ids: impl Iterator<Item = &'a str>) -> Style {
    let (mut random, mut numbers) = (0, std::collections::BTreeMap::<&str, (usize, u64)>::new());
    for id in ids {
        let prefix = id.trim_end_matches(|sign: char| sign.is_ascii_digit());
        if is_random(id) {
            random += 1;
        } else if let Ok(number) = id[prefix.len()..].parse().map(|number: u64| number.min(MOST)) {
            let (count, most) = numbers.entry(prefix).or_default();
            (*count, *most) = (*count + 1, number.max(*most));
        }
    }
    let numbers = numbers.into_iter().max_by_key(|(_, (count, _))| *count);
    match numbers {
        _ if random > 0 && numbers.is_none_or(|(_, (count, _))| count <= random) => Style::Random,
        Some((prefix, (_, most))) => Style::Number(prefix.to_owned(), most + 1),
        None => Style::Number("n".to_owned(), 1),
    }
}

/// Returns `true` for `8b514f0a-913e-4eaf-817b-03e85b98efa0`.
fn is_random(id: &str) -> bool {
    let groups: Vec<_> = id.split('-').map(str::len).collect();
    groups == [8, 4, 4, 4, 12] && id.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// Returns an id that other programs do not use.
fn random(number: u32, after: u64) -> String {
    static SEED: OnceLock<RandomState> = OnceLock::new();
    let seed = SEED.get_or_init(RandomState::new);
    let [high, low] = [0, 1].map(|half: u8| seed.hash_one((number, after, half)));
    let (version, variant) = (high & 0x0fff | 0x4000, low >> 48 & 0x3fff | 0x8000);
    format!(
        "{:08x}-{:04x}-{version:04x}-{variant:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        low & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh(ids: &[&str]) -> Fresh {
        Fresh::new(ids.iter().copied(), ["t7"].into_iter(), 10)
    }

    #[test]
    fn ids_have_the_style_of_the_others() {
        assert_eq!(fresh(&["1", "2", "7"]).id(10), "8");
        assert_eq!(fresh(&["n1", "n2", "x9"]).id(12), "n5");
        assert_eq!(fresh(&["attack", "root"]).id(10), "n1");
        assert_eq!(fresh(&[]).id(10), "t1");
        let random =
            fresh(&["8b514f0a-913e-4eaf-817b-03e85b98efa0", "8b514f0a-913e-4eaf-817b-03e85b98efa1", "n7"]).id(10);
        assert!(is_random(&random) && random.as_bytes()[14] == b'4', "{random}");
    }

    #[test]
    fn an_id_is_the_same_each_time_and_no_other() {
        let uuid = "8b514f0a-913e-4eaf-817b-03e85b98efa0";
        assert_eq!(fresh(&[uuid]).id(10), fresh(&[uuid]).id(10));
        assert_ne!(fresh(&[uuid]).id(10), fresh(&[uuid]).id(11));
        let mut ids = fresh(&["18446744073709551615"]);
        assert_eq!(ids.id(3), "1152921504606846977");
        assert_eq!(ids.id(3), "1152921504606846978");
        assert!(ids.keep("a") && !ids.keep("a") && !ids.keep(""));
    }
}
