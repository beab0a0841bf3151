//! The tree of the article, and its leaves.

use bt_core::prelude::*;

use crate::scene::{Paint, Scene};

/// The tree of the article, with `selector` for Priority.
#[subtree]
pub(crate) fn jumping_box() -> impl Node<Scene> {
    tree! { <
        selector <
            sequence <
                is_mouse_over,
                mem_sequence < change_color(Paint::Red), wait(millis(500)), change_position, change_color(Paint::Blue) >
            >
            change_color(Paint::Blue),
        >
    > }
}

fn is_mouse_over(scene: &Scene) -> bool {
    scene.is_mouse_over()
}

#[action]
fn change_color(scene: &mut Scene, color: Paint) {
    scene.color = color;
}

fn change_position(scene: &mut Scene) {
    scene.jump();
}
