//! Calling services.

use std::fmt;
use std::sync::Arc;

use crate::call::{Caller, Parts};
use crate::error::Ros2Error;
use crate::message::Message;
use crate::name::{dds_type, default_qos};
use crate::session::Session;

/// Calls a service.
///
/// ```no_run
/// use bt_core::prelude::*;
/// use bt_ros2::{Config, RosClock, RosNode, ServiceClient};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct SetBool { data: bool }
/// #[derive(Serialize, Deserialize)]
/// struct Done { success: bool, message: String }
///
/// struct Robot { clock: RosClock, light: ServiceClient<SetBool, Done> }
/// impl Clock for Robot { fn now(&self) -> Duration { self.clock.now() } }
///
/// #[action]
/// fn light(robot: &mut Robot, on: bool) -> impl Future<Output = bool> {
///     let response = robot.light.call(SetBool { data: on });
///     async move { response.await.is_ok_and(|done| done.success) }
/// }
///
/// let node = RosNode::open(Config::new("robot"))?;
/// let mut robot = Robot { clock: node.clock(), light: node.service("/light", "std_srvs/srv/SetBool")? };
/// let tree = tree! { timeout(secs(5)) { light(true) } };
/// tree.tick(&mut robot, &mut tree.memory());
/// # Ok::<(), bt_ros2::Ros2Error>(())
/// ```
///
/// Returned by [`RosNode::service`](crate::RosNode::service). Any number of calls can wait at the same time.
pub struct ServiceClient<Q: Message, S: Message>(Caller<Q, S>);

impl<Q: Message, S: Message> ServiceClient<Q, S> {
    pub(crate) fn new(session: Arc<Session>, name: &str, of: &str) -> Result<Self, Ros2Error> {
        let request = dds_type(of, "srv", "_Request")?;
        let response = dds_type(of, "srv", "_Response")?;
        Caller::new(session, Parts { name, request, response }, &default_qos()).map(Self)
    }

    /// Calls the service. Returns a future of its response, which first waits for a server.
    ///
    /// Dropping the future sends no request if there was no server yet; otherwise, it ignores the response.
    ///
    /// # Errors
    ///
    /// The future fails if the request cannot be sent, if a response cannot be decoded, and if the server is gone before it has responded.
    pub fn call(&self, request: Q) -> impl Future<Output = Result<S, Ros2Error>> + Send + use<Q, S> {
        self.0.call(request)
    }

    /// Returns `true` if there is a server.
    pub fn has_server(&self) -> bool {
        self.0.has_server()
    }

    /// Returns a future that is ready when there is a server.
    pub fn server(&self) -> impl Future<Output = ()> + Send + use<Q, S> {
        self.0.server()
    }
}

impl<Q: Message, S: Message> fmt::Debug for ServiceClient<Q, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("ServiceClient");
        debug.field("name", &self.0.name()).field("has_server", &self.has_server()).finish_non_exhaustive()
    }
}
