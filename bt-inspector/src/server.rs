//! The server: a thread of its own with the page, what it is made of, and the connection to it.
//!
//! What strangers can take of the program is bounded: how many connections there are, how long each may be without a request, how much of a request is read.

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

use crate::guard::{Guard, keep_out};
use crate::page::Page;
use crate::shared::Shared;

/// No message of a page is longer than this.
const MOST: usize = 16 * 1024;
/// How many connections are accepted at a time. More wait in the system's queue, which takes none of the program's files.
const CONNECTIONS: usize = 64;
/// How many of them may be pages. The others end by themselves, so that there is always room for a request.
const PAGES: usize = 32;
/// How long a connection may take for the head of a request, and how long it lives if it does not become a page's.
const HEAD: Duration = Duration::from_secs(3);
const LIFE: Duration = Duration::from_secs(30);
/// No head of a request is longer than this.
const MOST_HEAD: usize = 16 * 1024;
/// How long to wait where a connection cannot be accepted, for example because the program has too many files open.
const AGAIN: Duration = Duration::from_millis(100);

/// How often is looked for what nobody needs any more.
const SWEEP: Duration = Duration::from_secs(1);

/// Room for a connection, as long as it lives.
type Room = Arc<OwnedSemaphorePermit>;

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
            () = accept(listener, routes(guard, Arc::clone(&shared))) => {}
            () = sweep(&shared) => {}
            _ = stop => {}
        }
        Ok(())
    })
}

async fn sweep(shared: &Shared) {
    loop {
        sleep(SWEEP).await;
        shared.sweep(std::time::Instant::now());
    }
}

async fn accept(listener: tokio::net::TcpListener, routes: Router) {
    let rooms = Arc::new(Semaphore::new(CONNECTIONS));
    while let Ok(room) = Arc::clone(&rooms).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(AGAIN).await;
            continue;
        };
        let room: Room = Arc::new(room);
        let service = TowerToHyperService::new(routes.clone().layer(Extension(Arc::clone(&room))));
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(MOST_HEAD);
            // A page's connection leaves here and takes the room with it. How others end does not matter.
            let _ = timeout(LIFE, http.serve_connection(TokioIo::new(stream), service).with_upgrades()).await;
            drop(room);
        });
    }
}

fn routes(guard: Guard, shared: Arc<Shared>) -> Router {
    let pages = Arc::new(Semaphore::new(PAGES));
    let mut routes = Router::new().route("/live", get(live).layer(Extension(pages)));
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

async fn live(
    upgrade: WebSocketUpgrade,
    State(shared): State<Arc<Shared>>,
    Extension(pages): Extension<Arc<Semaphore>>,
    Extension(room): Extension<Room>,
) -> Response {
    let Ok(page) = pages.try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, format!("{PAGES} pages are connected; close one\n")).into_response();
    };
    upgrade.max_message_size(MOST).max_frame_size(MOST).on_upgrade(async move |socket| {
        Page::new(shared).serve(socket).await;
        drop((page, room));
    })
}
