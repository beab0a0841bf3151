//! Matches the trees of an edited file with the trees before the edit.

use std::collections::HashMap;

use super::find::Found;

/// The least similarity of the texts of two trees that are the same, where several could be.
const SIMILAR: f64 = 0.5;
/// The maximum number of pairs that are compared: 200 trees of one function, if all of them were edited at once.
const MAX_PAIRS: usize = 200 * 200;

/// A tree of a file before an edit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// Its text without spaces and comments.
    pub flat: String,
    /// The line of the macro.
    pub line: u32,
    /// The items around it; `None` if they are not known, as in the compiler.
    pub path: Option<String>,
}

impl From<&Found> for Known {
    fn from(found: &Found) -> Self {
        Self { flat: found.flat.clone(), line: found.place.line, path: Some(found.path.clone()) }
    }
}

/// Returns for each earlier tree the index of the same tree in `now`; `None` if the tree is gone, or if several trees match.
///
/// Trees with equal text are the same, first in the same function, then in another function. The remaining trees of a function
/// are matched by order and similarity. No two trees match the same tree.
pub fn identify(before: &[Known], now: &[Found]) -> Vec<Option<usize>> {
    let mut matching = Matching { before, now, of: vec![None; before.len()], taken: vec![false; now.len()] };
    matching.equal(|known, found| known.path.as_deref() == Some(&*found.path));
    // A function that has as many trees as before has lost none, and another has not got one.
    let (had, has) =
        (count(before.iter().filter_map(|known| known.path.as_deref())), count(now.iter().map(|found| &*found.path)));
    let number = |counts: &HashMap<&str, usize>, path: &str| counts.get(path).copied().unwrap_or(0);
    matching.equal(|known, found| {
        let Some(path) = known.path.as_deref() else { return true };
        number(&has, path) < number(&had, path) && number(&has, &found.path) > number(&had, &found.path)
    });
    let mut paths: Vec<&str> = had.keys().copied().collect();
    paths.sort_unstable();
    for path in paths {
        matching.edited(|known| known.path.as_deref() == Some(path), |found| found.path == path);
    }
    // A function with another name.
    let is_new = |found: &Found| number(&had, &found.path) == 0;
    matching.similar(|known| known.path.as_deref().is_some_and(|path| number(&has, path) == 0), is_new);
    matching.of
}

fn count<'a>(paths: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    paths.for_each(|path| *counts.entry(path).or_default() += 1);
    counts
}

struct Matching<'a> {
    before: &'a [Known],
    now: &'a [Found],
    of: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl Matching<'_> {
    fn take(&mut self, one: usize, other: usize) {
        self.of[one] = Some(other);
        self.taken[other] = true;
    }

    /// Returns the trees that are left.
    fn left(&self, is_old: impl Fn(&Known) -> bool, is_new: impl Fn(&Found) -> bool) -> (Vec<usize>, Vec<usize>) {
        let old = (0..self.before.len()).filter(|index| self.of[*index].is_none() && is_old(&self.before[*index]));
        let new = (0..self.now.len()).filter(|index| !self.taken[*index] && is_new(&self.now[*index]));
        (old.collect(), new.collect())
    }

    /// Returns how many trees of the same items were before a tree.
    fn rank(&self, one: usize) -> usize {
        let Known { path, line, .. } = &self.before[one];
        let is_earlier = |(index, other): &(usize, &Known)| other.path == *path && (other.line, *index) < (*line, one);
        self.before.iter().enumerate().filter(is_earlier).count()
    }

    /// Matches trees of equal text, the nearest first. On one line, their order says which is which.
    fn equal(&mut self, is_possible: impl Fn(&Known, &Found) -> bool) {
        let (old, new) = self.left(|_| true, |found| !found.is_in_macro);
        let mut by_text: HashMap<&str, Vec<usize>> = HashMap::new();
        for index in new {
            by_text.entry(&self.now[index].flat).or_default().push(index);
        }
        let mut pairs = Vec::new();
        for one in old {
            let (known, rank) = (&self.before[one], self.rank(one));
            for &other in by_text.get(&*known.flat).into_iter().flatten() {
                let found = &self.now[other];
                if is_possible(known, found) {
                    let moved = rank.abs_diff(found.ordinal);
                    pairs.push((known.line.abs_diff(found.place.line), moved, one, other));
                }
            }
        }
        pairs.sort_unstable();
        for (.., one, other) in pairs {
            if self.of[one].is_none() && !self.taken[other] {
                self.take(one, other);
            }
        }
    }

    /// Matches trees of one function that have been edited.
    fn edited(&mut self, is_old: impl Fn(&Known) -> bool, is_new: impl Fn(&Found) -> bool) {
        let (old, new) = self.left(&is_old, |found| is_new(found) && !found.is_in_macro);
        let totals = (
            self.before.iter().filter(|known| is_old(known)).count(),
            self.now.iter().filter(|found| is_new(found)).count(),
        );
        if let ([one], [other]) = (&*old, &*new)
            && totals.0 == totals.1
        {
            // All others are the same.
            self.take(*one, *other);
            return;
        }
        self.similar(is_old, is_new);
    }

    /// Matches trees that are more similar to each other than to any other.
    fn similar(&mut self, is_old: impl Fn(&Known) -> bool, is_new: impl Fn(&Found) -> bool) {
        let (old, new) = self.left(is_old, |found| is_new(found) && !found.is_in_macro);
        if old.len().saturating_mul(new.len()) > MAX_PAIRS {
            return;
        }
        let (before, now): (Vec<_>, Vec<_>) = (
            old.iter().map(|index| Pairs::of(&self.before[*index].flat)).collect(),
            new.iter().map(|index| Pairs::of(&self.now[*index].flat)).collect(),
        );
        let table: Vec<Vec<f64>> =
            before.iter().map(|one| now.iter().map(|other| one.similarity(other)).collect()).collect();
        for (row, one) in old.iter().enumerate() {
            let best = (0..new.len()).max_by(|a, b| table[row][*a].total_cmp(&table[row][*b]));
            let Some(column) = best.filter(|column| table[row][*column] >= SIMILAR) else { continue };
            let value = table[row][column];
            let is_only = (0..new.len()).all(|other| other == column || table[row][other] < value)
                && (0..old.len()).all(|other| other == row || table[other][column] < value);
            if is_only {
                self.take(*one, new[column]);
            }
        }
    }
}

