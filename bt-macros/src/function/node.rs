//! The node of a leaf: how it starts, resumes, halts and sleeps.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::Form;
use super::answer;
use super::ast::{Argument, Function, Handed, Param};
use super::call::{call, fresh, outputs, reads};
use super::future::Future;
use super::handle::Access;
use super::names::Names;
use super::states::open_type;
use super::task;
use crate::hidden::hidden;

/// The bodies of the methods of a node. A method without a body has its default: a leaf without a state starts again.
struct Bodies {
    start: TokenStream,
    resume: Option<TokenStream>,
    open_replaced: Option<TokenStream>,
    interrupt: Option<TokenStream>,
}

/// Returns the impl of `Node`.
pub(super) fn node(function: &Function) -> TokenStream {
    let Function { body, context, held, .. } = function;
    let name = &body.sig.ident;
    let generics = match &function.future {
        Some(future) => task::generics(function, future),
        None => body.sig.generics.clone(),
    };
    let (impls, _, clause) = generics.split_for_impl();
    let (_, arguments, _) = held.split_for_impl();
    let names = Names::new();
    let Names { this, observer, at, visit, ctx, state, kept, handle, .. } = &names;
    let given = match function.future.as_ref().map(|future| future.access) {
        None | Some(Access::First) => Some(ctx),
        Some(Access::Handle) => Some(handle),
        Some(Access::None) => None,
    };
    let call = call(function, this, given, [state, kept], at);
    let call = if function.fails && function.future.is_none() {
        // A context that does not receive the reasons is reported at the output.
        let span = Span::mixed_site().located_at(answer::tokens(body).span());
        quote_spanned!(span=> __bt_core::__private::Fallible::fails(#call))
    } else {
        call
    };
    let sleep = sleep(function, &names, &call);
    let Bodies { start, resume, open_replaced, interrupt } = match &function.future {
        Some(future) => task(function, future, &names, &call),
        None => at_once(function, &names, &call),
    };
    let resume = resume.map(|resume| quote! {
        #[inline]
        fn resume<#observer: __bt_core::__private::Observer>(
            &#this, #at: __bt_core::__private::NodeId, #state: &mut Self::Open, #kept: &mut Self::Kept, #visit: &mut __bt_core::__private::Visit<'_, #context, #observer>,
        ) -> __bt_core::__private::Step<()> {
            let #ctx = &mut *#visit.ctx;
            #resume
        }
    });
    let open_replaced = open_replaced.map(|open_replaced| quote! {
        #[inline]
        fn open_replaced(
            &#this, _: __bt_core::__private::NodeId, _: &mut Self::Kept, #visit: &mut __bt_core::__private::Visit<'_, #context, ()>,
        ) -> __bt_core::__private::Option<Self::Open> {
            let #ctx = &mut *#visit.ctx;
            let _ = &#ctx;
            #open_replaced
        }
    });
    let interrupt = interrupt.map(|interrupt| quote! {
        #[inline]
        fn interrupt<#observer: __bt_core::__private::Observer>(
            &#this, _: __bt_core::__private::NodeId, #state: &mut Self::Open, _: &mut Self::Kept, how: __bt_core::__private::Interrupt,
            _: &mut __bt_core::__private::Visit<'_, #context, #observer>,
        ) {
            #interrupt
        }
    });
    quote! {
        #[allow(clippy::allow_attributes, clippy::needless_borrow, clippy::unit_arg, clippy::ignored_unit_patterns)]
        impl #impls __bt_core::__private::Node<#context> for #name #arguments #clause {
            #[inline]
            fn start<#observer: __bt_core::__private::Observer>(
                &#this, #at: __bt_core::__private::NodeId, #kept: &mut Self::Kept, #visit: &mut __bt_core::__private::Visit<'_, #context, #observer>,
            ) -> __bt_core::__private::Step<Self::Open> {
                let #ctx = &mut *#visit.ctx;
                #start
            }

            #resume
            #open_replaced
            #interrupt
            #sleep
        }
    }
}

