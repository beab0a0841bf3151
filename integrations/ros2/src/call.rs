//! Requests and their responses: what services are made of, and each of the three services of an action.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use ros2_client::qos::QosProfile;
use ros2_client::{Gid, ServiceMapping};
use rustdds::GUID;
use serde::{Deserialize, Serialize};

use crate::error::Ros2Error;
use crate::message::Message;
use crate::name::Kind;
use crate::presence::Presence;
use crate::reactor::Source;
use crate::session::{Session, topic_name};
use crate::sight::Sight;
use crate::take::take_all;
use crate::waiters::{Waiters, lock};

/// The client of a service.
pub(crate) struct Caller<Q: Message, S: Message> {
    shared: Arc<Shared<Q, S>>,
    session: Arc<Session>,
}

struct Shared<Q: Message, S: Message> {
    name: String,
    /// The names of the topics of requests and responses in DDS.
    topics: (String, String),
    ends: Ends<Q, S>,
    state: Mutex<State<S>>,
    waiters: Arc<Waiters>,
    server: Arc<Presence>,
}

/// The two topics of a service. Vendors of DDS differ in where the identity of a request is.
enum Ends<Q: Message, S: Message> {
    /// It is a property of the message.
    Plain(ros2_client::Publisher<Q>, ros2_client::Subscription<S>),
    /// It is in front of the message.
    Framed(ros2_client::Publisher<Framed<Q>>, ros2_client::Subscription<Framed<S>>),
}

/// A message after the identity of its request, as Cyclone DDS has it in ROS: a half of the identity of the client, and a number.
#[derive(Serialize, Deserialize)]
struct Framed<T> {
    client: [u8; 8],
    number: i64,
    message: T,
}

struct State<S> {
    /// The number of the last request: DDS counts messages from 1.
    last: i64,
    /// Requests whose response is awaited. One that is not there any more is ignored.
    requests: BTreeMap<i64, Request<S>>,
}

/// A request that was sent.
struct Request<S> {
    /// The servers that were there. A later one does not know it.
    servers: BTreeSet<GUID>,
    response: Option<Result<S, Ros2Error>>,
}

/// The name of a service, and the types of its messages in DDS.
pub(crate) struct Parts<'a> {
    pub(crate) name: &'a str,
    pub(crate) request: String,
    pub(crate) response: String,
}

impl<Q: Message, S: Message> Caller<Q, S> {
    pub(crate) fn new(session: Arc<Session>, of: Parts<'_>, qos: &QosProfile) -> Result<Self, Ros2Error> {
        let requests = session.topic(of.name, Kind::Request, of.request, qos)?;
        let responses = session.topic(of.name, Kind::Response, of.response, qos)?;
        let (ends, number) = if session.mapping == ServiceMapping::Cyclone {
            let (subscription, number) = session.subscription(&responses)?;
            (Ends::Framed(session.publisher(&requests)?, subscription), number)
        } else {
            let (subscription, number) = session.subscription(&responses)?;
            (Ends::Plain(session.publisher(&requests)?, subscription), number)
        };
        let shared = Arc::new(Shared {
            name: of.name.to_owned(),
            topics: (topic_name(&requests), topic_name(&responses)),
            ends,
            state: Mutex::new(State { last: 0, requests: BTreeMap::new() }),
            waiters: Arc::default(),
            server: Presence::new(&session),
        });
        session.attach(number, &shared);
        Ok(Self { shared, session })
    }

    /// Returns the name of the service.
    pub(crate) fn name(&self) -> &str {
        &self.shared.name
    }

    /// Returns `true` if there is a server.
    pub(crate) fn has_server(&self) -> bool {
        self.shared.server.is_there()
    }

    /// Waits for a server.
    pub(crate) fn server(&self) -> impl Future<Output = ()> + Send + use<Q, S> {
        self.shared.server.there()
    }

    /// Waits for a server, sends a request, and waits for its response.
    pub(crate) fn call(&self, request: Q) -> impl Future<Output = Result<S, Ros2Error>> + Send + use<Q, S> {
        let (shared, session, server) = (self.shared.clone(), self.session.clone(), self.server());
        async move {
            server.await;
            let awaited = Awaited { number: shared.send(request)?, shared: shared.clone() };
            let response = shared.waiters.until(|| {
                let mut state = lock(&shared.state);
                state.requests.get_mut(&awaited.number).and_then(|request| request.response.take())
            });
            let response = response.await;
            drop(session);
            response
        }
    }
}

