use bt_core::prelude::*;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Alarm { Calm, Noise, Seen }

struct Guard {
    alarm: Alarm,
    distance: f32,    // to the intruder, in meters
    health: f32,      // from 0 to 1
    arrows: u32,
    log: String,
}

// What an attack is worth.
fn sword(guard: &Guard) -> f32 { (1.0 - guard.distance / 10.0) * guard.health }
fn bow(guard: &Guard) -> f32 { if guard.arrows == 0 { f32::NAN } else { (guard.distance / 20.0).min(0.8) } }
fn retreat(guard: &Guard) -> f32 { 1.0 - guard.health }

fn alarm(guard: &Guard) -> &'static str {
    match guard.alarm { Alarm::Calm => "calm", Alarm::Noise => "noise", Alarm::Seen => "seen" }
}
fn out_of_sight(guard: &Guard) -> bool { guard.distance > 30.0 }
fn close(guard: &Guard) -> bool { guard.distance < 2.0 }

/// One action of the guard, with a sign for the log.
#[action]
fn act(guard: &mut Guard, sign: char) -> Status { guard.log.push(sign); Status::Running }
fn shoot(guard: &mut Guard) { guard.arrows -= 1; guard.log.push('b') }
fn call_for_help(guard: &mut Guard) { guard.log.push('!') }

/// Ticks a tree while an intruder comes near, and returns the log of the guard.
fn log_of<N: Node<Guard>>(tree: &N) -> String {
    let story = [
        (Alarm::Calm, 50.0, 1.0), (Alarm::Noise, 50.0, 1.0), (Alarm::Seen, 40.0, 1.0), (Alarm::Seen, 12.0, 1.0),
        (Alarm::Seen, 8.0, 1.0), (Alarm::Seen, 4.0, 1.0), (Alarm::Seen, 1.0, 0.9), (Alarm::Seen, 1.0, 0.4), (Alarm::Seen, 9.0, 0.3),
    ];
    let mut ann = Guard { alarm: Alarm::Calm, distance: 50.0, health: 1.0, arrows: 1, log: String::new() };
    let mut memory = tree.memory();
    for (alarm, distance, health) in story {
        (ann.alarm, ann.distance, ann.health) = (alarm, distance, health);
        tree.tick(&mut ann, &mut memory);
    }
    ann.log
}
