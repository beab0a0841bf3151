//! The nodes of a loaded tree that measure time without being decorators.

use std::time::Duration;

use bt_core::engine::{Length, Served, fault, serve};
use bt_core::leaf::Wait;
use bt_core::{Cause, Node, Observer, Outcome, Status, Step, protocol::Visit};
use bt_words::Word;

use crate::engine::run::Run;
use crate::flat::host::{Host, HostContext};
use crate::flat::node::LoadedNode;
use crate::flat::op::Attachment;
use crate::flat::packed::Packed;
use crate::flat::values::LoadedAmount;

impl<O: Observer> Run<'_, O> {
    /// Ticks a service.
    #[inline(never)]
    pub(crate) fn service(
        &mut self,
        every: &Length<LoadedAmount<Duration>>,
        action: &Attachment,
        node: &LoadedNode,
        host: &mut dyn Host,
    ) -> Status {
        let mut due = Packed::unpack(self.words(node));
        let context = &mut HostContext(host);
        let served = serve(every, &mut due, context, |context| context, |context| self.at_once(action, context.0));
        due.pack(self.words(node));
        if served == Served::Go {
            let child = self.flat.children_of(node)[0] as usize;
            return self.child(child, host);
        }
        if served == Served::NoPeriod {
            let parameter = Word::Service.row().params[0].name;
            self.no_value(node, host, |host, show| fault(every.argument(), parameter, host, show));
        }
        self.halt_children(node, Cause::Ended, host);
        Status::Error
    }

    /// Ticks a wait.
    #[inline(never)]
    pub(crate) fn wait(
        &mut self,
        wait: &Wait<LoadedAmount<Duration>>,
        opening: bool,
        node: &LoadedNode,
        host: &mut dyn Host,
    ) -> Status {
        let at = self.id(node);
        let mut end = Packed::unpack(self.words(node));
        let (mut context, mut observer) = (HostContext(host), ());
        let visit = &mut Visit::new(&mut context, &mut observer);
        let step = if opening {
            wait.start(at, &mut (), visit).map(|opened| end = opened)
        } else {
            wait.resume(at, &mut end, &mut (), visit)
        };
        end.pack(self.words(node));
        if step == Step::Done(Outcome::Error) {
            self.no_value(node, host, |host, show| wait.reason(host, show));
        }
        step.status()
    }
}
