//! A macro of the program whose source is followed: what was tried, and the outcome.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use bt_behavior3::Diagnostic;
use bt_dynamic::compiled::Site;
use bt_syntax::live::{Found, Source, read};

use crate::message::{Message, Outcome};
use crate::report::ReportKind;

/// A macro of the program whose source is followed.
pub(crate) struct Follower {
    pub(crate) site: &'static Site,
    /// The last text that was tried.
    tried: String,
    /// What the trees follow.
    running: Edit,
    /// What they have not followed yet, because no tree has been ticked.
    issued: Option<Edit>,
    /// Whether errors were reported that are not fixed.
    is_failing: bool,
    /// The text, if it has trees in it: with those as they were compiled.
    pub(crate) outer: Option<Arc<Found>>,
    /// Whether it was reported that the tree is not in its file.
    pub(crate) is_lost: bool,
}

/// A text that trees follow.
struct Edit {
    flat: Arc<str>,
    /// `None` for the one that was compiled.
    source: Option<Source>,
}

impl Follower {
    pub(crate) fn new(site: &'static Site) -> Self {
        let running = Edit { flat: site.text().into(), source: None };
        Self {
            site,
            tried: site.text().to_owned(),
            running,
            issued: None,
            is_failing: false,
            outer: None,
            is_lost: false,
        }
    }

    /// Returns whether there is an edit, but no tree has been built: what it has is not known yet.
    pub(crate) fn is_early(&self, found: &Found) -> bool {
        found.flat != self.tried && !self.site.is_built()
    }

    /// Follows the text of a file. `noticed` is the time of the first sign that it is another one. Returns what there is to report at once.
    pub(crate) fn follow(&mut self, found: &Found, noticed: Instant, outcomes: &Sender<Message>) -> Option<ReportKind> {
        if found.flat == self.tried || !self.site.is_built() {
            return None;
        }
        self.tried.clone_from(&found.flat);
        if *self.issued.as_ref().unwrap_or(&self.running).flat == *found.flat {
            return self.fixed();
        }
        let source = match read(found) {
            Ok(source) => self.site.with_words(source),
            Err(errors) => {
                self.fail(&errors);
                return Some(ReportKind::Refused { errors });
            }
        };
        let parts = self.site.missing(&source);
        if !parts.is_empty() {
            self.fail(&parts);
            return Some(ReportKind::Waiting { parts });
        }
        let flat: Arc<str> = found.flat.as_str().into();
        self.issued = Some(Edit { flat: Arc::clone(&flat), source: Some(source.clone()) });
        if self.is_failing {
            // Those of the text before.
            self.site.show(Vec::new());
        }
        let (site, outcomes) = (self.site, outcomes.clone());
        // It is called by the tick that follows, so it only passes on.
        let report = move |result: Result<_, _>| {
            let result = result.map(|adopted: bt_dynamic::compiled::Adopted| (noticed.elapsed(), adopted.warnings));
            drop(outcomes.send(Message::Outcome(Outcome { site, flat, result })));
        };
        self.site.edit(source, Box::new(report));
        None
    }

    /// Checks a text, and changes nothing. Returns the warnings.
    ///
    /// # Errors
    ///
    /// Returns the errors, and the parts that only the compiler can make.
    pub(crate) fn check(&self, found: &Found) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        // What a tree that was never built has is not known.
        if *self.running.flat == *found.flat || !self.site.is_built() {
            return Ok(Vec::new());
        }
        let source = self.site.with_words(read(found)?);
        let parts = self.site.missing(&source);
        if parts.is_empty() { self.site.check(&source) } else { Err(parts) }
    }

    /// Takes the outcome of an edit. Returns what there is to report.
    pub(crate) fn outcome(
        &mut self,
        flat: &str,
        result: Result<(Duration, Vec<Diagnostic>), Vec<Diagnostic>>,
    ) -> Vec<ReportKind> {
        let Some(edit) = self.issued.take_if(|edit| &*edit.flat == flat) else { return Vec::new() };
        match result {
            Ok((took, warnings)) => {
                self.running = edit;
                // Another text may have errors since.
                let is_present = self.tried == flat;
                let fixed = if is_present { self.fixed() } else { None };
                fixed.into_iter().chain([ReportKind::Followed { took, warnings }]).collect()
            }
            Err(errors) => {
                // Trees that are built from now on follow what the others do.
                let source = self.running.source.clone();
                if let Some(source) = source.or_else(|| self.site.compiled().ok().map(Arc::unwrap_or_clone)) {
                    self.site.edit(source, Box::new(drop));
                }
                if self.tried != flat {
                    return Vec::new();
                }
                self.fail(&errors);
                vec![ReportKind::Refused { errors }]
            }
        }
    }

    /// Notes errors, which descriptions of the tree show.
    fn fail(&mut self, errors: &[Diagnostic]) {
        self.is_failing = true;
        self.site.show(errors.to_vec());
    }

    fn fixed(&mut self) -> Option<ReportKind> {
        let was_failing = std::mem::take(&mut self.is_failing);
        if was_failing {
            self.site.show(Vec::new());
        }
        was_failing.then_some(ReportKind::Fixed)
    }
}