/// Returns the bodies for a function that returns a future.
fn task(function: &Function, future: &Future, names: &Names, call: &TokenStream) -> Bodies {
    let Names { this, at, visit, ctx, state, kept, fresh, error, .. } = names;
    let context = &function.context;
    let reads = reads(function, this, ctx, error, |param| names.failed(param));
    let new = quote!(__bt_core::task::Task::START);
    Bodies {
        start: quote! {
            let mut #fresh = #new;
            __bt_core::__private::Node::<#context>::resume(#this, #at, &mut #fresh, #kept, #visit).map(|()| #fresh)
        },
        resume: Some(task::resume(function, future, names, &reads, call)),
        open_replaced: Some(quote!(__bt_core::__private::Some(#new))),
        interrupt: Some(quote!(#state.interrupt(how);)),
    }
}

/// Returns the bodies for a function that returns an output.
fn at_once(function: &Function, names: &Names, call: &TokenStream) -> Bodies {
    let Function { context, open, answer: returned, .. } = function;
    let Names { this, at, visit, ctx, state, kept, fresh, error, .. } = names;
    let failed = |param: &Param| names.failed(param);
    let reads = reads(function, this, ctx, error, failed);
    let into_step = quote!(__bt_core::__private::ActionOutputIn::<#context>::into_step);
    let rest = quote!(&mut __bt_core::__private::Visit::new(&mut *#ctx, &mut *#visit.observer));
    let answer = if function.params.iter().any(|param| param.handed == Handed::Written) {
        let (empty, stores) = outputs(function, this, ctx, error, failed);
        let returned = hidden("returned");
        quote!({
            #empty
            let #returned = #call;
            #stores
            #into_step(#returned, #at, #rest)
        })
    } else {
        quote!(#into_step(#call, #at, #rest))
    };
    let none = quote!(__bt_core::__private::None);
    if open.is_empty() {
        let running = quote!(<#returned as __bt_core::__private::ActionOutput>::running());
        return Bodies {
            start: quote!(#reads #answer),
            resume: None,
            open_replaced: (function.form == Form::Action).then_some(running),
            interrupt: None,
        };
    }
    // The states are written once, because their tokens are the user's.
    let (ty, first) = (open_type(function), self::fresh(function, this, ctx));
    let has_start = open.iter().any(|open| open.start.is_some());
    let state_reads = has_start.then(|| self::reads(function, this, ctx, &hidden("_error"), |_| quote!(return #none)));
    Bodies {
        start: quote! {
            #reads
            let __bt_core::__private::Some(mut #fresh) =
                __bt_core::__private::Node::<#context>::open_replaced(#this, #at, &mut *#kept, &mut __bt_core::__private::Visit::new(&mut *#ctx, &mut ()))
            else {
                return __bt_core::__private::Step::Done(__bt_core::Outcome::Failure);
            };
            let #state = &mut #fresh;
            #answer.map(|_| #fresh)
        },
        resume: Some(quote!(#reads #answer.map(|_| ()))),
        open_replaced: Some(quote! {
            #state_reads
            let #fresh: #ty = #first;
            __bt_core::__private::Some(#fresh)
        }),
        interrupt: None,
    }
}

/// Returns the method that determines when a running action must be ticked again, or the outcome of a condition without a tick.
fn sleep(function: &Function, names: &Names, call: &TokenStream) -> TokenStream {
    let (context, Names { this, ctx, .. }) = (&function.context, names);
    let is_placed = function.order.iter().any(|argument| matches!(argument, Argument::At));
    match function.form {
        Form::Action if function.has_output_state() => quote! {
            #[inline]
            fn wake(&#this, __open: &Self::Open, _: &Self::Kept, __visit: &mut __bt_core::protocol::WakeVisit<'_, __bt_core::__private::Same<#context>>) -> __bt_core::Wake {
                __bt_core::__private::OutputState::wake(__open, __visit)
            }
        },
        Form::Condition if !is_placed && function.kept.is_empty() => {
            let none = quote!(__bt_core::__private::None);
            let reads = reads(function, this, ctx, &hidden("_error"), |_| quote!(return #none));
            let is_event = function.is_event;
            quote! {
                #[inline]
                fn foresee(
                    &#this, _: &Self::Kept, #ctx: &mut __bt_core::__private::Same<#context>, __event: bool,
                ) -> __bt_core::protocol::Foreseen {
                    if !(#is_event || __event) {
                        return __bt_core::__private::None;
                    }
                    #reads
                    __bt_core::__private::Some((__bt_core::Outcome::from(#call), __bt_core::Wake::Event))
                }
            }
        }
        Form::Action | Form::Condition => TokenStream::new(),
    }
}
