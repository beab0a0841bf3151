//! The nodes of Nav2: one test for each rule, and a tree with the structure of Nav2's default one.

mod controls;
mod decorators;
mod navigate;
mod robot;
