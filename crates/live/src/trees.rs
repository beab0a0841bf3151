//! The trees of a source file, which was which before an edit, and the macros of the program that they are.

use bt_behavior3::Place;
use bt_dynamic::compiled::Site;
use bt_syntax::live::{Found, Known, identify};

use crate::nested::with_compiled;

/// The path of a tree whose items do not matter: it is compared by its text.
const NO_ITEMS: &str = "\0";

/// A tree of a source file.
pub(crate) struct Tree<F> {
    /// As it was when the file was read first; `None` for a tree that was added later, so it is not in the program.
    first: Option<First>,
    /// As it was when it was in the file the last time.
    pub(crate) found: Found,
    /// The same without the texts of trees in it, which are edited on their own.
    own: Found,
    pub(crate) is_there: bool,
    /// What follows it.
    pub(crate) follower: Option<F>,
}

/// A tree as it was when the file was read first, which is usually how it was compiled.
struct First {
    flat: String,
    /// The line of the macro.
    line: u32,
    /// Where the tree begins.
    root: Place,
}

/// The trees of a source file. `F` follows one.
pub(crate) struct Trees<F> {
    pub(crate) all: Vec<Tree<F>>,
    /// The trees in definitions of macros, by text and where they begin.
    generated: Vec<(String, Place)>,
    is_read: bool,
}

/// Which trees of a version of the file are which of those before.
pub(crate) struct Next {
    found: Vec<Found>,
    /// The same without the texts of trees in them.
    own: Vec<Found>,
    of: Vec<Option<usize>>,
    generated: Vec<(String, Place)>,
}

impl<F> Trees<F> {
    pub(crate) const fn new() -> Self {
        Self { all: Vec::new(), generated: Vec::new(), is_read: false }
    }

    /// Compares a version of the file with the present one.
    pub(crate) fn compare(&self, found: Vec<Found>) -> Next {
        let (generated, found): (Vec<_>, Vec<_>) = found.into_iter().partition(|found| found.is_in_macro);
        let generated = generated.into_iter().map(|found| (found.flat, found.root)).collect();
        let own = |(index, tree): (usize, &Found)| {
            let inner = found[index + 1..].iter().map(|inner| (inner, "_"));
            with_compiled(tree, inner).unwrap_or_else(|| tree.clone())
        };
        let own: Vec<_> = found.iter().enumerate().map(own).collect();
        let mut of = vec![None; self.all.len()];
        let there: Vec<usize> = (0..self.all.len()).filter(|tree| self.all[*tree].is_there).collect();
        let known: Vec<_> = there.iter().map(|tree| Known::from(&self.all[*tree].own)).collect();
        for (tree, now) in there.iter().zip(identify(&known, &own)) {
            of[*tree] = now;
        }
        // A tree that comes back is known by its text only: what is now in its place can be another. A tree that was added meanwhile has no part in it.
        let is_lost = |tree: &usize| !self.all[*tree].is_there;
        let lost: Vec<usize> = (0..self.all.len()).filter(is_lost).collect();
        let is_kept = |(tree, now): (&Tree<F>, &Option<usize>), index: usize| {
            *now == Some(index) && (tree.first.is_some() || tree.own.flat == own[index].flat)
        };
        let is_free = |index: &usize| !self.all.iter().zip(&of).any(|pair| is_kept(pair, *index));
        let free: Vec<usize> = (0..own.len()).filter(is_free).collect();
        if !lost.is_empty() && !free.is_empty() {
            let known = |tree: &usize| Known { path: Some(NO_ITEMS.to_owned()), ..(&self.all[*tree].own).into() };
            let known: Vec<_> = lost.iter().map(known).collect();
            let candidates: Vec<_> = free.iter().map(|index| own[*index].clone()).collect();
            for (tree, now) in lost.iter().zip(identify(&known, &candidates)) {
                let Some(now) = now.map(|index| free[index]) else { continue };
                for of in &mut of {
                    of.take_if(|of| *of == now);
                }
                of[*tree] = Some(now);
            }
        }
        Next { found, own, of, generated }
    }

