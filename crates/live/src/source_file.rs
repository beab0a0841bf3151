//! A source file that is watched: when it is read, which of its versions count, and what follows them.

use std::fs;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant, SystemTime};

use bt_behavior3::{Diagnostic, Place};
use bt_dynamic::compiled::Site;
use bt_syntax::live::find;

use crate::follower::Follower;
use crate::message::{Message, Outcome, Watched};
use crate::nested::with_compiled;
use crate::report::{Report, ReportKind};
use crate::trees::{self, Next, Tree, Trees};

/// The time between the last sign of a change and reading the file: editors write in several steps.
const QUIET: Duration = Duration::from_millis(30);
/// The file is read after this time even if signs of changes continue.
const LATEST: Duration = Duration::from_millis(200);
/// A file that is empty or missing is checked again after this time.
const RETRY: Duration = Duration::from_millis(20);
/// How long a file must stay as it is until errors that half-written files have are errors, and trees that it does not have are gone.
const SETTLED: Duration = Duration::from_millis(500);
/// A file that was written this time ago may be written again without another time of modification.
const COARSE: Duration = Duration::from_secs(2);

/// How long an edit waits for the first tree of its macro; then polling finds it.
const EARLY: Duration = Duration::from_secs(1);

/// The beginning of a file.
const BEGIN: Place = Place { line: 1, column: 1 };

/// The time of modification and the length of a file; `None` if it is missing.
type Stamp = Option<(SystemTime, u64)>;

/// A source file that is watched.
pub(crate) struct SourceFile {
    path: PathBuf,
    trees: Trees<Follower>,
    /// Macros of the program whose trees were not looked up.
    new: Vec<&'static Site>,
    stamp: Stamp,
    /// Until when the file is read even if its stamp is the same.
    reread: Option<Instant>,
    /// The first sign of a change that was not taken.
    noticed: Option<Instant>,
    /// When the file is read next.
    due: Option<Instant>,
    /// The version that was taken last, as a hash, and the first sign of it.
    taken: Option<(u64, Instant)>,
    held: Option<Held>,
    /// A text that trees follow in place of the file.
    applied: Option<Applied>,
    /// Where the file had an error that was reported.
    complaint: Option<Place>,
    is_announced: bool,
    is_back: bool,
}

/// A text that trees follow in place of a version of the file.
struct Applied {
    /// The version of the file, as a hash.
    to: u64,
    text: String,
}

/// A version of the file that is probably not complete.
struct Held {
    version: u64,
    since: Instant,
}

