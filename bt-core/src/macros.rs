//! The macros, with their documentation.

/// A behaviour tree, written inline: an expression that gives a [`Node`](crate::Node).
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Npc { hunger: u8, now: Duration }
/// impl Clock for Npc { fn now(&self) -> Duration { self.now } }
///
/// fn hungry(npc: &Npc) -> bool { npc.hunger > 3 }
/// #[action]
/// fn eat(npc: &mut Npc, bites: u8) { npc.hunger -= bites }
///
/// let bites = 2;
/// let tree = tree! {
///     for Npc: selector "day" {
///         sequence { hungry, eat(bites) }
///         timeout(secs(60)) { mem_sequence { wait(secs(5)), |npc: &mut Npc| npc.hunger += 1 } }
///         !hungry
///     }
/// };
/// let mut npc = Npc { hunger: 4, now: secs(0) };
/// assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Status::Success);
/// assert_eq!(npc.hunger, 2);
/// ```
///
/// # Grammar
///
/// ```text
/// tree     := [ "for" Context ":" ] node
/// node     := [ "!" ] ( inner | leaf )
/// inner    := KEYWORD [ "(" args ")" ] [ "label" ] children
///           | "machine" [ "label" ] "{" state* "}"   // or in "<" and ">", as its states: see keywords::machine
///           | path [ "(" args ")" ] children  // your own: path(args…, child)
/// children := "{" child ("," child)* [","] "}"  // no comma needed after a list
///           | "<" child ("," child)* [","] ">"  // the same list
/// child    := [ weight "=>" ] node          // weights: under random_* only; `#[allow(…)]` or `#[expect(…)]` before any node
/// leaf     := [ "&" ] path [ "(" args ")" ] | closure | "(" expression ")"
/// ```
///
/// - `for Npc:` names the context type. Without it the type is inferred from the leaves; with it errors are better. In a
///   [`#[subtree]`](macro@crate::subtree) function it is there already.
/// - The keywords are documented in [`keywords`](crate::keywords). They are special only before a list of children: a function of yours may
///   be called `repeat`.
/// - `!x` is `invert { x }`.
/// - What can be a leaf: see [`IntoNode`](crate::leaf::IntoNode). A function without parameters that builds a node may be written without
///   its parentheses: `succeed`, `patrol`.
/// - A path may go on with `.field` and `.method(…)`. `&subtree` lets one value stand in several places, each with its own memory.
/// - Arguments are Rust expressions that capture the variables around them.
/// - A closure has to name the type of its parameter: `|npc: &Npc| npc.hunger > 3`. In a list in angle brackets it ends at the
///   next `,` or `>`: a body with such an operator, as in `|npc: &Npc| { npc.flags >> 2 == 1 }`, needs braces.
/// - A struct literal stands in parentheses: `(Talk { takes: secs(5) })`.
/// - `#[allow(unreachable)]`, `endless`, `pointless` or `threshold` before a node says that something is meant that the compiler would report:
///   see [`check`](crate::check). Before a state or a transition of a machine too. `#[expect(…)]` is the same, and an error where it is not needed.
///
/// Whatever the brackets, the same tree has the same type:
///
/// ```
/// # use bt_core::prelude::*;
/// # fn a(_: &()) -> bool { true }
/// # fn b(_: &()) -> bool { true }
/// # fn c(_: &()) -> bool { true }
/// # fn node<N: Node<()>>(_: &N) {}
/// fn same_type<T>(_: &T, _: &T) {}
/// let angles = tree! { selector < sequence < a, b >, c > };
/// let braces = tree! { selector { sequence { a, b }, c } };
/// same_type(&angles, &braces);
/// # node::<_>(&angles);
/// ```
///
/// # Errors
///
/// All mistakes in a tree are reported in one go, each at its token. See [`errors`](crate::errors) for all there are.
///
/// ```compile_fail
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): selctor { succeed, fail } }; // unknown keyword `selctor`; help: did you mean `selector`?
/// ```
pub use bt_macros::tree;

