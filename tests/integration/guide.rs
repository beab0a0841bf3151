//! The README and the guide: every chapter is tested, every link resolves, and the README stays short.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Component, Path, PathBuf};

use bt_integration::PAGES;

/// The limit that `wc -w README.md` must not exceed.
const MOST_WORDS: usize = 700;
/// The limit that `wc -w guide/src/*.md` must not exceed.
const MOST_WORDS_OF_THE_GUIDE: usize = 34_000;

fn root() -> PathBuf {
    clean(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A path without `.` and `..`.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            part => clean.push(part),
        }
    }
    clean
}

/// The Markdown files in `guide/src`, without the table of contents.
fn chapters() -> BTreeSet<PathBuf> {
    let folder = root().join("guide/src");
    let entries = fs::read_dir(&folder).expect("the folder can be read").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| is_markdown(path) && !path.ends_with("SUMMARY.md")).collect()
}

/// The lines of the README under `[dependencies]`, in a new package beside the repository.
#[cfg(unix)]
#[test]
fn the_readme_says_how_to_depend_on_the_library() {
    let readme = read(&root().join("README.md"));
    let (_, lines) = readme.split_once("```toml\n[dependencies]\n").expect("the README states the dependency");
    let (lines, _) = lines.split_once("```").expect("the block ends");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("fresh/src")).expect("the folder can be made");
    std::os::unix::fs::symlink(root(), folder.join("bt-core")).expect("the repository can be linked");
    let manifest = format!("[package]\nname = \"fresh\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n{lines}");
    fs::write(folder.join("fresh/Cargo.toml"), manifest).expect("the manifest can be written");
    fs::write(folder.join("fresh/src/lib.rs"), "").expect("the package can be written");
    fs::copy(root().join("Cargo.lock"), folder.join("fresh/Cargo.lock")).expect("the versions can be copied");
    let resolved = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--depth=1", "--prefix=none"])
        .current_dir(folder.join("fresh"))
        .output()
        .expect("cargo runs");
    let (found, said) = (String::from_utf8_lossy(&resolved.stdout), String::from_utf8_lossy(&resolved.stderr));
    assert!(found.lines().any(|line| line.starts_with("bt-core v")), "{found}{said}");
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// The pages whose links are checked.
fn pages() -> Vec<PathBuf> {
    let root = root();
    let others = ["README.md", "ARCHITECTURE.md", "guide/src/SUMMARY.md"].map(|path| root.join(path));
    chapters().into_iter().chain(others).collect()
}

/// The lines outside of code blocks, each without its inline code.
fn prose(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            lines.push(line.split('`').step_by(2).collect());
        }
    }
    lines
}

/// The targets of all links and images.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let targets = prose.iter().flat_map(|line| line.split("](").skip(1));
    targets.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target.to_owned()).collect()
}

/// The anchors of all headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut in_code = false;
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut anchors = BTreeSet::new();
    for line in text.lines() {
        in_code ^= line.trim_start().starts_with("```");
        let heading = line.trim_start_matches('#');
        if in_code || heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        let kept = heading.trim().chars().filter(|sign| sign.is_alphanumeric() || matches!(sign, ' ' | '-' | '_'));
        let anchor: String =
            kept.flat_map(char::to_lowercase).map(|sign| if sign == ' ' { '-' } else { sign }).collect();
        let count = seen.entry(anchor.clone()).or_insert(0);
        anchors.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
        *count += 1;
    }
    anchors
}

#[test]
fn every_chapter_is_in_the_summary_and_its_code_runs() {
    let folder = root().join("guide/src");
    let listed: Vec<_> = links(&read(&folder.join("SUMMARY.md"))).iter().map(|path| folder.join(path)).collect();
    let set: BTreeSet<_> = listed.iter().cloned().collect();
    assert_eq!(listed.len(), set.len(), "SUMMARY.md lists a chapter twice");
    assert_eq!(set, chapters(), "SUMMARY.md does not list the files in guide/src");
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tested: BTreeSet<_> = PAGES.iter().map(|path| clean(&source.join(path))).collect();
    let expected: BTreeSet<_> = set.into_iter().chain([root().join("README.md")]).collect();
    assert_eq!(tested, expected, "tests/integration/lib.rs does not include every page");
}

#[test]
fn no_code_is_ignored() {
    for page in pages() {
        for line in read(&page).lines().filter(|line| line.starts_with("```")) {
            assert!(!line.contains("ignore") && !line.contains("no_run"), "{}: {line}", page.display());
        }
    }
}

#[test]
fn the_file_in_the_guide_is_the_one_that_its_code_reads() {
    let file = read(&root().join("tests/integration/trees/guard.b3.json"));
    assert!(read(&root().join("guide/src/files.md")).contains(&format!("```json\n{file}```\n")));
}

