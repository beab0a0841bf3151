//! The nodes of a loaded tree that measure time without being decorators.

use std::time::Duration;

use bt_core::engine::{Length, Served, fault, serve};
use bt_core::leaf::Wait;
use bt_core::{Node, Observer, Outcome, Status, Step, Visit};
use bt_words::Word;

use crate::op::{Attachment, LoadedNode};
use crate::packed::Packed;
use crate::run::Run;
use crate::values::LoadedAmount;
use bt_core::{ContextOf, Contexts};

impl<F: Contexts, O: Observer> Run<'_, F, O> {
    /// Ticks a service.
    #[inline(never)]
    pub(crate) fn service(
        &mut self,
        every: &Length<LoadedAmount<F, Duration>>,
        action: &Attachment<F>,
        node: &LoadedNode<F>,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> Status {
        let mut due = Packed::unpack(self.words(node));
        let capable = &mut self.capable(ctx);
        let served = serve(every, &mut due, capable, |capable| capable, |capable| self.at_once(action, capable.ctx));
        due.pack(self.words(node));
        if served == Served::Go {
            return self.child(self.tree.children_of(node)[0] as usize, ctx);
        }
        if served == Served::NoPeriod {
            let parameter = Word::Service.row().params[0].name;
            self.no_value(node, ctx, |ctx, show| fault(every.argument(), parameter, ctx, show));
        }
        self.halt_children(node, ctx);
        Status::Error
    }

    /// Ticks a wait.
    #[inline(never)]
    pub(crate) fn wait(
        &mut self,
        wait: &Wait<LoadedAmount<F, Duration>>,
        opening: bool,
        node: &LoadedNode<F>,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> Status {
        let at = self.id(node);
        let mut end = Packed::unpack(self.words(node));
        let (mut capable, mut observer) = (self.capable(ctx), ());
        let visit = &mut Visit::new(&mut capable, &mut observer);
        let step = if opening {
            wait.start(at, &mut (), visit).map(|opened| end = opened)
        } else {
            wait.resume(at, &mut end, &mut (), visit)
        };
        end.pack(self.words(node));
        if step == Step::Done(Outcome::Error) {
            self.no_value(node, ctx, |ctx, show| wait.reason(ctx, show));
        }
        step.status()
    }
}
