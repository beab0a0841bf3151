//! The server: a thread of its own with the page, what it is made of, and the connection to it.

use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::oneshot;

use crate::guard::{Guard, keep_out};
use crate::page::Page;
use crate::shared::Shared;

/// No message of a page is longer than this.
const MOST: usize = 16 * 1024;

/// What the page is made of: its address, its type, its text.
const FILES: [(&str, &str, &str); 9] = [
    ("/", "text/html; charset=utf-8", include_str!("../page/index.html")),
    ("/style.css", "text/css; charset=utf-8", include_str!("../page/style.css")),
    ("/main.js", "text/javascript; charset=utf-8", include_str!("../page/main.js")),
    ("/model.js", "text/javascript; charset=utf-8", include_str!("../page/model.js")),
    ("/tree.js", "text/javascript; charset=utf-8", include_str!("../page/tree.js")),
    ("/timeline.js", "text/javascript; charset=utf-8", include_str!("../page/timeline.js")),
    ("/agents.js", "text/javascript; charset=utf-8", include_str!("../page/agents.js")),
    ("/values.js", "text/javascript; charset=utf-8", include_str!("../page/values.js")),
    ("/icon.svg", "image/svg+xml", include_str!("../page/icon.svg")),
];

/// Serves until `stop` is sent or dropped.
pub(crate) fn serve(
    listener: TcpListener,
    guard: Guard,
    shared: Arc<Shared>,
    stop: oneshot::Receiver<()>,
) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::select! {
            served = async { axum::serve(listener, routes(guard, shared)).await } => served,
            _ = stop => Ok(()),
        }
    })
}

fn routes(guard: Guard, shared: Arc<Shared>) -> Router {
    let mut routes = Router::new().route("/live", get(live));
    for (path, kind, text) in FILES {
        routes = routes.route(path, get(move || async move { file(kind, text) }));
    }
    routes.layer(from_fn_with_state(guard, keep_out)).with_state(shared)
}

fn file(kind: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'self'; connect-src 'self'; frame-ancestors 'none'"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, text).into_response()
}

async fn live(upgrade: WebSocketUpgrade, State(shared): State<Arc<Shared>>) -> Response {
    upgrade.max_message_size(MOST).max_frame_size(MOST).on_upgrade(|socket| Page::new(shared).serve(socket))
}
