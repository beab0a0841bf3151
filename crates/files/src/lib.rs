//! Files that are read, changed and written again, also while other programs change them.
//!
//! [`write()`] replaces a file as a whole, and only if it is what the caller has read: what another program saves at the same time is neither overwritten nor
//! mixed with the new text. [`read`] reads regular files only, so that a pipe does not stop the program.
//!
//! ```
//! use bt_files::{Before, WriteError, read, write};
//!
//! # let folder = std::env::temp_dir().join(format!("bt-files-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let path = folder.join("guard.bt");
//! # let _ = std::fs::remove_file(&path);
//! write(&path, Before::Nothing, "selector { attack, patrol }")?;
//! let text = read(&path, 1 << 20)?;
//! std::fs::write(&path, "patrol")?; // another program
//! let result = write(&path, Before::Text(&text), "selector { flee, patrol }");
//! assert!(matches!(result, Err(WriteError::Changed)));
//! assert_eq!(read(&path, 1 << 20)?, "patrol");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The command `bt` and the inspector write with this crate. Depend on it only to write the same files as safely.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod exchange;
mod folder;
mod read;
mod seen;
mod write;

#[cfg(test)]
mod tests;

pub use folder::RealFolder;
pub use read::{open, read, read_text};
pub use write::{Before, WriteError, real_path, write, write_real};
