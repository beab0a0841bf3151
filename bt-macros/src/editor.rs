//! Whether an editor expands a macro, for which an expansion has all names that the user has written, and none of its own.

/// Whether an editor expands the macro: rust-analyzer runs macros in a process for which it sets this variable.
pub(crate) fn is_in_editor() -> bool {
    #[cfg(test)]
    if tests::IN_EDITOR.get() {
        return true;
    }
    std::env::var_os("RUST_ANALYZER_INTERNALS_DO_NOT_USE").is_some()
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;

    thread_local! {
        pub(super) static IN_EDITOR: Cell<bool> = const { Cell::new(false) };
    }

    /// Expands as in an editor.
    pub(crate) fn in_editor<T>(expand: impl FnOnce() -> T) -> T {
        IN_EDITOR.set(true);
        let expanded = expand();
        IN_EDITOR.set(false);
        expanded
    }
}
