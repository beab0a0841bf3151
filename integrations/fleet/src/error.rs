//! Why a fleet cannot be joined or served.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a fleet cannot be joined or served.
#[derive(Debug)]
#[non_exhaustive]
pub enum FleetError {
    /// A name cannot be part of a key of zenoh, or is empty.
    #[non_exhaustive]
    Name {
        /// What has the name: `fleet`, `machine`, `herd` or `agent`.
        of: &'static str,
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A setting of zenoh, or its configuration file, is invalid.
    #[non_exhaustive]
    Setting {
        /// The setting, or the path of the file.
        setting: String,
        /// The message of zenoh.
        reason: String,
    },
    /// The network cannot be used, for example because the port is in use.
    Network(String),
    /// The page cannot be served at the address.
    #[non_exhaustive]
    Page {
        /// The address.
        address: String,
        /// What failed.
        error: io::Error,
    },
    /// The folder for recordings cannot be used.
    #[non_exhaustive]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What failed.
        error: io::Error,
    },
    /// An agent cannot be saved, and so not be sent to a process.
    #[non_exhaustive]
    Agent {
        /// Its name.
        agent: String,
        /// Why.
        reason: String,
    },
    /// No thread can be started.
    Thread(io::Error),
}

impl fmt::Display for FleetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { of, name, reason } => {
                let is_agent = *of == "agent";
                let (article, without) = if is_agent { ("an", "") } else { ("a", " without spaces and `/ * $ ? # @`") };
                writeln!(f, "invalid name {name:?} of {article} {of}: {reason}")?;
                write!(f, "help: use 1 to 100 characters{without}, such as `robot-1`")
            }
            Self::Setting { setting, reason } => write!(f, "{setting}: {reason}"),
            Self::Network(reason) => {
                write!(f, "cannot open the network: {reason}")?;
                let help = |help| write!(f, "\nhelp: {help}");
                help_for(reason).map_or(Ok(()), help)
            }
            Self::Page { address, error } => {
                write!(f, "cannot serve the page at {address}: {error}")?;
                if error.kind() == io::ErrorKind::AddrInUse {
                    write!(f, "\nhelp: choose another address, or port 0 for any free port")?;
                }
                Ok(())
            }
            Self::Folder { folder, error } => write!(f, "cannot record in {}: {error}", folder.display()),
            Self::Agent { agent, reason } => write!(f, "agent {agent:?} cannot be saved: {reason}"),
            Self::Thread(error) => write!(f, "cannot start a thread: {error}"),
        }
    }
}

/// Returns what to do about an error of zenoh, whose errors are texts.
fn help_for(reason: &str) -> Option<&'static str> {
    if reason.contains("Address already in use") {
        Some("another program listens there, maybe another hub: choose another endpoint to listen at")
    } else if reason.contains("not supported for tls") {
        Some("build `bt-fleet` with the feature `tls`")
    } else {
        None
    }
}

impl std::error::Error for FleetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Page { error, .. } | Self::Folder { error, .. } | Self::Thread(error) => Some(error),
            _ => None,
        }
    }
}
