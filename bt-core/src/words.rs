//! The keywords of `tree!` as names that editors complete. For the compiler, the module is empty.
//!
//! They are types: a leaf with the name of a keyword stays a leaf, and an editor inserts no parentheses after a type. Expansions import them.

#![allow(unexpected_cfgs, reason = "rust-analyzer sets it")]

/// Defines the names, and for the test a list of them.
macro_rules! words {
    ($($word:ident)+) => {
        $(
            #[cfg(rust_analyzer)]
            #[doc = concat!("The keyword `", stringify!($word), "` of `tree!`: see `bt_core::keywords`.")]
            #[allow(non_camel_case_types)]
            pub enum $word {}
        )+

        #[cfg(test)]
        const ALL: &[&str] = &[$(stringify!($word)),+];
    };
}

words! {
    selector sequence mem_selector kept_sequence mem_sequence utility_selector mem_utility_selector random_selector random_sequence parallel
    mem_parallel mem_if mem_match machine invert force_success force_failure repeat retry repeat_while_success until_failure until_success
    wait_until limit run_once succeed_once fresh by_event timeout delay cooldown chance service within
}

#[cfg(test)]
mod tests {
    use bt_words::{Family, Word};

    #[test]
    fn every_word_before_braces_is_completed() {
        let in_tree = |word: &Word| {
            let is_rust = matches!(word, Word::If | Word::Match);
            matches!(word.row().family, Family::Composite | Family::Decorator | Family::Machine) && !is_rust
        };
        let mut expected: alloc::vec::Vec<_> =
            Word::ALL.iter().filter(|word| in_tree(word)).map(|word| word.name()).collect();
        // Two words share the name `repeat`; `within` is not a node.
        expected.dedup();
        expected.push("within");
        assert_eq!(super::ALL, expected);
    }
}
