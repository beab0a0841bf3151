//! The open connections that are not pages. A client that keeps its connections open cannot block others: a new connection takes the place of an old one.

use std::net::IpAddr;

use tokio::task::AbortHandle;

/// The maximum number of open connections.
const MAX_CONNECTIONS: usize = 64;

/// The open connections, oldest first.
#[derive(Default)]
pub(super) struct Connections(Vec<(IpAddr, AbortHandle)>);

impl Connections {
    /// Adds a connection. If there are too many, closes the oldest one of the address that has the most.
    pub(super) fn add(&mut self, from: IpAddr, task: AbortHandle) {
        self.0.retain(|(_, task)| !task.is_finished());
        self.0.push((from, task));
        if self.0.len() > MAX_CONNECTIONS {
            let count = |address| self.0.iter().filter(|(other, _)| *other == address).count();
            let most = self.0.iter().map(|(address, _)| count(*address)).max();
            let oldest = self.0.iter().position(|(address, _)| Some(count(*address)) == most);
            if let Some(oldest) = oldest {
                self.0.remove(oldest).1.abort();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_with_many_connections_closes_only_its_own() {
        let mut connections = Connections::default();
        let mut add = |last: u8| {
            let task = tokio::spawn(std::future::pending::<()>());
            connections.add([10, 0, 0, last].into(), task.abort_handle());
            task
        };
        let other = add(2);
        let mut greedy: Vec<_> = (0..200).map(|_| add(1)).collect();
        let late = add(3);
        let open = greedy.split_off(200 - 62);
        for closed in greedy {
            assert!(closed.await.is_err_and(|error| error.is_cancelled()), "the oldest are closed");
        }
        assert!(!other.is_finished() && !late.is_finished());
        assert!(open.iter().all(|task| !task.is_finished()), "the newest stay");
    }
}
