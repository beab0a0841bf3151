//! The package of the compile errors, which `ui.rs` compares. Its library is empty: the cases depend on `bt-core`.