/// A tree from a file of the Behavior3 editor, as what `tree!` would make of it: the same static types, monomorphized. Needs the feature `json`.
///
/// The names of the file's own nodes stand beside the functions that they mean; a name alone means the function of that name. Leaves with properties are
/// `#[action]` and `#[condition]` functions with parameters of those names, all of which are given; a decorator takes at most one property.
/// Properties are numbers, booleans, text and lists of them. A struct or an enum with data has no literal: a tree with such a property is loaded by a
/// `Registry` of the crate `bt-dynamic` at run time.
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Guard { enemy: Option<f32>, post: u32 }
///
/// #[condition]
/// fn enemy_within(guard: &Guard, metres: f32) -> bool { guard.enemy.is_some_and(|distance| distance < metres) }
/// fn attack(_: &mut Guard) -> Status { Status::Running }
/// fn patrol(guard: &mut Guard) -> Status { guard.post += 1; Status::Running }
///
/// fn guard() -> impl Node<Guard> {
///     bt_core::tree_from_json!("src/file/guard.b3.json", for Guard: EnemyWithin => enemy_within, Attack => attack, patrol)
/// }
///
/// let tree = guard();
/// let mut ann = Guard { enemy: None, post: 0 };
/// assert_eq!(tree.tick(&mut ann, &mut tree.memory()), Status::Running);
/// assert_eq!(ann.post, 1);
/// assert_eq!(tree.description().lines()[2], "│  ├─ EnemyWithin(metres: 10.0) \"enemy within 10\"");
/// assert_eq!(size_of_val(&tree.memory()), 1);
/// ```
///
/// The path begins at the folder of the source file, as for `include_str!`, or of your crate; editing the file builds the crate anew. Of a project, `"project.b3.json" as "guard"` is the tree of that id or title.
/// Whatever is wrong with the file, or with a name or a property, is a compile error that tells the node's id and title; and what can never happen is found as in
/// [`tree!`].
///
/// While you develop, load the same file with a `Registry` of the crate `bt-dynamic`: its trees do the same, and can be changed in the running program.
#[cfg(feature = "json")]
pub use bt_macros::tree_from_json;

