//! Reports the changes of a board to an observer.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::board::{Blackboard, VariableView};
use crate::id::NodeId;
use crate::observer::{Observer, Tick};

/// Reports to an observer which variables of a board have changed since the last report. The first report contains all
/// variables that are set.
///
/// ```
/// use bt_core::board::Changes;
/// use bt_core::observe::RecordFile;
/// use bt_core::board::set;
/// use bt_core::prelude::*;
///
/// const HUNGER: Key<u32> = Key::new("hunger");
/// let tree = tree! { for Board: set(HUNGER, 3) };
///
/// let mut file = RecordFile::new(Vec::new(), "npc", &tree)?;
/// let (mut board, mut memory, mut changes) = (Board::new(), tree.memory(), Changes::default());
/// for tick in 0..3 {
///     let mut observer = file.for_agent(7, secs(tick));
///     tree.tick_with(&mut board, &mut memory, &mut observer);
///     changes.report(&board, &mut observer);
/// }
/// let written = String::from_utf8(file.finish()?).unwrap();
/// assert_eq!(written.matches(r#"{"agent":7,"variable":"hunger","value":"3"}"#).count(), 1);   // unchanged after the first tick
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Changes(Vec<Known>);

/// A variable as it was last reported.
#[derive(Clone, Debug)]
struct Known {
    name: String,
    of: Option<(String, Option<NodeId>)>,
    value: Option<String>,
}

impl Changes {
    /// Reports each variable that has changed since the last report ([`Observer::variable`]). Does nothing while the
    /// observer is asleep.
    pub fn report<O: Observer>(&mut self, board: &(impl Blackboard + ?Sized), observer: &mut O) {
        if !O::ON || (O::SLEEPS && observer.is_asleep()) {
            return;
        }
        board.show(&mut |shown| {
            if self.is_new(&shown) {
                observer.variable(Tick::default(), &shown);
            }
        });
    }

    fn is_new(&mut self, shown: &VariableView<'_>) -> bool {
        let value = shown.value.map(|value| format!("{value:?}"));
        let known = self.0.iter_mut().find(|known| {
            known.name == shown.name && known.of.as_ref().map(|(tree, node)| (tree.as_str(), *node)) == shown.of
        });
        match known {
            Some(known) if known.value == value => false,
            Some(known) => {
                known.value = value;
                true
            }
            None => {
                let is_set = value.is_some();
                let of = shown.of.map(|(tree, node)| (tree.to_owned(), node));
                self.0.push(Known { name: shown.name.to_owned(), of, value });
                is_set
            }
        }
    }
}
