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
