//! The server: a thread that serves the page, its files and its connection.
//!
//! The resources that clients can use are bounded: the number of connections, their lifetime without a request, and the size of requests.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{sleep, timeout};

mod guard;
mod listing;
mod message;
mod page;

pub(crate) use guard::Guard;
use guard::check_access;
use page::Page;

use crate::files;
use crate::state::Shared;

/// The maximum size of a message from a page, in bytes.
const MAX_MESSAGE: usize = 16 * 1024;
/// The maximum number of open connections. Further connections wait in the system's queue, without using file descriptors of the program.
const MAX_CONNECTIONS: usize = 64;
/// The maximum number of connections that are pages. Other connections end by themselves, so a request always gets a slot.
const MAX_PAGES: usize = 32;
/// The time limit for the head of a request, and for a connection that does not become a page.
const HEAD_TIMEOUT: Duration = Duration::from_secs(3);
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(30);
/// The maximum size of the head of a request, in bytes.
const MAX_HEAD: usize = 16 * 1024;
/// The delay after a failed accept, for example because the program has too many open files.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// The interval between sweeps of unwatched histories.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// A slot for a connection, held until the connection closes.
type Slot = Arc<OwnedSemaphorePermit>;

/// The files of the page: path, content type and content.
const FILES: [(&str, &str, &str); 4] = [
    ("/", "text/html; charset=utf-8", files::INDEX),
    ("/page.css", "text/css; charset=utf-8", files::STYLE),
    ("/page.js", "text/javascript; charset=utf-8", files::SCRIPT),
    ("/icon.svg", "image/svg+xml", files::ICON),
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
            () = accept(listener, routes(guard, Arc::clone(&shared))) => {}
            () = sweep(&shared) => {}
            _ = stop => {}
        }
        Ok(())
    })
}

async fn sweep(shared: &Shared) {
    loop {
        sleep(SWEEP_INTERVAL).await;
        shared.sweep(std::time::Instant::now());
    }
}

async fn accept(listener: tokio::net::TcpListener, routes: Router) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    while let Ok(slot) = Arc::clone(&slots).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(RETRY_DELAY).await;
            continue;
        };
        let slot: Slot = Arc::new(slot);
        let service = TowerToHyperService::new(routes.clone().layer(Extension(Arc::clone(&slot))));
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD);
            // An upgraded connection leaves here and keeps its slot. Errors of other connections do not matter.
            let _ =
                timeout(CONNECTION_TIMEOUT, http.serve_connection(TokioIo::new(stream), service).with_upgrades()).await;
            drop(slot);
        });
    }
}

fn routes(guard: Guard, shared: Arc<Shared>) -> Router {
    let pages = Arc::new(Semaphore::new(MAX_PAGES));
    let mut routes = Router::new().route("/live", get(live).layer(Extension(pages)));
    for (path, kind, text) in FILES {
        routes = routes.route(path, get(move || async move { file(kind, text) }));
    }
    routes.layer(from_fn_with_state(guard, check_access)).with_state(shared)
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

async fn live(
    upgrade: WebSocketUpgrade,
    State(shared): State<Arc<Shared>>,
    Extension(pages): Extension<Arc<Semaphore>>,
    Extension(slot): Extension<Slot>,
) -> Response {
    let Ok(page) = pages.try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, format!("too many pages (limit: {MAX_PAGES})\nhelp: close a page\n"))
            .into_response();
    };
    upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE).on_upgrade(async move |socket| {
        Page::new(shared).serve(socket).await;
        drop((page, slot));
    })
}
