//! Random trees of 100 and 1000 nodes, and their hand-written equivalents; see `build.rs`.

use bt_core::prelude::*;

use crate::agent::{Agent, act, cond};

include!(concat!(env!("OUT_DIR"), "/generated.rs"));
