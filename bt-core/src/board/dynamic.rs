//! A board whose variables are looked up by name at run time.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::{TypeId, type_name};
use core::fmt;
use core::task::Waker;

use crate::board::entry::{Entry, Value};
use crate::board::key::{Text, VariableId};
use crate::board::{Blackboard, Key, Scope, Variable, VariableView, WrongType};

/// A board whose variables are created when they are first used. See the [module](crate::board).
///
/// ```
/// use bt_core::prelude::*;
///
/// const HUNGER: Key<u32> = Key::new("hunger");
/// const TARGET: Key<&str> = Key::new("target");
///
/// let mut board = Board::new();
/// board.define(&HUNGER, 1);                        // a variable with a default
/// board.set(&TARGET, "the well");
/// let before = board.changes(&HUNGER);
/// *board.get_mut(&HUNGER).unwrap() += 4;
/// assert!(board.changes(&HUNGER) > before);        // the counter has increased
///
/// board.reset();
/// assert_eq!((board.get(&HUNGER), board.get(&TARGET)), (Some(&1), None));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Board {
    pub(crate) entries: BTreeMap<VariableId, Entry>,
}

impl Board {
    /// Creates a board without variables.
    pub const fn new() -> Self {
        Self { entries: BTreeMap::new() }
    }

    /// Creates a key for a name that is known only at run time.
    ///
    /// The call defines the variable's type, even if the variable is never set.
    ///
    /// # Errors
    ///
    /// Returns an error if a variable of that name exists with another type.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// let mut board = Board::new();
    /// let hunger = board.key::<u32>("hunger").unwrap();
    /// board.set(&hunger, 3);
    /// let error = board.key::<f32>("hunger").unwrap_err();
    /// assert_eq!(error.to_string(), "variable `hunger` has type `u32`, not `f32`");
    /// ```
    pub fn key<T: Value>(&mut self, name: impl Into<Arc<str>>) -> Result<Key<T>, WrongType> {
        let key = Key::shared(Text::Shared(name.into()));
        self.entry(&key)?;
        Ok(key)
    }

    /// Returns the value of a variable; `None` if it is not set.
    ///
    /// # Panics
    ///
    /// Panics if the variable has another type, because two keys have the same name. [`try_get`](Self::try_get) returns
    /// an error instead.
    #[track_caller]
    pub fn get<T: Value>(&self, key: &Key<T>) -> Option<&T> {
        expect(self.try_get(key))
    }

    /// Returns the value of a variable for mutation; `None` if it is not set. A call on a variable that is set counts
    /// as a change.
    ///
    /// # Panics
    ///
    /// Panics if the variable has another type, because two keys have the same name.
    #[track_caller]
    pub fn get_mut<T: Value>(&mut self, key: &Key<T>) -> Option<&mut T> {
        let entry = expect(self.entry(key));
        if entry.value.is_some() {
            entry.changes += 1;
            entry.wake();
        }
        entry.value.as_mut()?.as_any_mut().downcast_mut()
    }

    /// Sets a variable.
    ///
    /// # Panics
    ///
    /// Panics if the variable has another type, because two keys have the same name. [`try_set`](Self::try_set) returns
    /// an error instead.
    #[track_caller]
    pub fn set<T: Value>(&mut self, key: &Key<T>, value: T) {
        expect(self.try_set(key, value));
    }

    /// Returns the value of a variable; `None` if it is not set.
    ///
    /// # Errors
    ///
    /// Returns an error if the variable has another type, because two keys have the same name.
    pub fn try_get<T: Value>(&self, key: &Key<T>) -> Result<Option<&T>, WrongType> {
        let Some(entry) = self.entries.get(&key.place) else { return Ok(None) };
        check::<T>(entry, key)?;
        Ok(entry.value.as_ref().and_then(|value| (**value).as_any().downcast_ref()))
    }

    /// Sets a variable.
    ///
    /// # Errors
    ///
    /// Returns an error if the variable has another type, because two keys have the same name.
    pub fn try_set<T: Value>(&mut self, key: &Key<T>, value: T) -> Result<(), WrongType> {
        self.entry(key)?.change(Some(Box::new(value)));
        Ok(())
    }

    /// Sets the default of a variable. Also sets the variable if it is not set.
    ///
    /// # Panics
    ///
    /// Panics if the variable has another type, because two keys have the same name.
    #[track_caller]
    pub fn define<T: Value>(&mut self, key: &Key<T>, default: T) {
        let entry = expect(self.entry(key));
        if entry.value.is_none() {
            entry.change(Some(Box::new(default.clone())));
        }
        entry.default = Some(Box::new(default));
    }

    /// Removes the value of a variable.
    pub fn unset<T>(&mut self, key: &Key<T>) {
        if let Some(entry) = self.entries.get_mut(&key.place).filter(|entry| entry.value.is_some()) {
            entry.change(None);
        }
    }

