//! bt-core beside the same trees by hand.
//!
//! Without arguments all tables; `guard` compares instruction counts with those that are kept, `guard --keep` keeps new ones.

mod agent;
mod by_hand;
mod cases;
mod clock;
mod count;
mod generated;
mod peers;
mod small;

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => println!("{}\n{}", by_hand::table(), peers::table()),
        ["run", what, ticks] => count::run(what, ticks.parse().unwrap_or(0)),
        ["guard", rest @ ..] => match by_hand::guard(rest == ["--keep"]) {
            Ok(counts) => print!("{counts}"),
            Err(worse) => {
                eprint!("{worse}");
                return std::process::ExitCode::FAILURE;
            }
        },
        _ => {
            eprintln!("usage: bt-benches [guard [--keep]]");
            return std::process::ExitCode::FAILURE;
        }
    }
    std::process::ExitCode::SUCCESS
}
