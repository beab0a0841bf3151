//! Files with trees as assets.

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_ecs::error::BevyError;
use bevy_reflect::TypePath;
use bt_dynamic::bt_behavior3::Project;

/// A file with a tree or several, as an asset. [`tree_asset`](crate::tree_asset) loads it.
///
/// A program can change it in `Assets<TreeFile>`, like any asset: `bt_bevy::bt_dynamic::bt_behavior3::Project::read(text)` reads a project.
#[derive(Asset, TypePath, Clone, Debug)]
#[non_exhaustive]
pub enum TreeFile {
    /// A file of the Behavior3 editor.
    Project(Project),
    /// The text of a `tree!`. Each behavior parses it with its registry, which contains the parameters of its leaves.
    #[cfg(feature = "text")]
    Text(String),
}

/// A loader of [`TreeFile`]s of the Behavior3 editor, from files whose names end with `.b3.json` or `.b3`.
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct TreeFileLoader;

impl AssetLoader for TreeFileLoader {
    type Asset = TreeFile;
    type Settings = ();
    type Error = BevyError;

    async fn load(&self, reader: &mut dyn Reader, (): &(), _: &mut LoadContext<'_>) -> Result<TreeFile, BevyError> {
        Ok(TreeFile::Project(Project::read(&text(reader).await?)?))
    }

    fn extensions(&self) -> &[&str] {
        &["b3.json", "b3"]
    }
}

/// A loader of [`TreeFile`]s from texts, files whose names end with `.bt`.
#[cfg(feature = "text")]
#[derive(TypePath, Clone, Copy, Debug, Default)]
pub struct TreeTextLoader;

#[cfg(feature = "text")]
impl AssetLoader for TreeTextLoader {
    type Asset = TreeFile;
    type Settings = ();
    type Error = BevyError;

    async fn load(&self, reader: &mut dyn Reader, (): &(), _: &mut LoadContext<'_>) -> Result<TreeFile, BevyError> {
        Ok(TreeFile::Text(text(reader).await?))
    }

    fn extensions(&self) -> &[&str] {
        &["bt"]
    }
}

async fn text(reader: &mut dyn Reader) -> Result<String, BevyError> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).await?;
    Ok(String::from_utf8(bytes)?)
}
