//! The connection of a page: its requests, and updates about 30 times per second.

use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::served::ServedPage;
use crate::protocol::error;

/// The interval between updates.
const FRAME_INTERVAL: Duration = Duration::from_millis(33);
/// The interval between pings, and the time after which a silent page is disconnected.
const PING_INTERVAL: Duration = Duration::from_secs(1);
const TIMEOUT: Duration = Duration::from_secs(5);

/// Serves a page until it disconnects or times out.
pub(super) async fn serve(mut page: impl ServedPage, mut socket: WebSocket) {
    let mut frames = interval(FRAME_INTERVAL);
    frames.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let start = Instant::now();
    let (mut last_received, mut last_ping) = (start, start);
    let mut updates = vec![page.hello()];
    loop {
        for message in updates.drain(..) {
            match timeout(TIMEOUT, socket.send(Message::Text(message.into()))).await {
                Ok(Ok(())) => {}
                _ => return,
            }
        }
        tokio::select! {
            message = socket.recv() => {
                last_received = Instant::now();
                match message {
                    Some(Ok(Message::Text(message))) => page.receive(&message, &mut updates),
                    Some(Ok(Message::Binary(_))) => updates.push(error("expected a text message, found a binary message")),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                }
            }
            _ = frames.tick() => {
                if last_received.elapsed() > TIMEOUT || page.is_closed() {
                    return;
                }
                if last_ping.elapsed() > PING_INTERVAL {
                    last_ping = Instant::now();
                    match timeout(TIMEOUT, socket.send(Message::Ping(Vec::new().into()))).await {
                        Ok(Ok(())) => {}
                        _ => return,
                    }
                }
                page.push_updates(start.elapsed(), &mut updates);
            }
        }
    }
}