#[test]
fn every_link_resolves() {
    let mut errors = Vec::new();
    let guide = root().join("guide/src");
    for page in pages() {
        let folder = page.parent().expect("a file is in a folder");
        for link in links(&read(&page)) {
            if link.starts_with("https://") || link.starts_with("http://") {
                continue;
            }
            let (path, anchor) =
                link.split_once('#').map_or((link.as_str(), None), |(path, anchor)| (path, Some(anchor)));
            let target = if path.is_empty() { page.clone() } else { clean(&folder.join(path)) };
            if !target.exists() {
                errors.push(format!("{}: {link}: there is no such file", page.display()));
            } else if anchor.is_some_and(|anchor| !anchors(&read(&target)).contains(anchor)) {
                errors.push(format!("{}: {link}: there is no such heading", page.display()));
            } else if page.starts_with(&guide) && !target.starts_with(&guide) {
                errors.push(format!("{}: {link}: the book cannot link to files outside of guide/src", page.display()));
            }
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn every_chapter_leads_to_another() {
    for chapter in chapters() {
        let text = read(&chapter);
        let last = text.trim_end().lines().next_back().unwrap_or_default();
        assert!(
            links(last).iter().any(|link| is_markdown(Path::new(link))),
            "{} ends without a link",
            chapter.display()
        );
    }
}

#[test]
fn the_readme_is_short() {
    let words = read(&root().join("README.md")).split_whitespace().count();
    assert!(words <= MOST_WORDS, "README.md has {words} words, at most {MOST_WORDS} are allowed");
}

#[test]
fn the_guide_states_each_fact_once() {
    let words: usize = chapters().iter().map(|path| read(path).split_whitespace().count()).sum();
    assert!(
        words <= MOST_WORDS_OF_THE_GUIDE,
        "the guide has {words} words, at most {MOST_WORDS_OF_THE_GUIDE} are allowed"
    );
}

/// A path to a tested tree, then what most trees need, then what few need.
#[test]
fn the_guide_begins_with_the_first_twenty_minutes() {
    let summary = read(&root().join("guide/src/SUMMARY.md"));
    let parts: Vec<Vec<String>> = summary.split("\n# ").map(links).collect();
    assert_eq!(parts[1], ["first-tree.md", "ticks.md", "leaves.md", "composites.md", "testing.md"]);
    let place = |page: &str| parts[2].iter().position(|link| link == page).expect("a chapter on trees");
    assert!(place("data.md") < place("decorators.md") && place("time.md") < place("decorators.md"));
    assert_eq!(parts[2].last().map(String::as_str), Some("own-composites.md"));
    assert!(parts[3].contains(&"bt.md".to_owned()), "no chapter on formatting and editors");
}

/// The code of the first chapter, as a reader sees and copies it.
mod first_tree {
    include!("guide/first_tree.rs");

    #[test]
    fn runs() {
        main();
    }
}

#[test]
fn the_first_chapter_is_a_program_with_a_test() {
    let page = read(&root().join("guide/src/first-tree.md"));
    let blocks = page.split("```rust\n").skip(1).map(|rest| rest.split_once("```").expect("the end of the code").0);
    let visible = |code: &str| code.split_inclusive('\n').filter(|line| !line.starts_with("# ")).collect();
    let program: Vec<String> = blocks.take(4).map(visible).collect();
    assert_eq!(program.join("\n"), read(&root().join("tests/integration/guide/first_tree.rs")));
}

#[test]
fn anchors_are_those_of_github_and_mdbook() {
    let text = "# A `Key<T>`: what?\n```\n# no heading\n```\n## Two words\n## Two words\n#hashtag\n";
    assert_eq!(anchors(text), BTreeSet::from(["a-keyt-what", "two-words", "two-words-1"].map(str::to_owned)));
    assert_eq!(links("[a](b.md#c) `[no](x)` ![d](e.png)\n```\n[no](y)\n```"), ["b.md#c", "e.png"]);
}

/// Returns `true` if this word is in inline code of a text.
fn names(text: &str, word: &str) -> bool {
    let code = text.split('`').skip(1).step_by(2);
    code.flat_map(|code| code.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'))).any(|name| name == word)
}

#[test]
fn every_word_is_in_the_guide() {
    let guide: String = chapters().iter().map(|path| read(path)).collect();
    for word in bt_words::Word::ALL {
        assert!(names(&guide, word.name()), "the guide does not name `{}`", word.name());
    }
}

/// The chapter about other libraries: its first page, and a page for each library.
fn other_libraries() -> String {
    let name = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("coming-from"));
    chapters().iter().filter(|path| name(path)).map(|path| read(path)).collect()
}

#[test]
fn every_word_is_in_the_chapter_about_other_libraries() {
    let page = other_libraries();
    for word in bt_words::Word::ALL {
        let in_row = |line: &str| line.starts_with('|') && names(line, word.name());
        assert!(page.lines().any(in_row), "no row of coming-from*.md has `{}`", word.name());
    }
}

/// Returns the names in inline code of a text.
fn code(text: &str) -> BTreeSet<&str> {
    let code = text.split('`').skip(1).step_by(2);
    let names = code.flat_map(|code| code.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')));
    names.filter(|name| !name.is_empty()).collect()
}

/// Returns what an error suggests for a word of another library, and that with its note.
fn hint(word: &str) -> Option<(String, String)> {
    let plain = |name: &str| name.replace(['_', ' '], "").to_lowercase();
    if let Some(peer) = bt_words::peer(word) {
        let use_this = peer.counterpart.to_string();
        return Some((use_this.clone(), format!("{use_this} {}", peer.difference)));
    }
    let same = bt_words::Word::ALL.iter().find(|ours| plain(ours.name()) == plain(word))?;
    Some((format!("`{}`", same.name()), format!("`{}`", same.name())))
}

#[test]
fn every_word_of_another_library_has_a_row_and_a_hint_that_agrees_with_it() {
    let page = other_libraries();
    let lists = read(&root().join("tests/integration/guide/other_libraries.txt"));
    let mut errors = Vec::new();
    for list in lists.split("\n# ").skip(1) {
        let (library, words) = list.split_once('\n').expect("the words of a library");
        let heading = |line: &str| line.trim_start_matches('#').trim() == library && line.starts_with('#');
        let section = page.lines().skip_while(|line| !heading(line)).skip(1).take_while(|line| !line.starts_with('#'));
        let rows: Vec<Vec<_>> =
            section.filter_map(|line| line.strip_prefix("| ")).map(|row| row.split(" | ").collect()).collect();
        for line in words.lines().filter(|line| !line.is_empty()) {
            let (word, has_hint) = line.strip_prefix("~ ").map_or((line, true), |word| (word, false));
            let is_about = |row: &&Vec<&str>| {
                row[0].match_indices(word).any(|(at, _)| {
                    let is_end = |sign: Option<char>| !sign.is_some_and(|sign| sign.is_alphanumeric() || sign == '_');
                    is_end(row[0][..at].chars().next_back()) && is_end(row[0][at + word.len()..].chars().next())
                })
            };
            let found: Vec<_> = rows.iter().filter(is_about).collect();
            let Some(hint) = hint(word).filter(|_| has_hint) else {
                if found.is_empty() || has_hint {
                    errors.push(format!("{library}: {word}: {} rows, a hint is expected: {has_hint}", found.len()));
                }
                continue;
            };
            let (use_this, with_note) = hint;
            let agrees = |row: &&Vec<&str>| row[1].contains(&use_this) || !code(&with_note).is_disjoint(&code(row[1]));
            if !found.iter().any(agrees) {
                errors.push(format!("{library}: {word}: no row of {found:?} agrees with the hint {use_this}"));
            }
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn every_property_of_a_word_is_in_the_page_of_files() {
    let page = read(&root().join("guide/src/files.md"));
    for word in bt_words::Word::ALL {
        for param in word.row().params {
            let in_row = |line: &str| line.starts_with('|') && names(line, word.name()) && names(line, param.name);
            assert!(page.lines().any(in_row), "no row of files.md has `{}` of `{}`", param.name, word.name());
        }
    }
}

/// The later code of a worked example continues the first, so both are compiled from a file.
#[test]
fn the_first_code_of_a_worked_example_is_the_file_that_the_others_include() {
    for (page, name) in [("worked-robot", "robot"), ("exploring", "waiter"), ("shared-world", "shared_world")] {
        let page = read(&root().join(format!("guide/src/{page}.md")));
        let code = read(&root().join(format!("tests/integration/guide/{name}.rs")));
        assert!(page.contains(&format!("```rust\n{code}# fn main() {{}}\n```\n")), "{name}.rs differs");
    }
}

/// The composite in the guide is that of the tests, which compare it with a port of the original.
#[test]
fn the_composite_of_the_guide_is_that_of_the_tests() {
    let guide = read(&root().join("guide/src/own-composites.md"));
    let tested = read(&root().join("tests/behaviour/custom/visit_all.rs")).replace("pub(crate) ", "");
    let (_, rest) = tested.split_once("// ANCHOR: visit_all\n").expect("the section begins");
    let (code, _) = rest.split_once("// ANCHOR_END: visit_all").expect("the section ends");
    assert!(guide.contains(code), "visit_all differs");
}
