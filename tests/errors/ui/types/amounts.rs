// # A number or time of another type
// The argument of `wait`, `timeout`, `repeat` and similar nodes is a value, a variable or a function of the context that returns one, or a range.
use bt_core::prelude::*;

struct Npc {
    now: Duration,
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

struct Dog {
    pause: Duration,
}

const PAUSE: Key<Duration> = Key::new("pause");
const LIVES: Key<u64> = Key::new("lives");

fn pause(dog: &Dog) -> Duration {
    dog.pause
}

fn main() {
    let _ = tree! { for Npc: wait(500) };
    let _ = tree! { for Npc: wait("5s") };
    let _ = tree! { for Npc: timeout(LIVES) { run } };
    let _ = tree! { for Npc: timeout(|npc: &Npc| npc.now.as_secs()) { run } };
    let _ = tree! { for Npc: delay(|npc: &mut Npc| npc.now) { run } };
    let _ = tree! { for Npc: delay(|npc| npc.now) { run } };
    let _ = tree! { for Npc: cooldown(pause) { run } };
    let _ = tree! { for Npc: wait(PAUSE) };
    let _ = tree! { for Npc: wait(secs(1)..=secs(3)) };
    let _ = tree! { for Npc: wait(secs(1)..secs(3)) };
    let _ = tree! { for Npc: repeat(1..3) { succeed } };
    let _ = tree! { for Npc: retry(2.0 * 1.5) { fail } };
    let _ = tree! { for Npc: wait(secs("1")) };
    let _ = tree! { for Npc: wait(secs(-1)) };
}
