//! The server: a thread that serves the page, its files and its connection, for anything that has the [messages](crate::protocol) of a page.
//!
//! An [`Inspector`](crate::Inspector) has its own. The resources that clients can use are bounded: the number of connections, their lifetime, and the size of requests.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{Instant, sleep, timeout};

mod connections;
mod guard;
mod running;
mod served;
mod socket;

use connections::Connections;
use guard::{Guard, HasToken, check_access};
pub use running::Server;
pub use served::{Served, ServedPage};

use crate::files::FILES;
use crate::protocol;

/// The maximum number of connected pages.
const MAX_PAGES: usize = 32;
/// The time limit for the head of a request, and for a connection that does not become a page.
const HEAD_TIMEOUT: Duration = Duration::from_secs(3);
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum size of the head of a request, in bytes.
const MAX_HEAD: usize = 16 * 1024;
/// The delay after a failed accept, for example because the program has too many open files.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// The interval at which unwatched histories are freed, and the files of documents are read.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(1);

/// Serves until `stop` is sent or dropped.
fn serve<S: Served>(
    listener: TcpListener,
    guard: Guard,
    served: Arc<S>,
    stop: oneshot::Receiver<()>,
) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::select! {
            () = accept(listener, routes(guard, Arc::clone(&served))) => {}
            () = maintain(&*served) => {}
            _ = stop => {}
        }
        Ok(())
    })
}

async fn maintain(served: &impl Served) {
    let start = Instant::now();
    loop {
        sleep(MAINTENANCE_INTERVAL).await;
        served.maintain(start.elapsed());
    }
}

async fn accept(listener: tokio::net::TcpListener, routes: Router) {
    let mut connections = Connections::default();
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            sleep(RETRY_DELAY).await;
            continue;
        };
        let service = TowerToHyperService::new(routes.clone());
        let task = tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD);
            // A page leaves here, and is counted elsewhere. Errors of other connections do not matter.
            let _ =
                timeout(CONNECTION_TIMEOUT, http.serve_connection(TokioIo::new(stream), service).with_upgrades()).await;
        });
        connections.add(from.ip(), task.abort_handle());
    }
}

fn routes<S: Served>(guard: Guard, served: Arc<S>) -> Router {
    let pages = Arc::new(Semaphore::new(MAX_PAGES));
    let mut routes = Router::new().route("/live", get(live::<S>).layer(Extension(pages)));
    for (name, kind, text) in FILES {
        let path = if name == "index.html" { "/".to_owned() } else { format!("/{name}") };
        routes = routes.route(&path, get(move || async move { file(kind, text) }));
    }
    routes.layer(from_fn_with_state(guard, check_access)).layer(map_response(close)).with_state(served)
}

/// Ends a connection after its response, so that no connection is idle. A connection that becomes a page stays open.
async fn close(mut response: Response) -> Response {
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
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

async fn live<S: Served>(
    upgrade: WebSocketUpgrade,
    State(served): State<Arc<S>>,
    Extension(pages): Extension<Arc<Semaphore>>,
    Extension(HasToken(has_token)): Extension<HasToken>,
) -> Response {
    let Ok(page) = pages.try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, format!("too many pages (limit: {MAX_PAGES})\nhelp: close a page\n"))
            .into_response();
    };
    let limit = if has_token { protocol::MAX_EDIT } else { protocol::MAX_MESSAGE };
    upgrade.max_message_size(limit).max_frame_size(limit).on_upgrade(async move |socket| {
        socket::serve(served.open(has_token), socket).await;
        drop(page);
    })
}
