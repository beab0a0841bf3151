//! Without the feature `live`, no tree is edited.

use ratatui::Frame;

pub(crate) struct Edits;

impl Edits {
    pub(crate) const fn receive() -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "it is that of the feature")]
    pub(crate) const fn draw(&self, _: &mut Frame<'_>) {}
}
