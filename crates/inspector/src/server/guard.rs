//! Access control for the page.
//!
//! On a loopback address, a request must name a loopback host. On any other address, or if the program demands it, a request must contain the token. A page that edits
//! must have come with the token on any address.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The access rules of a server.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    token: String,
    /// Whether each request needs the token.
    is_required: bool,
}

/// Whether a request contains the token.
#[derive(Clone, Copy)]
pub(super) struct HasToken(pub(super) bool);

impl Guard {
    /// Creates the rules for a server bound to `address`. A non-loopback address requires the token anyway.
    pub(crate) fn new(address: SocketAddr, needs_token: bool) -> std::io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| std::io::Error::other(format!("cannot generate a token: {error}")))?;
        let token = format!("{:032x}", u128::from_be_bytes(bytes));
        Ok(Self { token, is_required: needs_token || !address.ip().is_loopback() })
    }

    pub(crate) const fn needs_token(&self) -> bool {
        self.is_required
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    fn has_token(&self, query: &str) -> bool {
        let given = query.split('&').find_map(|part| part.strip_prefix("token="));
        given.is_some_and(|given| equal_in_constant_time(given, &self.token))
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
        if self.is_required {
            (!self.has_token(query))
                .then_some("missing or invalid token\nhelp: use the full address that the program printed")
        } else {
            (!is_loopback(host)).then_some("the host must be a loopback address\nhelp: use localhost or 127.0.0.1")
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
pub(crate) async fn check_access(State(guard): State<Guard>, mut request: Request, next: Next) -> Response {
    let is_secret = matches!(request.uri().path(), "/" | "/live");
    let query = if is_secret { request.uri().query().unwrap_or("") } else { "" };
    let rejection = guard.rejection(request.headers(), query);
    let has_token = HasToken(guard.has_token(query));
    match rejection.filter(|_| is_secret || !guard.is_required) {
        Some(rejection) => (StatusCode::FORBIDDEN, format!("{rejection}\n")).into_response(),
        None => {
            request.extensions_mut().insert(has_token);
            next.run(request).await
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str, needs_token: bool) -> Guard {
        Guard::new(address.parse().expect("valid address"), needs_token).expect("random numbers are available")
    }

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
        let guard = guard("127.0.0.1:80", false);
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
        let guard = guard("127.0.0.1:80", true);
        let token = guard.token();
        assert!(rejection(&guard, "localhost:80", None, "").is_some());
        assert_eq!(rejection(&guard, "localhost:80", None, &format!("token={token}")), None);
    }

    #[test]
    fn a_non_loopback_address_requires_a_token() {
        let guard = guard("0.0.0.0:80", false);
        let token = guard.token().to_owned();
        assert_eq!(token.len(), 32);
        assert_eq!(rejection(&guard, "robot:80", None, &format!("token={token}")), None);
        for query in [String::new(), "token=".to_owned(), format!("token={token}0"), format!("token={}0", &token[1..])]
        {
            assert!(rejection(&guard, "robot:80", None, &query).is_some(), "{query}");
        }
        assert!(rejection(&guard, "robot:80", Some("http://evil.example"), &format!("token={token}")).is_some());
        assert_ne!(self::guard("0.0.0.0:80", false).token(), token);
    }
}
