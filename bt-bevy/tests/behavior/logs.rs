//! What is logged.

use std::sync::Mutex;

static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Logger;
impl log::Log for Logger {
    fn enabled(&self, _: &log::Metadata) -> bool {
        true
    }
    fn log(&self, record: &log::Record) {
        LOG.lock().expect("the log").push(record.args().to_string());
    }
    fn flush(&self) {}
}

/// Keeps warnings and errors from now on.
pub(crate) fn keep() {
    let _ = log::set_logger(&Logger);
    log::set_max_level(log::LevelFilter::Warn);
}

/// Returns the logged texts that contain this.
pub(crate) fn with(part: &str) -> Vec<String> {
    LOG.lock().expect("the log").iter().filter(|line| line.contains(part)).cloned().collect()
}
