//! The preprocessor of the guide: it writes the compile errors into the page `errors.md`, from the cases in `tests/errors/ui`.
//!
//! mdBook runs it with the book as JSON on the standard input, and reads the changed book from the standard output.

use std::error::Error;
use std::io;
use std::path::Path;

use serde_json::Value;

mod page;

/// What the page has in place of the errors.
const MARK: &str = "<!-- every error -->";

fn main() -> Result<(), Box<dyn Error>> {
    // With arguments, mdBook asks whether the output is one that the program can write for. Markdown is for all.
    if std::env::args().len() > 1 {
        return Ok(());
    }
    let (_, mut book): (Value, Value) = serde_json::from_reader(io::stdin().lock())?;
    let errors = page::errors(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/errors/ui"))?;
    match fill(&mut book, &errors) {
        1 => Ok(serde_json::to_writer(io::stdout().lock(), &book)?),
        pages => Err(format!("{pages} pages of the guide have the line `{MARK}`, expected 1").into()),
    }
}

/// Writes the errors in place of the mark, wherever it is in a book. Returns how often it is there.
fn fill(book: &mut Value, errors: &str) -> usize {
    match book {
        Value::String(text) if text.contains(MARK) => {
            *text = text.replace(MARK, errors);
            1
        }
        Value::Array(items) => items.iter_mut().map(|item| fill(item, errors)).sum(),
        Value::Object(fields) => fields.values_mut().map(|field| fill(field, errors)).sum(),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_errors_are_written_where_the_mark_is() {
        let chapter = |content: &str| json!({ "Chapter": { "name": "Errors", "content": content, "sub_items": [] } });
        let mut book = json!({ "items": ["Separator", chapter("# Errors"), chapter(&format!("# All\n\n{MARK}\n"))] });
        assert_eq!(fill(&mut book, "## Syntax"), 1);
        assert_eq!(book, json!({ "items": ["Separator", chapter("# Errors"), chapter("# All\n\n## Syntax\n")] }));
    }

    #[test]
    fn one_page_of_the_guide_has_the_mark() {
        let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src");
        let page = std::fs::read_to_string(guide.join("errors.md")).expect("the page can be read");
        assert_eq!(page.matches(MARK).count(), 1);
    }
}
