//! An agent of a tree as bytes: its memory, then its context, in `MessagePack`, which knows all types of serde and all numbers.

use std::marker::PhantomData;
use std::sync::Arc;

use bt_core::{Memory, Node, Save, Tree as _};
use bt_inspector::{Inspector, TreeKey, Watched};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::shard::message::MAX_AGENT;
use crate::shard::program::Codec;

/// An agent, and what pages see of it.
pub(crate) struct Body<N: Node<C>, C> {
    pub(crate) memory: Memory<N>,
    pub(crate) context: C,
    pub(crate) watched: Watched,
}

pub(crate) struct TreeCodec<N, C> {
    pub(crate) tree: N,
    inspector: Arc<Inspector>,
    key: TreeKey,
    context: PhantomData<fn() -> C>,
}

impl<N: Node<C> + Save, C: Serialize + DeserializeOwned> TreeCodec<N, C> {
    pub(crate) fn new(inspector: Arc<Inspector>, name: &str, tree: N) -> Self {
        let key = inspector.tree(name, &tree);
        Self { tree, inspector, key, context: PhantomData }
    }

    /// Returns the bytes of an agent that begins.
    pub(crate) fn first(&self, context: &C) -> Result<Vec<u8>, String> {
        self.encode(&self.tree.memory(), context)
    }

    fn encode(&self, memory: &Memory<N>, context: &C) -> Result<Vec<u8>, String> {
        let mut data = Vec::new();
        // With the names of fields: programs of the next version may have more of them.
        let mut out = rmp_serde::Serializer::new(&mut data).with_struct_map();
        self.tree.saved(memory).serialize(&mut out).map_err(|error| error.to_string())?;
        context.serialize(&mut out).map_err(|error| error.to_string())?;
        if data.len() > MAX_AGENT {
            Err(format!("it has {} bytes, at most {MAX_AGENT} are allowed", data.len()))
        } else {
            Ok(data)
        }
    }
}

impl<N: Node<C> + Save, C: Serialize + DeserializeOwned> Codec for TreeCodec<N, C> {
    type Agent = Body<N, C>;

    fn load(&mut self, name: &str, data: &[u8]) -> Result<Body<N, C>, String> {
        let mut input = rmp_serde::Deserializer::from_read_ref(data);
        let mut memory = self.tree.memory();
        self.tree.load(&mut memory, &mut input).map_err(|error| error.to_string())?;
        let context = C::deserialize(&mut input).map_err(|error| format!("the context cannot be read: {error}"))?;
        Ok(Body { memory, context, watched: self.inspector.agent(self.key.clone(), name) })
    }

    fn save(&self, agent: &Body<N, C>) -> Result<Vec<u8>, String> {
        self.encode(&agent.memory, &agent.context)
    }
}