impl SourceFile {
    pub(crate) const fn new(path: PathBuf) -> Self {
        Self {
            path,
            trees: Trees::new(),
            new: Vec::new(),
            stamp: None,
            reread: None,
            noticed: None,
            due: None,
            taken: None,
            held: None,
            applied: None,
            complaint: None,
            is_announced: false,
            is_back: false,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a macro of the program.
    pub(crate) fn add(&mut self, site: &'static Site, now: Instant) {
        let is_known = |other: &Site| std::ptr::eq(other, site);
        let mut followers = self.trees.all.iter().filter_map(|tree| tree.follower.as_ref());
        if !self.new.iter().any(|other| is_known(other)) && !followers.any(|follower| is_known(follower.site)) {
            self.new.push(site);
            // Macros of a file often come together.
            self.changed(now);
        }
    }

    /// Reads the file if macros were not looked up in it.
    pub(crate) fn catch_up(&mut self, now: Instant, reports: &mut Vec<Report>) {
        if !self.new.is_empty() {
            self.read(now, reports);
        }
    }

    /// Returns the trees that follow it.
    pub(crate) fn watched(&self) -> Watched {
        let followed = self.trees.all.iter().filter(|tree| tree.is_there);
        let trees = followed.filter_map(|tree| Some((tree.follower.as_ref()?.site, tree.found.place)));
        Watched { path: self.path.clone(), trees: trees.collect() }
    }

    /// Checks a text in place of the file, and changes nothing. Returns the warnings.
    ///
    /// # Errors
    ///
    /// Returns the errors of all trees, and what waits for the compiler.
    pub(crate) fn check(&self, text: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.tried(text).map(|(_, warnings)| warnings)
    }

    /// Lets trees follow a text in place of the file, until the file changes. Returns the warnings.
    ///
    /// # Errors
    ///
    /// As for [`check`](Self::check). The trees continue as they were.
    pub(crate) fn apply(
        &mut self,
        text: &str,
        now: Instant,
        reports: &mut Vec<Report>,
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.catch_up(now, reports);
        let Some((taken, _)) = self.taken else {
            return Err(vec![Diagnostic::at(BEGIN, "the file was not read yet".to_owned())]);
        };
        let (next, warnings) = self.tried(text)?;
        // The text is in place of what the file contains now, which may not have been taken yet.
        let now_there = fs::read(&self.path).unwrap_or_default();
        let version = if now_there.is_empty() { taken } else { hash(&now_there) };
        (self.taken, self.applied) = (Some((version, now)), Some(Applied { to: version, text: text.to_owned() }));
        self.take(next, reports);
        Ok(warnings)
    }

    fn tried(&self, text: &str) -> Result<(Next, Vec<Diagnostic>), Vec<Diagnostic>> {
        let next = self.compare(text.as_bytes()).map_err(|error| vec![error])?;
        let trees = self.trees.of(&next);
        let (mut warnings, mut errors) = (Vec::new(), Vec::new());
        for (index, (found, was)) in trees.iter().enumerate() {
            let Some(follower) = was.and_then(|tree| tree.follower.as_ref()) else { continue };
            let inner = trees[index + 1..].iter();
            let inner = inner.filter_map(|(found, was)| Some((*found, (*was)?.follower.as_ref()?.site.text())));
            let outer = with_compiled(found, inner);
            match follower.check(outer.as_ref().unwrap_or(found)) {
                Ok(found) => warnings.extend(found),
                Err(found) => errors.extend(found),
            }
        }
        if errors.is_empty() { Ok((next, warnings)) } else { Err(errors) }
    }

    /// Notes a sign of a change.
    pub(crate) fn changed(&mut self, now: Instant) {
        let noticed = *self.noticed.get_or_insert(now);
        self.due = Some((now + QUIET).min(noticed + LATEST));
    }

    /// Looks for a change of which there was no sign.
    pub(crate) fn poll(&mut self, now: Instant) {
        let is_recent = self.reread.is_some_and(|until| now < until);
        if self.due.is_none() && (is_recent || stamp(&self.path) != self.stamp) {
            self.noticed.get_or_insert(now);
            self.due = Some(now);
        }
    }

    /// Returns when there is something to do.
    pub(crate) fn next(&self, now: Instant) -> Option<Instant> {
        let is_recent = self.taken.is_some_and(|(_, noticed)| now.duration_since(noticed) < EARLY);
        let early = (is_recent && self.is_early()).then(|| now + RETRY);
        [self.due, early].into_iter().flatten().min()
    }

    /// Returns whether an edit waits for the first tree of its macro.
    fn is_early(&self) -> bool {
        let mut there = self.trees.all.iter().filter(|tree| tree.is_there);
        there.any(|tree| {
            let follower = tree.follower.as_ref();
            follower.is_some_and(|follower| follower.is_early(follower.outer.as_deref().unwrap_or(&tree.found)))
        })
    }

    /// Reads the file if that is due, and follows it. Returns what there is to report.
    pub(crate) fn work(&mut self, now: Instant, outcomes: &Sender<Message>) -> Vec<Report> {
        let mut reports = Vec::new();
        if self.due.is_some_and(|due| due <= now) {
            self.due = None;
            self.read(now, &mut reports);
        }
        if let Some((_, noticed)) = self.taken {
            for tree in self.trees.all.iter_mut().filter(|tree| tree.is_there) {
                let Some(follower) = &mut tree.follower else { continue };
                let outer = follower.outer.clone();
                let kind = follower.follow(outer.as_deref().unwrap_or(&tree.found), noticed, outcomes);
                reports.extend(kind.map(|kind| Report::new(self.path.clone(), tree.found.place, kind)));
            }
        }
        reports
    }

    /// Takes the outcome of an edit. Returns what there is to report; or the argument if it is of another file.
    pub(crate) fn outcome(&mut self, outcome: Outcome) -> Result<Vec<Report>, Outcome> {
        for tree in &mut self.trees.all {
            if let Some(follower) = &mut tree.follower
                && std::ptr::eq(follower.site, outcome.site)
            {
                let kinds = follower.outcome(&outcome.flat, outcome.result);
                let report = |kind| Report::new(self.path.clone(), tree.found.place, kind);
                return Ok(kinds.into_iter().map(report).collect());
            }
        }
        Err(outcome)
    }

    /// Returns whether the file was missing and exists again, once.
    pub(crate) fn is_back(&mut self) -> bool {
        std::mem::take(&mut self.is_back)
    }

    fn read(&mut self, now: Instant, reports: &mut Vec<Report>) {
        let stamp = stamp(&self.path);
        self.is_back |= self.stamp.is_none() && stamp.is_some() && self.taken.is_some();
        self.stamp = stamp;
        let age = self.stamp.and_then(|(modified, _)| SystemTime::now().duration_since(modified).ok());
        self.reread = age.and_then(|age| COARSE.checked_sub(age)).map(|left| now + left);
        let bytes = fs::read(&self.path).unwrap_or_default();
        let version = hash(&bytes);
        if self.taken.is_some_and(|(taken, _)| taken == version) && self.new.is_empty() {
            (self.noticed, self.held) = (None, None);
            return;
        }
        let since = match &self.held {
            Some(held) if held.version == version => held.since,
            _ => self.held.insert(Held { version, since: now }).since,
        };
        let is_settled = now.duration_since(since) >= SETTLED;
        let applied = self.applied.take_if(|applied| applied.to == version);
        let compared = self.compare(applied.as_ref().map_or(&bytes, |applied| applied.text.as_bytes()));
        self.applied = applied;
        match compared {
            Ok(next) if is_settled || !self.trees.loses(&next) => self.take(next, reports),
            Err(error) if is_settled => self.complain(error, reports),
            Ok(_) | Err(_) => {
                self.due = Some(if bytes.is_empty() { now + RETRY } else { since + SETTLED });
                return;
            }
        }
        self.taken = Some((version, self.noticed.take().unwrap_or(now)));
        self.held = None;
    }

    /// Compares a version of the file with the one that was taken before.
    fn compare(&self, bytes: &[u8]) -> Result<Next, Diagnostic> {
        let error = |reason: &str| Diagnostic::at(BEGIN, reason.to_owned());
        if bytes.is_empty() {
            return Err(error("the file is empty or does not exist: its trees continue as they were"));
        }
        let text = str::from_utf8(bytes).map_err(|_| error("the file is not UTF-8"))?;
        Ok(self.trees.compare(find(text)?))
    }

    fn take(&mut self, next: Next, reports: &mut Vec<Report>) {
        let mut report = |place, kind| reports.push(Report::new(self.path.clone(), place, kind));
        if let Some(place) = self.complaint.take() {
            report(place, ReportKind::Fixed);
        }
        self.trees.replace(next);
        for site in self.trees.place(std::mem::take(&mut self.new), Follower::new) {
            report(trees::place(site), ReportKind::Unseen { reason: UNSEEN });
        }
        for tree in &mut self.trees.all {
            let Some(follower) = &mut tree.follower else { continue };
            if !self.is_announced && tree.is_there {
                self.is_announced = true;
                report(tree.found.place, ReportKind::Watching);
            }
            if follower.is_lost == tree.is_there {
                follower.is_lost = !tree.is_there;
                report(tree.found.place, if tree.is_there { ReportKind::Fixed } else { ReportKind::Lost });
            }
        }
        self.separate();
    }

    /// Ensures that a tree with trees in it is not edited when those are.
    fn separate(&mut self) {
        let mut order: Vec<_> = (0..self.trees.all.len()).filter(|tree| self.trees.all[*tree].is_there).collect();
        order.sort_by_key(|tree| self.trees.all[*tree].found.start);
        for (index, tree) in order.iter().enumerate() {
            let inner = order[index + 1..].iter().map(|tree| &self.trees.all[*tree]);
            let inner = inner.filter_map(|tree| Some((&tree.found, tree.follower.as_ref()?.site.text())));
            let Tree { found, follower, .. } = &self.trees.all[*tree];
            let outer = follower.as_ref().and_then(|_| with_compiled(found, inner));
            if let Some(follower) = &mut self.trees.all[*tree].follower {
                follower.outer = outer.map(Arc::new);
            }
        }
    }

    fn complain(&mut self, error: Diagnostic, reports: &mut Vec<Report>) {
        let place = error.place.unwrap_or(BEGIN);
        self.complaint = Some(place);
        reports.push(Report::new(self.path.clone(), place, ReportKind::Refused { errors: vec![error] }));
    }
}

/// Why a tree stays as compiled that is not in its file.
const UNSEEN: &str =
    "the tree stays as compiled: it is in a `macro_rules!` or generated, or its source was edited too much since then";

/// Returns the hash of a version of a file.
fn hash(bytes: &[u8]) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(bytes)
}

fn stamp(path: &Path) -> Stamp {
    let about = fs::metadata(path).ok()?;
    Some((about.modified().unwrap_or(SystemTime::UNIX_EPOCH), about.len()))
}