    /// Returns the trees of a version of the file, each with the one before that it is.
    pub(crate) fn of<'a>(&'a self, next: &'a Next) -> Vec<(&'a Found, Option<&'a Tree<F>>)> {
        let was = |index: usize| next.of.iter().position(|of| *of == Some(index)).map(|tree| &self.all[tree]);
        next.found.iter().enumerate().map(|(index, found)| (found, was(index))).collect()
    }

    /// Returns whether a tree that is followed is not in a version of the file.
    pub(crate) fn loses(&self, next: &Next) -> bool {
        self.all.iter().zip(&next.of).any(|(tree, now)| tree.follower.is_some() && tree.is_there && now.is_none())
    }

    /// Makes a version of the file the present one.
    pub(crate) fn replace(&mut self, next: Next) {
        let Next { found, own, of, generated } = next;
        let is_first = !self.is_read;
        self.is_read = true;
        if is_first {
            self.generated = generated;
        }
        let mut found: Vec<_> = found.into_iter().zip(own).map(Some).collect();
        for (tree, now) in self.all.iter_mut().zip(of) {
            let now = now.and_then(|index| found[index].take());
            tree.is_there = now.is_some();
            if let Some(now) = now {
                (tree.found, tree.own) = now;
            }
        }
        // What is neither in the file nor in the program is forgotten.
        self.all.retain(|tree| tree.is_there || tree.first.is_some());
        for (found, own) in found.into_iter().flatten() {
            let first = is_first.then(|| First { flat: found.flat.clone(), line: found.place.line, root: found.root });
            self.all.push(Tree { first, found, own, is_there: true, follower: None });
        }
    }

    /// Finds the trees of macros of the program, which may be of an earlier version of the file. Returns the macros that have none: they are in a
    /// `macro_rules!`, or which tree they are is not certain.
    pub(crate) fn place(
        &mut self,
        mut sites: Vec<&'static Site>,
        follower: impl Fn(&'static Site) -> F,
    ) -> Vec<&'static Site> {
        let take = |trees: &mut Self, tree: Option<usize>, site| {
            tree.inspect(|tree| trees.all[*tree].follower = Some(follower(site))).is_none()
        };
        sites.retain(|site| {
            let tree = self.only(|first| first.flat == site.text() && first.root == root(site));
            take(self, tree, site)
        });
        // The tokens of a tree are where a `macro_rules!` has them.
        let is_written = |site: &&Site| {
            let is_it = |(flat, place): &(String, Place)| flat == site.text() || *place == root(site);
            site.start.0 >= site.line && !self.generated.iter().any(is_it)
        };
        let (mut sites, mut none): (Vec<_>, Vec<_>) = sites.into_iter().partition(is_written);
        sites.retain(|site| {
            let has_text = !self.free(|first| first.flat == site.text()).is_empty();
            let tree = if has_text {
                // The lines before it were edited after it was compiled.
                self.only(|first| {
                    first.flat == site.text() && layout(first.line, first.root) == layout(site.line, root(site))
                })
            } else {
                self.only(|first| first.line == site.line)
            };
            take(self, tree, site)
        });
        // It was edited, and so were the lines before it.
        let (sites, several): (Vec<_>, Vec<_>) =
            sites.into_iter().partition(|site| self.free(|first| first.flat == site.text()).is_empty());
        none.extend(several);
        let free = self.free(|_| true);
        let was = |tree: &usize| {
            let Tree { first, found, .. } = &self.all[*tree];
            let found = Found { path: String::new(), ..found.clone() };
            match first {
                Some(First { flat, root, .. }) => Found { flat: flat.clone(), root: *root, ..found },
                None => found,
            }
        };
        let candidates: Vec<_> = free.iter().map(was).collect();
        let known =
            |site: &&Site| Known { flat: site.text().to_owned(), line: site.line, path: Some(NO_ITEMS.to_owned()) };
        let known: Vec<_> = sites.iter().map(known).collect();
        for (site, tree) in sites.into_iter().zip(identify(&known, &candidates)) {
            let tree = tree.filter(|index| candidates[*index].root.column == site.start.1).map(|index| free[index]);
            if take(self, tree, site) {
                none.push(site);
            }
        }
        none
    }

    /// Returns the trees of the program that nothing follows and that were like this first.
    fn free(&self, is: impl Fn(&First) -> bool) -> Vec<usize> {
        let is_free = |tree: &Tree<F>| tree.follower.is_none() && tree.first.as_ref().is_some_and(&is);
        (0..self.all.len()).filter(|tree| is_free(&self.all[*tree])).collect()
    }

    /// Returns the only one of them.
    fn only(&self, is: impl Fn(&First) -> bool) -> Option<usize> {
        if let [only] = *self.free(is) { Some(only) } else { None }
    }
}

/// Returns where a tree of the program begins.
const fn root(site: &Site) -> Place {
    let (line, column) = site.start;
    Place { line, column }
}

/// Returns where a tree of the program is reported that is not in its file. Tokens of a `macro_rules!` are elsewhere, and their place may be unknown.
pub(crate) const fn place(site: &Site) -> Place {
    let Place { line, column } = root(site);
    if line < site.line { Place { line: site.line, column: 1 } } else { Place { line, column } }
}

/// Returns where a tree begins as seen from its macro.
const fn layout(line: u32, root: Place) -> (u32, u32) {
    (root.line.abs_diff(line), root.column)
}
