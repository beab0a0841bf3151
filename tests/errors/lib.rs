//! The package of the compile errors: `ui.rs` compares them, `book.rs` lists them. Its library is empty: the cases depend on `bt-core`.