/// A leaf with parameters: `any_around(KINDS, 50.0)` in a tree.
///
/// Of a function `fn(&mut Context, parameters…) -> answer` it makes a type of the same name that holds the parameters and a function
/// that makes one of them. What the function returns is an [`ActionOutput`](crate::leaf::ActionOutput).
///
/// ```
/// use bt_core::prelude::*;
///
/// trait HasHealth { fn health(&mut self) -> &mut i32; }
/// struct Npc { health: i32 }
/// impl HasHealth for Npc { fn health(&mut self) -> &mut i32 { &mut self.health } }
///
/// /// Heals a little.
/// #[action]
/// pub fn heal<C: HasHealth>(ctx: &mut C, amount: i32) {
///     *ctx.health() += amount;
/// }
///
/// let tree = tree! { for Npc: heal(20) };
/// let mut npc = Npc { health: 50 };
/// tree.tick(&mut npc, &mut tree.memory());
/// assert_eq!(npc.health, 70);
/// assert_eq!(tree.description().to_string(), "heal(amount: 20)\n");
/// ```
///
/// # State while the leaf is open
///
/// A parameter marked `#[open]` is no parameter of the node but state that lives from the start of a run to its end. It starts from its
/// type's default, or from the expression in `#[open(…)]`, which sees the context and the other parameters.
///
/// ```
/// use bt_core::prelude::*;
///
/// #[action]
/// fn push(pushed: &mut u32, times: u32, #[open(times)] left: &mut u32) -> Status {
///     *pushed += 1;
///     *left -= 1;
///     if *left > 0 { Status::Running } else { Status::Success }
/// }
///
/// let tree = tree! { for u32: push(3) };
/// let (mut pushed, mut memory) = (0, tree.memory());
/// while tree.tick(&mut pushed, &mut memory) == Status::Running {}
/// assert_eq!(pushed, 3);
/// ```
///
/// # Parameters
///
/// | written as | the node holds | the function gets |
/// |---|---|---|
/// | `radius: f32` | an `f32` | a copy, so the type has to be `Copy` |
/// | `kinds: &'static [Kind]` | the reference | the reference |
/// | `names: &Vec<String>` | a `Vec<String>` | a reference |
/// | `name: &str`, `kinds: &[Kind]` | a `&'static` reference | the reference |
///
/// `#[param(default = 5.0, unit = "m")]` on a parameter says what it is where it is left out and what it is measured in: both are part of
/// descriptions, and `name::with_defaults(…)` takes only the parameters without a default; methods set the others.
///
/// `#[input]` lets a parameter be a value or a [`Key`](crate::Key) of the context's [board](crate::board): the leaf fails where that is not set.
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Npc { seen_at: f32, board: Board }
/// impl HasBoard for Npc {
///     fn board(&self) -> &Board { &self.board }
///     fn board_mut(&mut self) -> &mut Board { &mut self.board }
/// }
///
/// #[condition]
/// fn in_range(npc: &Npc, #[input] #[param(default = 5.0, unit = "m")] distance: f32) -> bool {
///     npc.seen_at <= distance
/// }
///
/// const SIGHT: Key<f32> = Key::new("sight");
/// let tree = tree! { for Npc: selector { in_range::with_defaults(), in_range(SIGHT), in_range(20.0) } };
/// assert_eq!(tree.description().to_string(), "\
/// selector
/// ├─ in_range(distance: 5.0 m)
/// ├─ in_range(distance: {sight} m)
/// └─ in_range(distance: 20.0 m)
/// ");
/// # let mut npc = Npc { seen_at: 10.0, board: Board::new() };
/// # assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Status::Success);
/// ```
///
/// A parameter marked `#[at]` is the node's own id in the tree that is ticked: the key of what belongs to this node and no other, on a
/// [board](crate::Key::in_node) or in a map of your own.
///
/// ```
/// use bt_core::prelude::*;
///
/// const TRIES: Key<u32> = Key::new("tries");
///
/// #[action]
/// fn try_it(board: &mut Board, #[at] at: NodeId) {
///     let tries = TRIES.in_node("burglar", at);
///     let before = board.get(&tries).copied().unwrap_or(0);
///     board.set(&tries, before + 1);
/// }
///
/// let tree = tree! { for Board: sequence { try_it(), repeat(2) { try_it() } } };
/// let mut board = Board::new();
/// tree.tick(&mut board, &mut tree.memory());
/// assert_eq!(board.get(&TRIES.in_node("burglar", NodeId::new(1))), Some(&1));
/// assert_eq!(board.get(&TRIES.in_node("burglar", NodeId::new(3))), Some(&2));
/// ```
///
/// Generics and where-clauses carry over. A generic of the context alone (`C: HasHealth`) is none of the type; a context that borrows is
/// written `Ctx<'_>`. A generic *plain* function, in contrast, does not fit a tree over a context that borrows, because it is fixed at
/// one lifetime: put `#[action]` or `#[condition]` on it.
pub use bt_macros::action;

/// A leaf with parameters that looks and does not touch: `fn(&Context, parameters…) -> bool`.
///
/// It cannot be running, so it takes no memory. Otherwise as [`#[action]`](macro@crate::action).
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Npc { enemies: Vec<f32> }
///
/// #[condition]
/// fn enemy_within(npc: &Npc, metres: f32) -> bool {
///     npc.enemies.iter().any(|distance| *distance < metres)
/// }
///
/// let tree = tree! { for Npc: sequence { enemy_within(10.0), !enemy_within(2.0) } };
/// assert_eq!(tree.tick(&mut Npc { enemies: vec![5.0] }, &mut tree.memory()), Status::Success);
/// ```
pub use bt_macros::condition;

/// A stored subtree: a function that builds one.
///
/// A plain function with a `tree!` in it works as well. The attribute adds a named node with the function's arguments to descriptions, hands
/// the context type to the `tree!` at its end, and lets a context that borrows be written `Ctx<'_>`.
///
/// ```
/// use bt_core::prelude::*;
///
/// struct World { log: Vec<&'static str> }
/// struct Ctx<'w> { world: &'w mut World }
///
/// #[action]
/// fn say(ctx: &mut Ctx<'_>, what: &'static str) { ctx.world.log.push(what) }
///
/// #[subtree]
/// fn greet(name: &'static str) -> impl Node<Ctx<'_>> {
///     tree! { sequence { say("hello"), say(name) } }
/// }
///
/// let tree = greet("ann");
/// let mut memory = tree.memory();
/// let mut world = World { log: Vec::new() };
/// tree.tick(&mut Ctx { world: &mut world }, &mut memory);
/// assert_eq!(world.log, ["hello", "ann"]);
///
/// assert_eq!(tree.description().to_string(), "\
/// greet(name: \"ann\")
/// └─ sequence
///    ├─ say(what: \"hello\")
///    └─ say(what: \"ann\")
/// ");
/// ```
///
/// A subtree that contains itself would have a type without end: see [`BoxNode`](crate::BoxNode).
pub use bt_macros::subtree;

