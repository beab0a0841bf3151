//! Taking what has arrived.

use ros2_client::{MessageInfo, ReadError, Subscription};

use crate::message::Message;

/// Takes all messages that have arrived, or why one cannot be decoded.
pub(crate) fn take_all<M: Message>(
    subscription: &Subscription<M>,
    mut each: impl FnMut(Result<(M, MessageInfo), String>),
) {
    loop {
        match subscription.take() {
            Ok(Some(message)) => each(Ok(message)),
            Ok(None) => return,
            Err(error) => {
                // Only such a message is taken: another error would come again at once.
                let is_taken = matches!(error, ReadError::Deserialization { .. } | ReadError::Malformed);
                each(Err(error.to_string()));
                if !is_taken {
                    return;
                }
            }
        }
    }
}