    /// Returns the number of changes of a variable so far. Compare it with an earlier number to detect a change.
    pub fn changes<T>(&self, key: &Key<T>) -> u64 {
        self.entries.get(&key.place).map_or(0, |entry| entry.changes)
    }

    /// Calls a waker whenever the variable changes: when it is set, unset, reset, loaded, or returned by
    /// [`get_mut`](Self::get_mut). A waker that already watches the variable is not added again. A clone of the board calls
    /// no wakers.
    ///
    /// With the waker of an agent (`Herd::waker`, `Brain::waker`), a condition on the variable depends on events: see
    /// [`by_event`](crate::keywords::by_event).
    ///
    #[cfg_attr(feature = "async", doc = "```")]
    #[cfg_attr(not(feature = "async"), doc = "```ignore")]
    /// use bt_core::board::{is_set, unset};
    /// use bt_core::prelude::*;
    /// use std::sync::Arc;
    ///
    /// const ENEMY: Key<&str> = Key::new("enemy");
    ///
    /// let tree = Arc::new(tree! { for Board: selector { sequence { by_event { is_set(ENEMY) }, unset(ENEMY) } run } });
    /// let (mut board, mut brain) = (Board::new(), Brain::new(&tree));
    /// board.watch(&ENEMY, &brain.waker());
    /// brain.tick_due(secs(1), &mut board);
    /// assert_eq!(brain.tick_due(secs(2), &mut board), None);                     // asleep
    ///
    /// board.set(&ENEMY, "wolf");
    /// assert_eq!(brain.tick_due(secs(3), &mut board), Some(Status::Success));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the variable has another type, because two keys have the same name.
    #[track_caller]
    pub fn watch<T: Value>(&mut self, key: &Key<T>, waker: &Waker) {
        let watchers = &mut expect(self.entry(key)).watchers;
        if !watchers.iter().any(|watcher| watcher.will_wake(waker)) {
            watchers.push(waker.clone());
        }
    }

    /// Removes a waker from a variable. Returns `true` if the waker was present.
    pub fn unwatch<T>(&mut self, key: &Key<T>, waker: &Waker) -> bool {
        let Some(entry) = self.entries.get_mut(&key.place) else { return false };
        let before = entry.watchers.len();
        entry.watchers.retain(|watcher| !watcher.will_wake(waker));
        entry.watchers.len() < before
    }

    fn entry<T: Value>(&mut self, key: &Key<T>) -> Result<&mut Entry, WrongType> {
        let entry = self.entries.entry(key.place.clone()).or_insert_with(|| Entry {
            type_id: TypeId::of::<T>(),
            type_name: type_name::<T>(),
            value: None,
            default: None,
            changes: 0,
            free: false,
            watchers: Vec::new(),
            #[cfg(feature = "serde")]
            format: None,
        });
        check::<T>(entry, key)?;
        entry.free = false;
        #[cfg(feature = "serde")]
        if let Some(format) = key.format {
            entry.format = Some(format);
        }
        Ok(entry)
    }
}

fn check<T: Value>(entry: &Entry, key: &Key<T>) -> Result<(), WrongType> {
    if entry.type_id == TypeId::of::<T>() {
        return Ok(());
    }
    Err(WrongType { name: key.place.name.as_str().to_string(), holds: entry.type_name, asked: type_name::<T>() })
}

#[track_caller]
fn expect<T>(result: Result<T, WrongType>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}

impl Blackboard for Board {
    fn reset(&mut self) {
        self.entries.values_mut().for_each(Entry::reset);
    }

    fn show(&self, see: &mut dyn FnMut(VariableView<'_>)) {
        for (place, entry) in &self.entries {
            see(VariableView {
                name: place.name.as_str(),
                of: match &place.scope {
                    Scope::Global => None,
                    Scope::Tree(tree) => Some((tree.as_str(), None)),
                    Scope::Node(tree, node) => Some((tree.as_str(), Some(*node))),
                },
                type_name: entry.type_name,
                value: entry.value.as_ref().map(|value| value as &dyn fmt::Debug),
                changes: Some(entry.changes),
            });
        }
    }
}

impl<T: Value> Variable for Key<T> {
    type Board = Board;
    type Value = T;

    fn name(&self) -> &str {
        self.place.name.as_str()
    }

    fn get<'b>(&self, board: &'b Board) -> Option<&'b T> {
        board.try_get(self).ok().flatten()
    }

    fn is_mistyped(&self, board: &Board) -> bool {
        board.try_get(self).is_err()
    }

    fn set(&self, board: &mut Board, value: T) -> bool {
        board.try_set(self, value).is_ok()
    }

    fn unset(&self, board: &mut Board) {
        board.unset(self);
    }
}