/// A leaf with the full lifecycle, on an `impl Leaf<Context> for Type` block: see [`Leaf`](crate::Leaf).
///
/// What a node remembers may not depend on the context, so the block is split in two: `type Open` (`()` if left out), `const CAN` and
/// `fn name` go to [`LeafShape`](crate::leaf::LeafShape).
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Count { to: u32 }
///
/// #[leaf]
/// impl<C: ?Sized> Leaf<C> for Count {
///     type Open = u32;
///     fn open(&self, _: &mut C) -> u32 { 0 }
///     fn tick(&self, count: &mut u32, _: &mut C) -> Status {
///         *count += 1;
///         if *count < self.to { Status::Running } else { Status::Success }
///     }
/// }
///
/// let tree = tree! { for (): (Count { to: 2 }) };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Success);
/// ```
pub use bt_macros::leaf;

/// A decorator's policy, on an `impl Decorator<Context> for Type` block: see [`Decorator`](crate::Decorator).
///
/// What a node remembers may not depend on the context, so the block is split in two: `type Open`, `type Kept` (`()` if left out),
/// `type Pause` ([`Never`](crate::Never) if left out), `const STATUSES`, `const REQUIRES`, `fn name` and `fn params` go to
/// [`DecoratorShape`](crate::decorator::DecoratorShape).
///
/// ```
/// use bt_core::prelude::*;
///
/// /// Ticks its child only every n-th time.
/// struct Every { nth: u32 }
///
/// #[decorator]
/// impl<C: ?Sized> Decorator<C> for Every {
///     type Open = u32; // ticks since it began
///     type Pause = (); // may be running without its child
///     fn open(&self, ticks: &mut u32, kept: &mut (), ctx: &mut C) -> Gate<()> {
///         self.resume(ticks, kept, ctx)
///     }
///     fn resume(&self, ticks: &mut u32, _: &mut (), _: &mut C) -> Gate<()> {
///         *ticks += 1;
///         if *ticks % self.nth == 0 { Gate::Go } else { Gate::Pause(()) }
///     }
/// }
///
/// fn every<N>(nth: u32, child: N) -> Decorated<Every, N> {
///     decorate(Every { nth }, child)
/// }
///
/// let tree = tree! { for (): every(3) { succeed } };
/// let mut memory = tree.memory();
/// let ticks: Vec<_> = (0..3).map(|_| tree.tick(&mut (), &mut memory)).collect();
/// assert_eq!(ticks, [Status::Running, Status::Running, Status::Success]);
/// ```
pub use bt_macros::decorator;

/// Keys over the fields of a plain struct: the same leaves as on a [`Board`](crate::Board), with no lookup at all: the machine code is that of the
/// field accesses.
///
/// Each field gets a constant of its name in capitals. A field `Option<T>` is a `T` that may be unset; any other is always set. `unset` and
/// [`reset`](trait@crate::Blackboard) give it its default: that of its type, or the one in `#[board(default = …)]`. `#[board(skip)]`
/// leaves a field out.
///
/// ```
/// use bt_core::prelude::*;
///
/// #[derive(Blackboard, Default)]
/// struct Mind {
///     #[board(default = 1.0)]
///     hunger: f32,
///     target: Option<u32>,
/// }
///
/// struct Npc { mind: Mind }
/// impl HasBoard<Mind> for Npc {
///     fn board(&self) -> &Mind { &self.mind }
///     fn board_mut(&mut self) -> &mut Mind { &mut self.mind }
/// }
///
/// let tree = tree! {
///     for Npc: sequence { compare(Mind::HUNGER, |hunger| *hunger > 0.5), !is_set(Mind::TARGET), set(Mind::TARGET, 7) }
/// };
/// let mut npc = Npc { mind: Mind { hunger: 0.9, target: None } };
/// assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Status::Success);
/// assert_eq!(npc.mind.target, Some(7));
/// npc.mind.reset();
/// assert_eq!((npc.mind.hunger, npc.mind.target), (1.0, None));
/// ```
pub use bt_macros::Blackboard;
