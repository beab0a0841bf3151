//! Expands a leaf to Rust. Cannot fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{FnArg, GenericParam, Generics, Index, ItemFn, Pat, Visibility, parse_quote};

use super::Form;
use super::ast::{self, Argument, Function, Handed, Input, Lent, Param};
use super::defaults::{self, argument, default};
use super::future::Access;
use super::held::{self, phantom_value, type_of};
use super::task;
use crate::{generics, hidden, text};

/// Returns the struct, its constructor, and the impls together with the original function.
pub(crate) fn function(function: &Function) -> TokenStream {
    let (ty, make, defaults) = (type_of(function), constructor(function), defaults::defaults(function));
    let (shape, node, properties) = (shape(function), node(function), properties(function));
    let (cfgs, clone) = (&function.cfgs, held::clone(function));
    let body = body(function);
    let expansion = quote! {
        #ty
        #make
        #defaults
        #(#cfgs)*
        const _: () = {
            // This macro decides the form of parameters, not the lints.
            #[allow(
                clippy::allow_attributes,
                clippy::needless_lifetimes,
                clippy::needless_pass_by_ref_mut,
                clippy::needless_pass_by_value,
                clippy::manual_async_fn,
                clippy::ptr_arg,
                clippy::trivially_copy_pass_by_ref,
                clippy::unnecessary_wraps,
                clippy::unused_async
            )]
            #body
            #clone
            #shape
            #node
            #properties
        };
    };
    if function.future.is_none() {
        return expansion;
    }
    // Without the feature `async`, an error and the stand-in.
    let stand_in = ast::stand_in(function.form, function.body.to_token_stream());
    quote!(__bt_core::__async_action! { { #expansion } { #stand_in } })
}

/// Returns the function as the user wrote it. A parameter that only an `#[open(…)]` uses does not count as unused.
fn body(function: &Function) -> ItemFn {
    let mut body = function.body.clone();
    body.vis = Visibility::Inherited;
    let starts: TokenStream = function.open.iter().map(|open| open.start.to_token_stream()).collect();
    for input in &mut body.sig.inputs {
        if let FnArg::Typed(input) = input
            && let Pat::Ident(name) = &*input.pat
            && generics::mentions(&starts, &name.ident)
        {
            input.attrs.push(parse_quote!(#[allow(clippy::allow_attributes, unused_variables)]));
        }
    }
    body
}

fn constructor(function: &Function) -> TokenStream {
    let Function { cfgs, docs, body, params, held, .. } = function;
    let (name, vis) = (&body.sig.ident, &body.vis);
    let given = params.iter().map(argument);
    let fields = params.iter().map(|param| {
        let name = &param.name;
        match param.handed {
            Handed::Read(_) | Handed::Written => quote!(#name: ::core::convert::Into::into(#name)),
            Handed::Copied | Handed::Lent => quote!(#name),
        }
    });
    let fields = fields.chain(phantom_value(function));
    let (_, arguments, clause) = held.split_for_impl();
    quote! {
        #(#cfgs)*
        #(#docs)*
        #[allow(
            clippy::allow_attributes,
            clippy::too_many_arguments,
            clippy::must_use_candidate,
            clippy::used_underscore_binding
        )]
        #vis fn #name #held(#(#given),*) -> #name #arguments #clause {
            #name { #(#fields,)* }
        }
    }
}

fn shape(function: &Function) -> TokenStream {
    let Function { form, body, answer, params, open, kept, held, .. } = function;
    let name = &body.sig.ident;
    let text = name.unraw().to_string();
    let kind = match form {
        Form::Action => quote!(Action),
        Form::Condition => quote!(Condition),
    };
    let open_state = match (&function.future, open.as_slice()) {
        (Some(future), _) => task::state(function, future),
        (None, []) => quote!(<#answer as __bt_core::__private::ActionOutput>::Open),
        (None, _) => open_type(function),
    };
    let restarts = open.is_empty() && function.future.is_none();
    let params = params.iter().map(shown);
    let uses_board = function.params.iter().any(|param| param.handed.is_read() || param.handed == Handed::Written);
    let can = quote!(<#answer as __bt_core::__private::ActionOutput>::CAN);
    let can = if function.future.is_some() { quote!(#can.or(__bt_core::__private::Outcomes::RUNNING)) } else { can };
    let can = if uses_board { quote!(#can.or(__bt_core::__private::Outcomes::ERROR)) } else { can };
    let visitor = hidden("visitor");
    let (impls, arguments, clause) = held.split_for_impl();
    let times = times(function);
    let kept = tuple(kept);
    let sleeps = sleeps(function);
    quote! {
        impl #impls __bt_core::__private::NodeShape for #name #arguments #clause {
            type Open = #open_state;
            type Kept = #kept;
            const CAN: __bt_core::__private::Outcomes = #can;
            const RESTARTS: bool = #restarts;

            #sleeps
            #times

            fn describe(&self, #visitor: &mut dyn __bt_core::__private::Visitor) {
                #[allow(unused_imports)]
                use __bt_core::__private::Opaque as _;
                #visitor.leaf::<Self>(&__bt_core::__private::Info {
                    kind: __bt_core::__private::Kind::#kind,
                    name: __bt_core::__private::Name::Known(#text),
                    can: <Self as __bt_core::__private::NodeShape>::CAN,
                    params: &[#(#params),*],
                });
            }
        }
    }
}

/// Returns when a running action has to be ticked again, or what starting a condition would do, which only reads the context.
fn wakes(function: &Function, this: &Ident, ctx: &Ident, call: &TokenStream) -> TokenStream {
    let context = &function.context;
    let is_placed = function.order.iter().any(|argument| matches!(argument, Argument::At));
    match function.form {
        Form::Action if function.future.is_some() => quote! {
            #[inline]
            fn wake(&#this, __open: &Self::Open, _: &Self::Kept, __visit: &mut __bt_core::WakeVisit<'_, __bt_core::__private::Same<#context>>) -> __bt_core::Wake {
                __open.wake(__visit)
            }
        },
        Form::Action if function.has_output_state() => quote! {
            #[inline]
            fn wake(&#this, __open: &Self::Open, _: &Self::Kept, _: &mut __bt_core::WakeVisit<'_, __bt_core::__private::Same<#context>>) -> __bt_core::Wake {
                __bt_core::__private::OutputState::wake(__open)
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
                ) -> __bt_core::Foreseen {
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

/// Returns whether the leaf may sleep. The output of an action can say so; with a state of the user, nothing is known.
fn sleeps(function: &Function) -> Option<TokenStream> {
    if function.future.is_some() {
        return Some(quote!(
            const SLEEPS: bool = true;
        ));
    }
    function.has_output_state().then(|| {
        quote!(
            const SLEEPS: bool = <Self::Open as __bt_core::__private::OutputState>::SLEEPS;
        )
    })
}

/// Returns the function that shifts the times in the state of a leaf to another clock.
fn times(function: &Function) -> Option<TokenStream> {
    let [open, kept] = [function.open.len(), function.kept.len()];
    let is_output = function.has_output_state();
    if open + kept == 0 && !is_output && function.future.is_none() {
        return None;
    }
    let output = is_output.then(|| quote!(__bt_core::__private::OutputState::shift(__open, __by);));
    let output = output.or_else(|| function.future.is_some().then(|| quote!(__open.shift(__by);)));
    let open = (0..open).map(|index| one_of(index, open, &quote!(__open)));
    let kept = (0..kept).map(|index| one_of(index, kept, &quote!(__kept)));
    Some(quote! {
        #[allow(clippy::allow_attributes, unused_variables)]
        fn shift_times(
            &self,
            __open: __bt_core::__private::Option<&mut Self::Open>,
            __kept: &mut Self::Kept,
            __by: __bt_core::Shift,
        ) {
            #[allow(unused_imports)]
            use __bt_core::__private::Timeless as _;
            if let __bt_core::__private::Some(__open) = __open {
                #output
                #(__bt_core::__private::Times(#open).shift(__by);)*
            }
            #(__bt_core::__private::Times(#kept).shift(__by);)*
        }
    })
}

/// Returns a reference to one of several states, of which `all` is a reference to a tuple, or to the only one.
fn one_of(index: usize, states: usize, all: &impl ToTokens) -> TokenStream {
    let place = Index::from(index);
    if states == 1 { quote!(&mut *#all) } else { quote!(&mut #all.#place) }
}

/// Returns the impl that creates the leaf from the properties of a node in a file; `None` for a type with generics, which a file cannot name.
/// Expands to nothing unless `bt_core` has the feature `json`.
fn properties(function: &Function) -> Option<TokenStream> {
    if !function.held.params.is_empty() {
        return None;
    }
    let name = &function.body.sig.ident;
    let params = function.params.iter().map(|param| {
        let (field, ty, text) = (&param.name, &param.ty, text::written(param.ty.to_token_stream()));
        let property = param.name.unraw().to_string();
        let read = match param.handed {
            Handed::Read(Input { is_optional: true, .. }) => quote!(parameter_optional),
            Handed::Read(_) => quote!(parameter_given),
            Handed::Written => quote!(parameter_output),
            Handed::Copied | Handed::Lent => quote!(parameter),
        };
        // A borrowed value would have no owner; and for `&str` the compiler would select a reader that does not compile.
        let how = if text.contains('&') {
            quote!(__bt_core::__private::None)
        } else {
            quote!((&__bt_core::file::Reader::<#ty>::new()).how())
        };
        let default = match &param.default {
            Some(_) => {
                let default = default(param);
                quote!(__bt_core::__private::Some(#default))
            }
            None => quote!(__bt_core::__private::None),
        };
        quote!((#field #read, #property, #text, #default, #how))
    });
    Some(quote!(__bt_core::__from_properties! { #name #(#params)* }))
}

/// Returns a parameter as shown in descriptions.
fn shown(param: &Param) -> TokenStream {
    let (field, name) = (&param.name, param.name.unraw().to_string());
    let type_name = text::written(param.ty.to_token_stream());
    let probe = quote!(__bt_core::__private::Probe);
    let default = match &param.default {
        Some(_) => {
            let default = default(param);
            quote!(__bt_core::__private::Some(#probe(&#default).show()))
        }
        None => quote!(__bt_core::__private::None),
    };
    let unit = match &param.unit {
        Some(unit) => quote!(__bt_core::__private::Some(#unit)),
        None => quote!(__bt_core::__private::None),
    };
    quote! {
        __bt_core::__private::Param {
            name: #name,
            value: #probe(&self.#field).show(),
            type_name: __bt_core::__private::Some(#type_name),
            default: #default,
            unit: #unit,
            property: #probe(&self.#field).property(),
        }
    }
}

/// Returns the type of all `#[open]` states: one state as it is, several as a tuple.
fn open_type(function: &Function) -> TokenStream {
    let types: Vec<_> = function.open.iter().map(|open| &open.ty).collect();
    tuple(&types)
}

fn node(function: &Function) -> TokenStream {
    let Function { body, context, held, open, answer: returned, .. } = function;
    let name = &body.sig.ident;
    let generics = match &function.future {
        Some(future) => task::generics(function, future),
        None => body.sig.generics.clone(),
    };
    let (impls, _, clause) = generics.split_for_impl();
    let (_, arguments, _) = held.split_for_impl();
    let [observer, this] = ["Observer", "self"].map(|name| Ident::new(name, Span::mixed_site()));
    let [at, visit, ctx, state, kept, fresh, answered] =
        ["at", "visit", "ctx", "open", "kept", "fresh", "answered"].map(hidden);
    let given = match function.future.as_ref().map(|future| future.access) {
        None | Some(Access::First) => Some(ctx.clone()),
        Some(Access::Handle) => Some(hidden("handle")),
        Some(Access::None) => None,
    };
    let call = call(function, &this, given.as_ref(), [&state, &kept], &at);
    let wakes = wakes(function, &this, &ctx, &call);
    let error = hidden("error");
    let failed = |param: &Param| {
        let name = param.name.unraw().to_string();
        quote!({
            #[allow(unused_imports)]
            use __bt_core::__private::Unreported as _;
            let #error = __bt_core::board::ParameterError { parameter: #name, error: #error };
            if <#observer as __bt_core::__private::Observer>::ON {
                #visit.observer.error(#at, &#error);
            }
            __bt_core::__private::Reporting(&mut *#ctx).report(#at, #error);
            return __bt_core::__private::Step::Done(__bt_core::Outcome::Error);
        })
    };
    let reads = self::reads(function, &this, &ctx, &error, failed);
    let answer = if function.params.iter().any(|param| param.handed == Handed::Written) {
        let (empty, stores) = outputs(function, &this, &ctx, &error, failed);
        let returned = hidden("returned");
        quote!({
            #empty
            let #returned = #call;
            #stores
            __bt_core::__private::ActionOutputIn::<#context>::into_step(#returned, #at, #ctx)
        })
    } else {
        quote!(__bt_core::__private::ActionOutputIn::<#context>::into_step(#call, #at, #ctx))
    };
    let none = quote!(__bt_core::__private::None);
    let (start, resume, stand_in) = if let Some(future) = &function.future {
        let handle = hidden("handle");
        let names = task::Names { at: &at, ctx: &ctx, state: &state, handle: &handle };
        let resume = task::resume(function, future, &names, &reads, &call);
        let new = quote!(__bt_core::task::Task::START);
        let start = quote! {
            let mut #fresh = #new;
            __bt_core::__private::Node::<#context>::resume(#this, #at, &mut #fresh, #kept, #visit).map(|()| #fresh)
        };
        (start, resume, quote!(__bt_core::__private::Some(#new)))
    } else if open.is_empty() {
        let stand_in = quote!(<#returned as __bt_core::__private::ActionOutput>::running());
        (answer.clone(), quote!(#answer.map(|#answered| *#state = #answered)), stand_in)
    } else {
        let ty = open_type(function);
        let start = quote! {
            let __bt_core::__private::Some(mut #fresh) =
                __bt_core::__private::Node::<#context>::stand_in(#this, &mut *#kept, &mut __bt_core::__private::Visit::new(&mut *#ctx, &mut ()))
            else {
                return __bt_core::__private::Step::Done(__bt_core::Outcome::Failure);
            };
            let #state = &mut #fresh;
            #answer.map(|_| #fresh)
        };
        // The states are written once, because their tokens are the user's.
        let first = self::fresh(function, &this, &ctx);
        let has_start = open.iter().any(|open| open.start.is_some());
        let reads = has_start.then(|| self::reads(function, &this, &ctx, &hidden("_error"), |_| quote!(return #none)));
        let stand_in = quote! {
            #reads
            let #fresh: #ty = #first;
            __bt_core::__private::Some(#fresh)
        };
        (start, quote!(#answer.map(|_| ())), stand_in)
    };
    // The future reads its inputs when it is created.
    let (start_reads, resume_reads) =
        if function.future.is_some() { (None, None) } else { (Some(&reads), Some(&reads)) };
    let stop = function.future.is_some().then(|| quote!(#state.stop();));
    quote! {
        #[allow(clippy::allow_attributes, clippy::needless_borrow, clippy::unit_arg, clippy::ignored_unit_patterns)]
        impl #impls __bt_core::__private::Node<#context> for #name #arguments #clause {
            #[inline]
            fn start<#observer: __bt_core::__private::Observer>(
                &#this, #at: __bt_core::__private::NodeId, #kept: &mut Self::Kept, #visit: &mut __bt_core::__private::Visit<'_, #context, #observer>,
            ) -> __bt_core::__private::Step<Self::Open> {
                let #ctx = &mut *#visit.ctx;
                #start_reads
                #start
            }

            #[inline]
            fn resume<#observer: __bt_core::__private::Observer>(
                &#this, #at: __bt_core::__private::NodeId, #state: &mut Self::Open, #kept: &mut Self::Kept, #visit: &mut __bt_core::__private::Visit<'_, #context, #observer>,
            ) -> __bt_core::__private::Step<()> {
                let #ctx = &mut *#visit.ctx;
                #resume_reads
                #resume
            }

            #[inline]
            fn stand_in(
                &#this, _: &mut Self::Kept, #visit: &mut __bt_core::__private::Visit<'_, #context, ()>,
            ) -> __bt_core::__private::Option<Self::Open> {
                let #ctx = &mut *#visit.ctx;
                let _ = &#ctx;
                #stand_in
            }

            #wakes

            #[inline]
            fn interrupt<#observer: __bt_core::__private::Observer>(
                &#this, _: __bt_core::__private::NodeId, #state: &mut Self::Open, _: &mut Self::Kept, _: &mut __bt_core::__private::Visit<'_, #context, #observer>,
            ) {
                let _ = &#state;
                #stop
            }
        }
    }
}

/// Returns the call of the user's function.
fn call(function: &Function, this: &Ident, ctx: Option<&Ident>, [open, kept]: [&Ident; 2], at: &Ident) -> TokenStream {
    let name = &function.body.sig.ident;
    let turbofish = turbofish(&function.body.sig.generics);
    let arguments = function.order.iter().map(|argument| match argument {
        Argument::Param(index) => hand(function, *index, this),
        Argument::Open(index) => one_of(*index, function.open.len(), open),
        Argument::Kept(index) => one_of(*index, function.kept.len(), kept),
        Argument::At => quote!(#at),
    });
    let ctx = ctx.into_iter();
    quote!(#name #turbofish(#(#ctx,)* #(#arguments),*))
}

/// Returns the code that reads `#[input]` parameters. `failed` is the code for a parameter that cannot be read.
fn reads(
    function: &Function,
    this: &Ident,
    ctx: &Ident,
    error: &Ident,
    failed: impl Fn(&Param) -> TokenStream,
) -> TokenStream {
    let read = function.params.iter().filter_map(|param| {
        let Handed::Read(input) = param.handed else { return None };
        let (name, read, failed) = (&param.name, read_name(param), failed(param));
        let method = match (input.lent, function.form) {
            (None, _) => quote!(read),
            (Some(_), Form::Condition) => quote!(get),
            // An action takes the context exclusively, so the value of a variable is cloned.
            (Some(_), Form::Action) => quote!(cow),
        };
        Some(quote! {
            let #read = match #this.#name.#method(&*#ctx) {
                ::core::result::Result::Ok(#read) => #read,
                ::core::result::Result::Err(#error) => #failed,
            };
        })
    });
    read.collect()
}

/// Returns the variables for `#[output]` parameters, and the code that stores their values.
fn outputs(
    function: &Function,
    this: &Ident,
    ctx: &Ident,
    error: &Ident,
    failed: impl Fn(&Param) -> TokenStream,
) -> (TokenStream, TokenStream) {
    let outputs = function.params.iter().filter(|param| param.handed == Handed::Written).map(|param| {
        let (name, ty, output, failed) = (&param.name, &param.ty, read_name(param), failed(param));
        (
            quote!(let mut #output: __bt_core::__private::Option<#ty> = __bt_core::__private::None;),
            quote! {
                if let __bt_core::__private::Some(#output) = #output {
                    if let ::core::result::Result::Err(#error) = #this.#name.store(&mut *#ctx, #output) #failed
                }
            },
        )
    });
    outputs.unzip()
}

/// Returns the name of the variable for the value read.
fn read_name(param: &Param) -> Ident {
    quote::format_ident!("__{}", param.name.unraw(), span = Span::mixed_site())
}

/// Returns a parameter as passed to the function.
fn hand(function: &Function, index: usize, this: &Ident) -> TokenStream {
    let param = &function.params[index];
    let name = &param.name;
    match param.handed {
        Handed::Lent => return quote!(&#this.#name),
        Handed::Read(input) => return lend(function.form, input, &read_name(param)),
        Handed::Written => {
            let output = read_name(param);
            return quote!(&mut #output);
        }
        Handed::Copied => {}
    }
    // A type that is not `Copy` is reported at its own tokens.
    let at = Span::mixed_site().located_at(param.ty.span());
    let (mut this, mut name) = (this.clone(), name.clone());
    this.set_span(at);
    name.set_span(at);
    if function.future.is_some() {
        return quote_spanned!(at=> ::core::clone::Clone::clone(&#this.#name));
    }
    quote_spanned!(at=> __bt_core::__private::hand(&#this.#name))
}

/// Returns an `#[input]` that was read as passed to the function.
fn lend(form: Form, input: Input, read: &Ident) -> TokenStream {
    let content = quote!(.map(|__value| &**__value));
    match (input.is_optional, input.lent, form) {
        (_, None, _) | (_, Some(Lent::Value), Form::Condition) => quote!(#read),
        (false, Some(Lent::Value), Form::Action) => quote!(&*#read),
        (false, Some(Lent::Content), _) => quote!(&**#read),
        (true, Some(Lent::Value), Form::Action) => quote!(#read.as_deref()),
        (true, Some(Lent::Content), Form::Condition) => quote!(#read #content),
        (true, Some(Lent::Content), Form::Action) => quote!(#read.as_deref() #content),
    }
}

/// Returns the type and const arguments of the function, since some cannot be inferred.
fn turbofish(generics: &Generics) -> Option<TokenStream> {
    let names: Vec<_> = generics
        .params
        .iter()
        .filter(|param| !matches!(param, GenericParam::Lifetime(_)))
        .map(generics::name)
        .collect();
    (!names.is_empty()).then(|| quote!(::<#(#names),*>))
}

/// Returns the initial states of a run. Their expressions can use the function's parameters.
fn fresh(function: &Function, this: &Ident, ctx: &Ident) -> TokenStream {
    let starts: Vec<_> = function
        .open
        .iter()
        .map(|open| match &open.start {
            Some(start) => start.to_token_stream(),
            None => quote!(::core::default::Default::default()),
        })
        .collect();
    if function.open.iter().all(|open| open.start.is_none()) {
        return tuple(&starts);
    }
    let context = &function.ctx;
    let params = (0..function.params.len()).map(|index| {
        let (name, value) = (&function.params[index].name, hand(function, index, this));
        quote!(#[allow(unused_variables)] let #name = #value;)
    });
    let starts = tuple(&starts);
    quote! {{
        #[allow(unused_variables)]
        let #context = &mut *#ctx;
        #(#params)*
        #starts
    }}
}

/// Returns one element as it is, and several or none as a tuple.
fn tuple(elements: &[impl ToTokens]) -> TokenStream {
    match elements {
        [element] => element.to_token_stream(),
        elements => quote!((#(#elements,)*)),
    }
}
