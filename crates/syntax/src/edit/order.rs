//! The part of a list that stays in order.

use std::collections::HashSet;

/// Returns the indices of the longest part of a list that is in order.
pub(super) fn longest<T: PartialOrd>(values: &[T]) -> HashSet<usize> {
    // The last index of the best part of each length, and what is before each index.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (index, value) in values.iter().enumerate() {
        let at = ends.partition_point(|end| values[*end] <= *value);
        before.push(at.checked_sub(1).map(|at| ends[at]));
        if at == ends.len() { ends.push(index) } else { ends[at] = index }
    }
    std::iter::successors(ends.last().copied(), |index| before[*index]).collect()
}

#[cfg(test)]
mod tests {
    use super::longest;

    #[test]
    fn the_longest_part_in_order_is_found() {
        let of = |values: &[f64]| {
            let mut found: Vec<_> = longest(values).into_iter().collect();
            found.sort_unstable();
            found
        };
        assert_eq!(of(&[1.0, 3.0, 2.0, 4.0]), [0, 2, 3]);
        assert_eq!(of(&[3.0, 1.0, 2.0]), [1, 2]);
        assert_eq!(of(&[1.0, 1.0]), [0, 1]);
        assert_eq!(of(&[]), [0; 0]);
    }
}
