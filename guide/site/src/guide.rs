//! The guide, with links that run its trees.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::stories::Story;
use crate::{Error, source, succeed};

/// The example that runs any tree.
const PLAYGROUND: &str = "playground";
const BEGIN: &str = "<code class=\"language-rust";
const END: &str = "</code></pre>";

/// Writes the guide. Each tree whose leaves can be replaced has a link that runs the tree, and each command of an example links to the example.
pub(crate) fn write(stories: &[&Story], root: &Path, folder: &Path) -> Result<(), Error> {
    let folder = folder.join("guide");
    succeed(Command::new("mdbook").arg("build").arg(root.join("guide")).arg("--dest-dir").arg(&folder))?;
    let mut links = 0;
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "html") {
            let page = fs::read_to_string(&path)?;
            fs::write(&path, with_examples(stories, &with_runs(&page, &mut links)))?;
        }
    }
    if links == 0 {
        return Err("no tree of the guide runs: has mdBook changed its pages?".into());
    }
    Ok(())
}

/// Adds a link below each block of code whose largest tree runs.
fn with_runs(page: &str, links: &mut usize) -> String {
    let (mut done, mut rest) = (String::new(), page);
    while let Some((before, code)) = rest.split_once(BEGIN) {
        let Some((code, after)) = code.split_once(END) else { break };
        let (kind, source) = code.split_once('>').map(|(kind, html)| (kind, text(html))).unwrap_or_default();
        let _ = write!(done, "{before}{BEGIN}{code}{END}");
        // What is around the block in the book.
        let around = after.strip_prefix("</pre>").map_or("", |_| "</pre>");
        done += around;
        rest = &after[around.len()..];
        // Code that does not compile shows its errors below.
        let compiles = !kind.contains("compile_fail");
        if compiles && source.contains("tree!") && source::load(&source).is_ok() {
            *links += 1;
            let tree = utf8_percent_encode(&source, NON_ALPHANUMERIC);
            let _ = write!(
                done,
                "<p><a class=\"run\" href=\"../{PLAYGROUND}/index.html?tree={tree}\">▶ Run this tree</a></p>"
            );
        }
    }
    done + rest
}

/// Makes each command of an example a link to it.
fn with_examples(stories: &[&Story], page: &str) -> String {
    stories.iter().fold(page.to_owned(), |page, story| {
        let mut linked = page.clone();
        for command in ["-p", "--example", "--release --example"] {
            let code = format!("<code>cargo run {command} {}</code>", story.name);
            linked = linked.replace(&code, &format!("<a href=\"../{}/index.html\">{code}</a>", story.name));
        }
        linked
    })
}

/// Returns the text of HTML.
fn text(html: &str) -> String {
    let (mut text, mut rest) = (String::new(), html);
    while let Some((before, tag)) = rest.split_once('<') {
        text += before;
        rest = tag.split_once('>').map_or("", |(_, after)| after);
    }
    text += rest;
    let signs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&#39;", "'"), ("&amp;", "&")];
    signs.iter().fold(text, |text, (name, sign)| text.replace(name, sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_gets_a_link_with_its_source_and_other_code_none() {
        let page = "<pre><pre class=\"playground\"><code class=\"language-rust\"><span class=\"boring\">fn main() {\n</span>tree! { for Npc: selector { |npc: &amp;Npc| npc.hp &lt; 3, walk_to(2) } };\n<span class=\"boring\">}</span></code></pre></pre>\n<pre><code class=\"language-rust\">let n = 1;</code></pre>after";
        let mut links = 0;
        let linked = with_runs(page, &mut links);
        assert_eq!(links, 1);
        assert!(
            linked.contains("</code></pre></pre><p><a class=\"run\" href=\"../playground/index.html?tree=fn%20main"),
            "{linked}"
        );
        assert!(linked.contains("%26Npc%7C%20npc%2Ehp%20%3C%203"), "{linked}");
        assert!(linked.ends_with("<pre><code class=\"language-rust\">let n = 1;</code></pre>after"), "{linked}");
        let wrong = page.replacen("language-rust", "language-rust compile_fail", 1);
        assert_eq!(with_runs(&wrong, &mut links), wrong, "it does not compile");
    }

    #[test]
    fn commands_of_examples_are_links() {
        let stories: Vec<_> = crate::stories::STORIES.iter().collect();
        let page = with_examples(&stories, "<td><code>cargo run --release --example villagers</code></td>");
        assert_eq!(
            page,
            "<td><a href=\"../villagers/index.html\"><code>cargo run --release --example villagers</code></a></td>"
        );
    }
}