/// A request whose response is awaited.
struct Awaited<Q: Message, S: Message> {
    number: i64,
    shared: Arc<Shared<Q, S>>,
}

impl<Q: Message, S: Message> Drop for Awaited<Q, S> {
    fn drop(&mut self) {
        lock(&self.shared.state).requests.remove(&self.number);
    }
}

impl<Q: Message, S: Message> Shared<Q, S> {
    /// Sends a request. Returns its number.
    fn send(&self, request: Q) -> Result<i64, Ros2Error> {
        let servers = self.server.found();
        // The response may come before this function returns.
        let mut state = lock(&self.state);
        let number = state.last + 1;
        let sent = match &self.ends {
            Ends::Plain(publisher, _) => publisher.publish(request).map_err(|error| error.to_string()),
            Ends::Framed(publisher, _) => publisher
                .publish(Framed { client: half(publisher.gid()), number, message: request })
                .map_err(|error| error.to_string()),
        };
        sent.map_err(|reason| Ros2Error::Send { name: self.name.clone(), reason })?;
        // What was not sent has no number in DDS either.
        state.last = number;
        state.requests.insert(number, Request { servers, response: None });
        Ok(number)
    }

    /// Stores a response. `None` is a response to another client.
    fn put(&self, response: Result<Option<(i64, S)>, String>) {
        let mut state = lock(&self.state);
        match response {
            Ok(Some((number, response))) => {
                if let Some(request) = state.requests.get_mut(&number) {
                    request.response = Some(Ok(response));
                }
            }
            Ok(None) => {}
            // The request of the response is unknown. All requests fail, because one of them would wait forever.
            Err(reason) => {
                let all = |_: &BTreeSet<GUID>| true;
                fail(&mut state, all, || Ros2Error::Decode { name: self.name.clone(), reason: reason.clone() });
            }
        }
    }
}

/// Returns the half of an identity that is sent.
fn half(gid: Gid) -> [u8; 8] {
    let mut half = [0; 8];
    half.copy_from_slice(&gid.to_bytes16()[8..]);
    half
}

impl<Q: Message, S: Message> Source for Shared<Q, S> {
    fn receive(&self) {
        match &self.ends {
            Ends::Plain(publisher, subscription) => take_all(subscription, |taken| {
                self.put(taken.map(|(response, info)| {
                    let request = info.related_request_id().filter(|request| request.writer_gid == publisher.gid());
                    request.map(|request| (request.sequence_number, response))
                }));
            }),
            Ends::Framed(publisher, subscription) => take_all(subscription, |taken| {
                self.put(taken.map(|(framed, _)| {
                    (framed.client == half(publisher.gid())).then_some((framed.number, framed.message))
                }));
            }),
        }
        self.waiters.wake();
    }

    fn look(&self, node: &ros2_client::Node, sight: &Sight) {
        let is_matched = || {
            let (requests, responses) = match &self.ends {
                Ends::Plain(publisher, subscription) => (
                    publisher.wait_for_subscription(node).now_or_never(),
                    subscription.wait_for_publisher(node).now_or_never(),
                ),
                Ends::Framed(publisher, subscription) => (
                    publisher.wait_for_subscription(node).now_or_never(),
                    subscription.wait_for_publisher(node).now_or_never(),
                ),
            };
            requests.is_some() && responses.is_some()
        };
        let is_served = !sight.readers(&self.topics.0).is_empty();
        let servers = if is_served { sight.writers(&self.topics.1) } else { BTreeSet::new() };
        if self.server.look(sight, servers, is_matched) {
            let found = self.server.found();
            let are_lost = |servers: &BTreeSet<GUID>| servers.is_disjoint(&found);
            fail(&mut lock(&self.state), are_lost, || Ros2Error::ServerLost { name: self.name.clone() });
            self.waiters.wake();
        }
    }
}

/// Ends the requests to such servers that have no response.
fn fail<S>(state: &mut State<S>, to: impl Fn(&BTreeSet<GUID>) -> bool, error: impl Fn() -> Ros2Error) {
    for request in state.requests.values_mut().filter(|request| request.response.is_none() && to(&request.servers)) {
        request.response = Some(Err(error()));
    }
}
