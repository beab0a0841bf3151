//! Who may see the page: on a loopback address those who name this machine, elsewhere, or where the program wants it, those who have the token.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Whom to let in.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    token: Option<String>,
}

impl Guard {
    /// For a server that is bound to this address.
    pub(crate) fn new(address: SocketAddr) -> std::io::Result<Self> {
        if address.ip().is_loopback() { Ok(Self { token: None }) } else { Self::with_token() }
    }

    /// For a server that shares its machine with strangers.
    pub(crate) fn with_token() -> std::io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(format!("no random numbers: {error}")))?;
        Ok(Self { token: Some(format!("{:032x}", u128::from_be_bytes(bytes))) })
    }

    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Why a request is turned away, if it is.
    fn fault(&self, headers: &HeaderMap, query: &str) -> Option<&'static str> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let Some(host) = text(header::HOST) else { return Some("the request names no host") };
        if let Some(origin) = text(header::ORIGIN) {
            // A page from elsewhere may not look in, whatever name it has given this machine.
            let same = origin.strip_prefix("http://").or(origin.strip_prefix("https://")) == Some(host);
            if !same {
                return Some("the request comes from a page of another origin");
            }
        }
        match &self.token {
            None => (!is_loopback(host))
                .then_some("this inspector is for this machine alone; name it as localhost or 127.0.0.1"),
            Some(token) => {
                let given = query.split('&').find_map(|part| part.strip_prefix("token="));
                (!given.is_some_and(|given| same(given, token)))
                    .then_some("the address lacks the token: take the whole one that the program printed")
            }
        }
    }
}

/// Whether a host, perhaps with a port, is this machine.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let name6 = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    name == "localhost"
        || name.parse().is_ok_and(|ip: Ipv4Addr| ip.is_loopback())
        || name6.and_then(|name| name.parse().ok()).is_some_and(|ip: Ipv6Addr| ip.is_loopback())
}

/// Arity as long for a token that is nearly right as for any.
fn same(given: &str, token: &str) -> bool {
    given.len() == token.len() && given.bytes().zip(token.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// Answers 403 where somebody may not see a page. What is the same for everybody is no secret.
pub(crate) async fn keep_out(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let is_secret = matches!(request.uri().path(), "/" | "/live");
    let query = if is_secret { request.uri().query().unwrap_or("") } else { "" };
    let fault = guard.fault(request.headers(), query);
    match fault.filter(|_| is_secret || guard.token.is_none()) {
        Some(fault) => (StatusCode::FORBIDDEN, format!("{fault}\n")).into_response(),
        None => next.run(request).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(guard: &Guard, host: &str, origin: Option<&str>, query: &str) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().expect("it is a header"));
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().expect("it is a header"));
        }
        guard.fault(&headers, query)
    }

    #[test]
    fn on_a_loopback_address_only_this_machine_is_let_in() {
        let guard = Guard::new("127.0.0.1:80".parse().expect("it is an address")).expect("it needs no token");
        for host in ["localhost", "localhost:8080", "127.0.0.1:80", "127.0.0.2:80", "127.1.2.3", "[::1]:80", "[::1]"] {
            assert_eq!(fault(&guard, host, None, ""), None, "{host}");
            assert_eq!(fault(&guard, host, Some(&format!("http://{host}")), ""), None, "{host}");
        }
        for host in [
            "evil.example",
            "127.0.0.1.evil.example:80",
            "127.evil.example",
            "localhost.evil.example",
            "",
            "10.0.0.1:80",
            "0.0.0.0:80",
            "[::2]",
            "[::1",
            "[127.0.0.1]",
        ] {
            assert!(fault(&guard, host, None, "").is_some(), "{host}");
        }
        for origin in
            ["http://evil.example", "null", "http://localhost:81", "file://", "http://localhost:80.evil.example"]
        {
            assert!(fault(&guard, "localhost:80", Some(origin), "").is_some(), "{origin}");
        }
        assert!(guard.fault(&HeaderMap::new(), "").is_some());
    }

    #[test]
    fn a_token_can_be_wanted_on_any_address() {
        let guard = Guard::with_token().expect("there are random numbers");
        let token = guard.token().expect("it has one");
        assert!(fault(&guard, "localhost:80", None, "").is_some());
        assert_eq!(fault(&guard, "localhost:80", None, &format!("token={token}")), None);
    }

    #[test]
    fn on_another_address_a_token_is_needed() {
        let guard = Guard::new("0.0.0.0:80".parse().expect("it is an address")).expect("there are random numbers");
        let token = guard.token().expect("it has one").to_owned();
        assert_eq!(token.len(), 32);
        assert_eq!(fault(&guard, "robot:80", None, &format!("token={token}")), None);
        for wrong in [String::new(), "token=".to_owned(), format!("token={token}0"), format!("token={}0", &token[1..])]
        {
            assert!(fault(&guard, "robot:80", None, &wrong).is_some(), "{wrong}");
        }
        assert!(fault(&guard, "robot:80", Some("http://evil.example"), &format!("token={token}")).is_some());
        let other = Guard::new("0.0.0.0:80".parse().expect("it is an address")).expect("there are random numbers");
        assert_ne!(other.token(), Some(token.as_str()));
    }
}
