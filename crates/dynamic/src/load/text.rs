//! Trees that are written as the text of `tree!`.

use bt_behavior3::Project;
use bt_core::Contexts;

use crate::error::LoadError;
use crate::load::declare::parameters;
use crate::load::registry::RegistryOf;
use crate::tree::LoadedTreeOf;

impl<F: Contexts> RegistryOf<F> {
    /// Loads a tree from text: what `tree!` contains, with registered names in place of Rust. Of several trees in the text,
    /// `tree name { … }`, loads the first.
    ///
    /// ```
    /// use bt_dynamic::Registry;
    /// use bt_core::prelude::*;
    ///
    /// #[condition]
    /// fn near(distance: &f32, meters: f32) -> bool { *distance < meters }
    ///
    /// let mut registry = Registry::<f32>::new();
    /// registry.add::<near>("near").add_leaf("attack", |_: &mut f32| Status::Running).add_leaf("patrol", |_: &mut f32| ());
    ///
    /// let tree = registry.load_tree("selector { sequence \"fight\" { near(10.0), attack } patrol }")?;
    /// assert_eq!(tree.tick(&mut 3.0, &mut tree.memory()), Status::Running);
    ///
    /// let error = registry.load_tree("selector {\n    sequence { atack }\n    patrol\n}").err().unwrap();
    /// assert_eq!(error.to_string(), "2:16: unknown node `atack`; help: did you mean `attack`?");
    /// # Ok::<(), bt_dynamic::LoadError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not that of a tree, or if the tree is invalid. Each error has its line and column.
    pub fn load_tree(&self, text: &str) -> Result<LoadedTreeOf<F>, LoadError> {
        self.load_from(&self.read_tree(text)?, None)
    }

    /// Reads the trees in a text, for [`load_from`](Self::load_from). Arguments without names get the names of the parameters in the registry.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not that of a tree. Whether the trees are valid is not checked.
    pub fn read_tree(&self, text: &str) -> Result<Project, LoadError> {
        let names = |name: &str| {
            let (_, maker, _) = self.known.nodes.iter().find(|(known, ..)| *known == name)?;
            Some(parameters(maker, &mut self.stock()))
        };
        Ok(bt_syntax::file::read(text, names)?)
    }
}
