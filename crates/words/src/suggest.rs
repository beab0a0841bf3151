//! Suggestions for misspelled names.

use alloc::format;
use alloc::string::String;

/// The maximum length of a name with a suggestion, in bytes.
const MAX_LEN: usize = 64;

/// Returns the known name nearest to a misspelled name: at most 1 edit away if the misspelled name has fewer than 5 characters,
/// at most 2 otherwise. Ignores case.
///
/// ```
/// assert_eq!(bt_words::nearest("sequnece", ["selector", "sequence"]), Some("sequence"));
/// assert_eq!(bt_words::nearest("Selector", ["selector", "sequence"]), Some("selector"));
/// assert_eq!(bt_words::nearest("patrol", ["selector", "sequence"]), None);
/// assert_eq!(bt_words::nearest("攻击", ["if"]), None);
/// assert_eq!(bt_words::nearest("a", [""]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAX_LEN {
        return None;
    }
    let lower = name.to_lowercase();
    let len = lower.chars().count();
    let max_edits = if name.chars().count() < 5 { 1 } else { 2 };
    let is_other = |candidate: &&str| !candidate.is_empty() && *candidate != name && candidate.len() <= MAX_LEN;
    let near = known.into_iter().filter(is_other);
    near.map(|candidate| (candidate.to_lowercase(), candidate))
        // Comparing takes long.
        .filter(|(in_lower, _)| in_lower.chars().count().abs_diff(len) <= max_edits)
        .map(|(in_lower, candidate)| (strsim::damerau_levenshtein(&lower, &in_lower), candidate))
        .filter(|(distance, _)| *distance <= max_edits)
        // Of two equally near names, prefer the one in the same case.
        .min_by_key(|(distance, candidate)| (*distance, strsim::damerau_levenshtein(name, candidate)))
        .map(|(_, candidate)| candidate)
}

/// Returns `; help: did you mean …?` with the [nearest] known name, for the end of a message; empty if no name is near.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map(|meant| format!("; help: did you mean `{meant}`?")).unwrap_or_default()
}
