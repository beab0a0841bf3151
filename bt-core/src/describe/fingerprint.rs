//! A hash of the structure of a tree.

use crate::describe::{Followed, InFile, Info, Name, Role, SourceNode, StateType, TransitionText, Visitor};
use crate::hash::Fnv;
use crate::node::NodeShape;

/// Hashes the structure of a tree: kinds, names, nesting and the types of states, but not parameters, labels or source
/// locations.
pub(crate) fn fingerprint<N: NodeShape + ?Sized>(tree: &N) -> u64 {
    fingerprint_by(&|visitor| tree.describe(visitor))
}

/// Hashes the structure of the tree that this function describes. It is compiled once for all trees.
pub(crate) fn fingerprint_by(describe: &dyn Fn(&mut dyn Visitor)) -> u64 {
    let mut hash = Hash { state: Fnv::new(), place: None, followed: None };
    describe(&mut hash);
    hash.state.finish()
}

struct Hash {
    state: Fnv,
    place: Option<&'static SourceNode>,
    /// A hash of the text of the next node, if its tree follows a source file.
    followed: Option<u64>,
}

impl Visitor for Hash {
    fn place(&mut self, place: &'static SourceNode) {
        self.place = Some(place);
    }

    fn follows(&mut self, source: Followed<'_>) {
        let mut hash = Fnv::new();
        hash.write(source.text.as_bytes());
        self.followed = Some(hash.finish());
    }

    fn role(&mut self, role: Role) {
        self.state.write(role.prefix().as_bytes());
    }

    fn registered(&mut self, name: &str) {
        self.state.write(name.as_bytes());
    }

    fn in_file(&mut self, file: InFile<'_>) {
        // All closures have the same name.
        if file.is_own {
            self.state.write(file.name.as_bytes());
        }
    }

    fn state(&mut self, state: StateType) {
        // Omit paths: they can change with the compiler, or when a module is moved.
        let name = state.name.as_bytes();
        let mut start = 0;
        for (at, byte) in name.iter().enumerate() {
            if *byte == b':' && name[..at].ends_with(b":") {
                start = at + 1;
            } else if byte.is_ascii_punctuation() && !matches!(byte, b'_' | b':') || *byte == b' ' {
                self.state.write(&name[start..=at]);
                start = at + 1;
            }
        }
        self.state.write(&name[start..]);
        self.state.write(&(state.size as u64).to_le_bytes());
    }

    fn transitions(&mut self, transitions: &'static [TransitionText]) {
        for transition in transitions {
            self.state.write(transition.to.as_bytes());
            self.state.write(b">");
        }
    }

    fn enter(&mut self, info: &Info<'_>) -> &'static [SourceNode] {
        let place = self.place.take();
        self.state.write(&[b'(', info.kind as u8]);
        match (info.name, place, self.followed.take()) {
            (Name::Type(_), None, Some(text)) => self.state.write(&text.to_le_bytes()),
            (name, ..) => self.state.write(name.at(place).as_bytes()),
        }
        place.map_or(&[], |place| place.children)
    }

    fn leave(&mut self) {
        self.state.write(b")");
    }
}
