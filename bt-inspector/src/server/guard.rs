//! Access control for the page.
//!
//! On a loopback address, a request must name a loopback host. On any other address, or if the program demands it, a request must contain the token.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The access rules of a server.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    token: Option<String>,
}

impl Guard {
    /// Creates the rules for a server bound to `address`. Only a non-loopback address requires a token.
    pub(crate) fn new(address: SocketAddr) -> std::io::Result<Self> {
        if address.ip().is_loopback() { Ok(Self { token: None }) } else { Self::with_token() }
    }

    /// Creates rules that require a random token on any address.
    pub(crate) fn with_token() -> std::io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| std::io::Error::other(format!("cannot generate a token: {error}")))?;
        Ok(Self { token: Some(format!("{:032x}", u128::from_be_bytes(bytes))) })
    }

    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Returns the reason to reject a request, or `None` to accept it.
    fn rejection(&self, headers: &HeaderMap, query: &str) -> Option<&'static str> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let Some(host) = text(header::HOST) else { return Some("missing `Host` header") };
        if let Some(origin) = text(header::ORIGIN) {
            // Prevent DNS rebinding: reject pages of other origins, whatever host name they use.
            let same = origin.strip_prefix("http://").or(origin.strip_prefix("https://")) == Some(host);
            if !same {
                return Some("requests from other origins are not allowed");
            }
        }
        match &self.token {
            None => {
                (!is_loopback(host)).then_some("the host must be a loopback address\nhelp: use localhost or 127.0.0.1")
            }
            Some(token) => {
                let given = query.split('&').find_map(|part| part.strip_prefix("token="));
                (!given.is_some_and(|given| equal_in_constant_time(given, token)))
                    .then_some("missing or invalid token\nhelp: use the full address that the program printed")
            }
        }
    }
}

/// Returns whether a host, with or without a port, is a loopback address.
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

/// Compares two tokens in a time that does not depend on how many characters match.
fn equal_in_constant_time(given: &str, token: &str) -> bool {
    given.len() == token.len() && given.bytes().zip(token.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// Responds with 403 to rejected requests. With a token, only `/` and `/live` are protected: the other files are public.
pub(crate) async fn check_access(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let is_secret = matches!(request.uri().path(), "/" | "/live");
    let query = if is_secret { request.uri().query().unwrap_or("") } else { "" };
    let rejection = guard.rejection(request.headers(), query);
    match rejection.filter(|_| is_secret || guard.token.is_none()) {
        Some(rejection) => (StatusCode::FORBIDDEN, format!("{rejection}\n")).into_response(),
        None => next.run(request).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejection(guard: &Guard, host: &str, origin: Option<&str>, query: &str) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().expect("valid header"));
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().expect("valid header"));
        }
        guard.rejection(&headers, query)
    }

    #[test]
    fn a_loopback_address_accepts_only_loopback_hosts() {
        let guard = Guard::new("127.0.0.1:80".parse().expect("valid address")).expect("no token required");
        for host in ["localhost", "localhost:8080", "127.0.0.1:80", "127.0.0.2:80", "127.1.2.3", "[::1]:80", "[::1]"] {
            assert_eq!(rejection(&guard, host, None, ""), None, "{host}");
            assert_eq!(rejection(&guard, host, Some(&format!("http://{host}")), ""), None, "{host}");
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
            assert!(rejection(&guard, host, None, "").is_some(), "{host}");
        }
        for origin in
            ["http://evil.example", "null", "http://localhost:81", "file://", "http://localhost:80.evil.example"]
        {
            assert!(rejection(&guard, "localhost:80", Some(origin), "").is_some(), "{origin}");
        }
        assert!(guard.rejection(&HeaderMap::new(), "").is_some());
    }

    #[test]
    fn a_token_can_be_required_on_a_loopback_address() {
        let guard = Guard::with_token().expect("random numbers are available");
        let token = guard.token().expect("token required");
        assert!(rejection(&guard, "localhost:80", None, "").is_some());
        assert_eq!(rejection(&guard, "localhost:80", None, &format!("token={token}")), None);
    }

    #[test]
    fn a_non_loopback_address_requires_a_token() {
        let guard = Guard::new("0.0.0.0:80".parse().expect("valid address")).expect("random numbers are available");
        let token = guard.token().expect("token required").to_owned();
        assert_eq!(token.len(), 32);
        assert_eq!(rejection(&guard, "robot:80", None, &format!("token={token}")), None);
        for query in [String::new(), "token=".to_owned(), format!("token={token}0"), format!("token={}0", &token[1..])]
        {
            assert!(rejection(&guard, "robot:80", None, &query).is_some(), "{query}");
        }
        assert!(rejection(&guard, "robot:80", Some("http://evil.example"), &format!("token={token}")).is_some());
        let other = Guard::new("0.0.0.0:80".parse().expect("valid address")).expect("random numbers are available");
        assert_ne!(other.token(), Some(token.as_str()));
    }
}
