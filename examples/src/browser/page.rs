//! The inspector's page beside a program in the browser.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use bt_inspector::{Connection, Inspector};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Suspends the tick until the page may have sent something.
    #[wasm_bindgen(js_name = btWait)]
    fn wait();
    /// Whether the browser can suspend a tick.
    #[wasm_bindgen(js_name = btCanWait)]
    fn can_wait() -> bool;
}

thread_local! {
    static INSPECTED: RefCell<Inspected> = RefCell::default();
}

/// The inspector of the program, and the page that is connected to it.
#[derive(Default)]
struct Inspected {
    inspector: Option<Arc<Inspector>>,
    page: Option<Connection>,
}

/// Returns an inspector whose ticks wait, if the browser can suspend them.
pub fn inspector() -> Inspector {
    let inspector = Inspector::without_server();
    if can_wait() {
        inspector.waits_by(wait);
    }
    inspector
}

/// Connects pages to this inspector.
pub fn show(inspector: Arc<Inspector>) {
    INSPECTED.with_borrow_mut(|inspected| inspected.inspector = Some(inspector));
}

/// Connects the inspector's page, and disconnects the previous one.
#[wasm_bindgen]
pub fn connect() {
    INSPECTED.with_borrow_mut(|Inspected { inspector, page }| {
        // First: the program releases its agents when its last page is gone.
        *page = None;
        *page = inspector.as_ref().map(|inspector| inspector.connect());
    });
}

/// Passes a message of the inspector's page to the program.
#[wasm_bindgen]
pub fn receive(message: &str) {
    INSPECTED.with_borrow_mut(|Inspected { page, .. }| page.iter_mut().for_each(|page| page.receive(message)));
}

/// Returns the messages for the inspector's page. `now` is the time in milliseconds.
#[wasm_bindgen]
pub fn updates(now: f64) -> Vec<String> {
    let now = Duration::try_from_secs_f64(now / 1000.0).unwrap_or_default();
    INSPECTED.with_borrow_mut(|Inspected { page, .. }| page.as_mut().map(|page| page.updates(now))).unwrap_or_default()
}

/// Frees what the inspector's page no longer needs. Call it about once per second.
#[wasm_bindgen]
pub fn maintain(now: f64) {
    let now = Duration::try_from_secs_f64(now / 1000.0).unwrap_or_default();
    INSPECTED.with_borrow(|Inspected { inspector, .. }| inspector.iter().for_each(|inspector| inspector.maintain(now)));
}
