//! The pages around the examples, and the inspector's page.

use std::fs;
use std::io;
use std::path::Path;

use crate::stories::{Kind, Story};

const HOME: &str = include_str!("../static/index.html");
const STORY: &str = include_str!("../static/story.html");
/// The scene of an example: cells and keys.
const CELLS: &str = include_str!("../static/cells.html");
/// The scene of a game that draws by itself.
const GAME: &str = include_str!("../static/game.html");
/// The form of a story whose tree the user can write.
const FORM: &str = include_str!("../static/form.html");
/// The files that are written as they are.
pub(crate) const FILES: [(&str, &str); 7] = [
    ("style.css", include_str!("../static/style.css")),
    ("story.js", include_str!("../static/story.js")),
    ("game.js", include_str!("../static/game.js")),
    ("inspector.js", include_str!("../static/inspector.js")),
    ("scene.js", include_str!("../static/scene.js")),
    ("suspend.js", include_str!("../static/suspend.js")),
    ("offline.js", include_str!("../static/offline.js")),
];

/// Writes all pages.
pub(crate) fn write(stories: &[&Story], folder: &Path) -> io::Result<()> {
    let mut list = String::new();
    for story in stories {
        let form = story.source.map_or_else(String::new, |source| FORM.replace("<!--source-->", &escaped(source)));
        let (scene, script) = match story.kind {
            Kind::Program | Kind::Example => (CELLS, "story.js"),
            Kind::Game => (GAME, "game.js"),
        };
        // The scene has a title and a text, too.
        let parts = [
            ("scene", scene),
            ("script", script),
            ("form", &*form),
            ("title", story.title),
            ("text", story.text),
            ("options", story.options),
            ("agent", story.agent),
        ];
        let page = parts
            .into_iter()
            .fold(STORY.to_owned(), |page, (name, text)| page.replace(&format!("<!--{name}-->"), text));
        fs::create_dir_all(folder.join(story.name))?;
        fs::write(folder.join(story.name).join("index.html"), page)?;
        let (name, title, text) = (story.name, story.title, story.text);
        list += &format!("\n<li><a href=\"{name}/index.html\"><strong>{title}</strong><br>{text}</a></li>");
    }
    fs::write(folder.join("index.html"), HOME.replace("<!--stories-->", &list))?;
    for (name, text) in FILES {
        fs::write(folder.join(name), text)?;
    }
    fs::create_dir_all(folder.join("inspector"))?;
    for (name, _, text) in bt_inspector::FILES {
        let head = "<head>\n<meta name=\"bt-program\" content=\"parent\">";
        fs::write(
            folder.join("inspector").join(name),
            text.replacen("<head>", head, usize::from(name == "index.html")),
        )?;
    }
    Ok(())
}

/// Returns a text as HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
