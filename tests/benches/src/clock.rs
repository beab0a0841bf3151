//! Time measurement: functions run alternately, and the best round of each counts.

use std::hint::black_box;
use std::time::Instant;

const ROUNDS: u32 = 15;

/// Returns the nanoseconds per tick of each function.
pub fn side_by_side<const N: usize>(functions: [&dyn Fn(u32); N], ticks: u32) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for _ in 0..ROUNDS {
        for (best, function) in best.iter_mut().zip(functions) {
            let began = Instant::now();
            function(black_box(ticks));
            *best = best.min(began.elapsed().as_secs_f64() * 1e9 / f64::from(ticks));
        }
    }
    best
}
