//! Suggestions for misspelled names.

use alloc::format;
use alloc::string::String;

/// The longest name for which a suggestion is looked for, in bytes.
const MAX_LEN: usize = 64;

/// Returns the known name that is nearest to a misspelled one: at most one edit away if it has fewer than five letters, two otherwise.
/// Case does not count.
///
/// ```
/// assert_eq!(bt_words::nearest("sequnece", ["selector", "sequence"]), Some("sequence"));
/// assert_eq!(bt_words::nearest("Selector", ["selector", "sequence"]), Some("selector"));
/// assert_eq!(bt_words::nearest("patrol", ["selector", "sequence"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAX_LEN {
        return None;
    }
    let lower = name.to_lowercase();
    let most = if name.len() < 5 { 1 } else { 2 };
    let near = known.into_iter().filter(|candidate| *candidate != name && candidate.len() <= MAX_LEN);
    near.map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= most)
        // Of two that are as near, the one in the same case.
        .min_by_key(|(distance, candidate)| (*distance, strsim::damerau_levenshtein(name, candidate)))
        .map(|(_, candidate)| candidate)
}

/// Returns `; did you mean …?` with the [nearest] known name, or nothing if none is near: the end of a message.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default()
}
