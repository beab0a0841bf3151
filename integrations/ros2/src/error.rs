//! Why something of ROS cannot be used.

use std::fmt;
use std::io;

/// Why something of ROS cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum Ros2Error {
    /// A name is not valid in ROS.
    #[non_exhaustive]
    Name {
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The type of a topic, service or action is not valid.
    #[non_exhaustive]
    Type {
        /// The type.
        name: String,
        /// The form that is expected.
        expected: &'static str,
    },
    /// The node, or an endpoint of it, cannot be created.
    #[non_exhaustive]
    Create {
        /// The node, topic, service or action.
        name: String,
        /// The message of DDS.
        reason: String,
    },
    /// The thread of a node cannot be started.
    Thread(io::Error),
    /// A message or request cannot be sent.
    #[non_exhaustive]
    Send {
        /// The topic.
        name: String,
        /// The message of DDS.
        reason: String,
    },
    /// A message cannot be decoded.
    #[non_exhaustive]
    Decode {
        /// The topic.
        name: String,
        /// What failed.
        reason: String,
    },
    /// The server is gone, and a response is missing.
    #[non_exhaustive]
    ServerLost {
        /// The service.
        name: String,
    },
    /// The server refuses to cancel a goal.
    #[non_exhaustive]
    CancelRejected {
        /// The action.
        name: String,
    },
    /// A parameter is not declared, has another type, or cannot be set.
    #[non_exhaustive]
    Parameter {
        /// The parameter.
        name: String,
        /// What is wrong.
        reason: String,
    },
}

impl fmt::Display for Ros2Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { name, reason } => write!(
                f,
                "invalid name `{name}`: {reason}; help: a name has letters, digits and `_`, separated by `/`, such as `/arm/state`"
            ),
            Self::Type { name, expected } => write!(f, "invalid type `{name}`; help: write `{expected}`"),
            Self::Create { name, reason } => write!(f, "`{name}` cannot be created: {reason}"),
            Self::Thread(error) => write!(f, "the thread of the node cannot be started: {error}"),
            Self::Send { name, reason } => {
                write!(f, "cannot send on `{name}`: {reason}; help: is a receiver that acknowledges too slow?")
            }
            Self::Decode { name, reason } => write!(
                f,
                "a message on `{name}` cannot be decoded: {reason}; help: compare the fields and their order with the definition of the type"
            ),
            Self::ServerLost { name } => {
                write!(f, "the server of `{name}` is gone and has not responded; help: call again to wait for a server")
            }
            Self::CancelRejected { name } => write!(f, "the server of `{name}` refuses to cancel the goal"),
            Self::Parameter { name, reason } => write!(f, "parameter `{name}`: {reason}"),
        }
    }
}

impl std::error::Error for Ros2Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Thread(error) => Some(error),
            _ => None,
        }
    }
}
