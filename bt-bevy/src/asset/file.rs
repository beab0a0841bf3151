//! Files of the Behavior3 editor as assets.

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_ecs::error::BevyError;
use bevy_reflect::TypePath;
use bt_dynamic::bt_behavior3::Project;

/// A file of the Behavior3 editor, as an asset: a tree or a project. [`tree_asset`](crate::tree_asset) loads it.
///
/// A program can change it in `Assets<TreeFile>`, as any asset: `bt_bevy::bt_dynamic::bt_behavior3::Project::read(text)` reads a project.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct TreeFile(pub Project);

/// Loads [`TreeFile`]s, from files whose names end with `.b3.json` or `.b3`.
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct TreeFileLoader;

impl AssetLoader for TreeFileLoader {
    type Asset = TreeFile;
    type Settings = ();
    type Error = BevyError;

    async fn load(&self, reader: &mut dyn Reader, (): &(), _: &mut LoadContext<'_>) -> Result<TreeFile, BevyError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(TreeFile(Project::read(core::str::from_utf8(&bytes)?)?))
    }

    fn extensions(&self) -> &[&str] {
        &["b3.json", "b3"]
    }
}
