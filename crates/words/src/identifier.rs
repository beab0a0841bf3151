//! Names in Rust.

/// The keywords of Rust that are not names of paths.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Returns `true` for a keyword of Rust that can be an identifier with the prefix `r#`.
pub fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// Returns `true` if a Rust function can have this name.
///
/// ```
/// use bt_words::is_identifier;
///
/// assert!(is_identifier("guard") && is_identifier("_2") && is_identifier("größe"));
/// assert!(!is_identifier("") && !is_identifier("_") && !is_identifier("2nd") && !is_identifier("a b"));
/// assert!(!is_identifier("match") && !is_identifier("self"));
/// ```
pub fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(|sign| sign.is_alphanumeric() || sign == '_')
        && !is_keyword(name)
        && !matches!(name, "_" | "self" | "Self" | "super" | "crate")
}
