//! A running server.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs, UdpSocket};
use std::sync::Arc;

use tokio::sync::oneshot;

use super::{Guard, Served, serve};

/// A running server. Dropping it ends the server, and disconnects its pages.
pub struct Server {
    address: SocketAddr,
    guard: Guard,
    /// Stops the server when dropped.
    _stop: oneshot::Sender<()>,
}

impl Server {
    /// Starts a server on a new thread, with the rules of [`Inspector::serve`](crate::Inspector::serve). On an address that is not loopback, the token is needed anyway.
    ///
    /// # Errors
    ///
    /// Returns an error if the address cannot be bound or no thread can be started.
    pub fn start<S: Served>(address: impl ToSocketAddrs, served: Arc<S>, needs_token: bool) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let guard = Guard::new(address, needs_token)?;
        let (stop, stopped) = oneshot::channel();
        let guarded = guard.clone();
        std::thread::Builder::new().name("bt-inspector".to_owned()).spawn(move || {
            if let Err(error) = serve(listener, guarded, Arc::clone(&served), stopped) {
                eprintln!("bt-inspector: {error}");
            }
            // However the server ended.
            served.close();
        })?;
        Ok(Self { address, guard, _stop: stop })
    }

    /// Returns the URL of the page, with the address that other machines can reach, and with the token if it is needed or wanted.
    #[must_use]
    pub fn url(&self, with_token: bool) -> String {
        let &Self { mut address, ref guard, .. } = self;
        if address.ip().is_unspecified() {
            address.set_ip(reachable_ip(address.ip()));
        }
        if guard.needs_token() || with_token {
            format!("http://{address}/?token={}", guard.token())
        } else {
            format!("http://{address}/")
        }
    }
}

/// Returns the address at which other machines reach a server bound to all addresses, or the loopback address if there is no network.
fn reachable_ip(all: IpAddr) -> IpAddr {
    // Connecting a UDP socket sends nothing; it only selects the source address. The targets are reserved for documentation.
    let reach = |from: IpAddr, to: IpAddr| {
        let socket = UdpSocket::bind((from, 0)).ok()?;
        socket.connect((to, 9)).ok()?;
        socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_unspecified())
    };
    let v4 = reach(Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(192, 0, 2, 1).into());
    match all {
        IpAddr::V4(_) => v4.unwrap_or(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(_) => {
            let v6 = reach(all, Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into());
            v6.or(v4).unwrap_or(Ipv6Addr::LOCALHOST.into())
        }
    }
}