/// The pairs of characters of a text.
struct Pairs(HashMap<(char, char), usize>, usize);

impl Pairs {
    fn of(text: &str) -> Self {
        let mut pairs = HashMap::new();
        let mut length = 0;
        for pair in text.chars().zip(text.chars().skip(1)) {
            *pairs.entry(pair).or_default() += 1;
            length += 1;
        }
        Self(pairs, length)
    }

    /// Returns the part of both texts that is common to them.
    #[expect(clippy::cast_precision_loss, reason = "texts are short")]
    fn similarity(&self, other: &Self) -> f64 {
        let common: usize =
            self.0.iter().map(|(pair, count)| other.0.get(pair).copied().unwrap_or(0).min(*count)).sum();
        2.0 * common as f64 / (self.1 + other.1).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use bt_behavior3::Place;
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;

    fn file(trees: &[(&str, &str)]) -> Vec<Found> {
        let found = |(index, (path, flat)): (usize, &(&str, &str))| {
            let place = Place { line: u32::try_from(index).unwrap_or(0) * 10 + 1, column: 1 };
            let (source, flat, path) = ((*flat).to_owned(), (*flat).to_owned(), (*path).to_owned());
            Found { source, flat, place, start: place, root: place, path, ordinal: 0, is_in_macro: false }
        };
        trees.iter().enumerate().map(found).collect()
    }

    fn same(before: &[(&str, &str)], now: &[(&str, &str)]) -> Vec<Option<usize>> {
        let before: Vec<_> = file(before).iter().map(Known::from).collect();
        identify(&before, &file(now))
    }

    #[test]
    fn equal_trees_on_one_line_are_told_apart_by_their_order() {
        let find = |text: &str| crate::live::find(&format!("fn f() {{ ({text}) }}")).expect(text);
        let before: Vec<_> = find("tree! { a }, tree! { a }, tree! { a }").iter().map(Known::from).collect();
        let all = [Some(0), Some(1), Some(2)];
        for now in [
            "tree! { bcd }, tree! { a }, tree! { a }",
            "tree! { a }, tree! { bcd },\n tree! { a }",
            "tree! { a }, tree! { a }, tree! { bcd }",
        ] {
            assert_eq!(identify(&before, &find(now)), all, "{now}");
        }
    }

    #[test]
    fn many_edited_trees_take_no_time() {
        let texts = |end: &str| -> Vec<(&'static str, String)> {
            (0..1000).map(|number| ("f", format!("selector{{a{number},b({number})}}{end}"))).collect()
        };
        let (before, now) = (texts(""), texts("x"));
        let of = |texts: &[(&'static str, String)]| {
            file(&texts.iter().map(|(path, flat)| (*path, &**flat)).collect::<Vec<_>>())
        };
        let known: Vec<_> = of(&before).iter().map(Known::from).collect();
        assert_eq!(identify(&known, &of(&now)), vec![None; 1000], "none rather than a wrong one");
        let same = identify(&known[..100], &of(&before[..100]));
        assert_eq!(same, (0..100).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn edits_of_one_tree_are_followed() {
        let before = [("f", "selector{a,b}"), ("g", "sequence{c,d}")];
        assert_eq!(same(&before, &before), [Some(0), Some(1)]);
        assert_eq!(same(&before, &[("f", "repeat{x}"), ("g", "sequence{c,d}")]), [Some(0), Some(1)], "another text");
        assert_eq!(same(&before, &[("g", "sequence{c,d}"), ("f", "selector{a,b}")]), [Some(1), Some(0)], "moved");
        assert_eq!(same(&before, &[("g", "sequence{c,e}"), ("f", "selector{a,x}")]), [Some(1), Some(0)], "and edited");
        assert_eq!(same(&before, &[("h", "selector{a,b}"), ("g", "sequence{c,d}")]), [Some(0), Some(1)], "renamed");
        assert_eq!(same(&before, &[("h", "selector{a,b,x}"), ("g", "sequence{c,d}")]), [Some(0), Some(1)], "both");
        assert_eq!(same(&before, &[("g", "sequence{c,d}")]), [None, Some(0)], "deleted");
        assert_eq!(same(&before, &[]), [None, None]);
    }

    #[test]
    fn several_trees_of_a_function_are_told_apart_by_their_texts() {
        let before = [("f", "selector{attack,flee}"), ("f", "sequence{walk,talk}")];
        let inserted = [("f", "repeat{idle}"), ("f", "selector{attack,flee,hide}"), ("f", "sequence{walk,talk}")];
        assert_eq!(same(&before, &inserted), [Some(1), Some(2)]);
        let swapped = [("f", "sequence{walk,talk,eat}"), ("f", "selector{attack,hide}")];
        assert_eq!(same(&before, &swapped), [Some(1), Some(0)]);
        assert_eq!(same(&before, &[("f", "selector{attack}")]), [Some(0), None]);
        assert_eq!(same(&before, &[("f", "x"), ("f", "y")]), [None, None], "rather none than a wrong one");
        let equal = [("f", "idle"), ("f", "idle"), ("g", "idle")];
        assert_eq!(same(&equal, &equal), [Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn functions_whose_trees_are_exchanged_keep_theirs() {
        let before = [("f", "selector{a,b}"), ("g", "sequence{c,d}")];
        assert_eq!(same(&before, &[("f", "sequence{c,d}"), ("g", "selector{a,b}")]), [Some(0), Some(1)]);
        let moved = [("f", "x"), ("g", "selector{a,b}"), ("g", "sequence{c,d}")];
        assert_eq!(same(&before, &moved)[1], Some(2));
    }

    #[test]
    fn a_tree_whose_items_are_not_known_is_found_by_its_text() {
        let known = |flat: &str, line| Known { flat: flat.to_owned(), line, path: None };
        let now = file(&[("f", "idle"), ("g", "idle"), ("h", "walk")]);
        let found = identify(&[known("idle", 11), known("walk", 1), known("talk", 1)], &now);
        assert_eq!(found, [Some(1), Some(2), None]);
    }

    fn trees() -> impl Strategy<Value = Vec<(String, String)>> {
        prop::collection::vec(("[fgh]", "[a-d]{3,9}"), 0..8)
    }

    fn borrowed(trees: &[(String, String)]) -> Vec<(&str, &str)> {
        trees.iter().map(|(path, flat)| (path.as_str(), flat.as_str())).collect()
    }

    proptest! {
        #[test]
        fn no_tree_is_that_of_two(before in trees(), now in trees()) {
            let found = same(&borrowed(&before), &borrowed(&now));
            let mut taken: Vec<_> = found.iter().flatten().collect();
            taken.sort_unstable();
            taken.dedup();
            prop_assert_eq!(taken.len(), found.iter().flatten().count());
        }

        #[test]
        fn a_file_that_did_not_change_has_the_same_trees(trees in trees()) {
            let expected: Vec<_> = (0..trees.len()).map(Some).collect();
            prop_assert_eq!(same(&borrowed(&trees), &borrowed(&trees)), expected);
        }

        /// One tree is inserted, deleted, edited or moved: all others stay what they are.
        #[test]
        fn one_edit_is_followed(
            names in prop::collection::btree_set("[a-z]{12}", 2..8),
            functions in prop::collection::vec("[fgh]", 8),
            edit in 0..4,
            at: Index,
            to: Index,
        ) {
            let before: Vec<_> = functions.into_iter().zip(names).collect();
            let mut now: Vec<(Option<usize>, (String, String))> =
                before.iter().cloned().enumerate().map(|(index, tree)| (Some(index), tree)).collect();
            let (at, to) = (at.index(now.len()), to.index(now.len()));
            match edit {
                0 => now.insert(at, (None, ("g".to_owned(), "0123456789".to_owned()))),
                1 => _ = now.remove(at),
                2 => now[at].1.1.push_str("!?"),
                _ => {
                    let tree = now.remove(at);
                    now.insert(to, tree);
                }
            }
            let trees: Vec<_> = now.iter().map(|(_, tree)| tree.clone()).collect();
            let expected: Vec<_> =
                (0..before.len()).map(|index| now.iter().position(|(of, _)| *of == Some(index))).collect();
            prop_assert_eq!(same(&borrowed(&before), &borrowed(&trees)), expected);
        }
    }
}
