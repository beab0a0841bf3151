//! The trees and scripts of BehaviorTree.CPP.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod script;
