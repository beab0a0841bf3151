//! The code of a tree does not double with each level.

use bt_benches::nested::{LEVELS, lines};

#[test]
fn the_code_of_nested_words_does_not_double_with_each_level() {
    let [few, many] = LEVELS;
    assert_eq!(many, 2 * few);
    for (word, [first, second]) in lines().expect("the programs compile") {
        // Doubling with each level would be 16 times. A resume contains the starts below it, and code out of line stands once for each level:
        // that grows with less than the cube of the levels.
        assert!(second < 8 * first, "`{word}`: {first} lines at {few} levels, {second} at {many}");
    }
}
