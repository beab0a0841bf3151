//! The macros and their documentation.

/// A behavior tree, written inline. The macro expands to an expression whose type implements [`Node`](crate::Node).
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
/// tree       := [ "for" Type ":" ] ( node | "<" node ">" )
/// node       := attribute* ( "!" node | inner | branch | choice | machine | leaf )
/// inner      := KEYWORD [ "(" arguments ")" ] [ LABEL ] list     // a composite or decorator: see "Keywords"
///             | path [ "(" expressions ")" ] [ LABEL ] list      // a custom decorator or composite: path(expressions…, children)
///             | "within" "(" expression ")" list                 // a part of the context
/// branch     := ( "if" | "mem_if" ) condition [ LABEL ] "{" node "}" [ "else" ( branch | "{" node "}" ) ]
/// condition  := all ( "||" all )*
/// all        := one ( "&&" one )*
/// one        := attribute* ( "!" one | "(" condition ")" | leaf | inner )   // a leaf without a label
/// choice     := ( "match" | "mem_match" ) expression [ LABEL ] "{" ( pattern [ "if" expression ] "=>" node [","] )* "}"
/// list       := "{" child ("," child)* [","] "}"                 // no comma needed after a child that ends with a list
///             | "<" child ("," child)* [","] ">"                 // the same list
/// child      := cfg* ( node | ".." expression ) | expression "=>" node
/// cfg        := "#[cfg(" condition ")]"
/// leaf       := [ "&" ] path [ "(" expressions ")" ] access* [ LABEL ]  // a function, a call, a variable, a constant
///             | "(" expression ")" access* [ LABEL ]             // any other Rust expression
///             | closure [ LABEL ]
/// access     := "." field | "." method "(" expressions ")" | "?"
/// machine    := "machine" [ LABEL ] "{" ( state | any )* "}"     // "<" and ">" work here as well
/// state      := attribute* "state" NAME "{" part ("," part)* [","] "}"
/// part       := node | "enter" ":" node | "exit" ":" node | transition
/// any        := "any" "{" transition ("," transition)* [","] "}"
/// transition := attribute* ( condition | "success" | "failure" ) "->" ( NAME | "success" | "failure" )
/// attribute  := "#[allow(" LINT ("," LINT)* ")]" | "#[expect(" LINT ("," LINT)* ")]"
/// ```
///
/// `LABEL` is a string literal. `Type`, `path`, `expression` and `closure` are Rust syntax. Expressions capture the
/// variables around the macro.
///
/// # Context type
///
/// `for Npc:` names the context type. Without it, the type is inferred from the leaves, and errors are less precise. In
/// a [`#[subtree]`](macro@crate::subtree) function, the function determines it. A context that borrows is written
/// with its lifetime: `for Ctx<'_>:`. With `for<'w> Ctx<'w>:`, the tree and each of its leaves must be over
/// every lifetime.
///
/// # Keywords
///
/// A name is a keyword before a list of children and before arguments. Elsewhere it is an ordinary path, so a function can
/// be named `repeat`; it is called by its path, `self::repeat(3)`. Each keyword is documented in [`keywords`](crate::keywords).
///
/// | composite | behavior |
/// |---|---|
/// | [`selector`](crate::keywords::selector) | Ticks its children in order until one does not fail; starts from the first every tick. |
/// | [`sequence`](crate::keywords::sequence) | Ticks its children in order until one does not succeed; starts from the first every tick. |
/// | [`mem_selector`](crate::keywords::mem_selector) | Ticks its children in order until one does not fail; resumes at the running child. |
/// | [`mem_sequence`](crate::keywords::mem_sequence) | Ticks its children in order until one does not succeed; resumes at the running child. |
/// | [`kept_sequence`](crate::keywords::kept_sequence) | Like `mem_sequence`; after a failure, an error or a halt, the next run starts at the child where the last run ended. |
/// | [`if`](crate::keywords::if_else) | Ticks a condition every tick, and then the node that it selects. |
/// | [`mem_if`](crate::keywords::mem_if_else) | Like `if`; the condition is ticked once per run. |
/// | [`match`](crate::keywords::match_else) | Evaluates a function of the context every tick, and ticks the node after the first pattern that matches. |
/// | [`mem_match`](crate::keywords::mem_match_else) | Like `match`; the function is evaluated once per run. |
/// | [`utility_selector`](crate::keywords::utility_selector) | Ticks the child with the highest score. If it fails, ticks the child with the next highest score, and so on. |
/// | [`mem_utility_selector`](crate::keywords::mem_utility_selector) | Like `utility_selector`; resumes at the running child. |
/// | [`random_selector`](crate::keywords::random_selector) | Ticks its children in random order until one does not fail; resumes at the running child. |
/// | [`random_sequence`](crate::keywords::random_sequence) | Ticks its children in random order until one does not succeed; resumes at the running child. |
/// | [`parallel`](crate::keywords::parallel) | Ticks all of its children every tick until enough of them succeed or fail in the same tick. |
/// | [`mem_parallel`](crate::keywords::mem_parallel) | Ticks all of its children, each until it ends, until enough of them have succeeded or failed. |
/// | [`finally`](crate::keywords::finally) | Runs its first child, and then its second, the cleanup, also after a failure, an error or a halt. |
/// | [`machine`](crate::keywords::machine) | A state machine: ticks the node of its state and follows transitions to other states. |
///
/// | decorator | behavior |
/// |---|---|
/// | [`invert`](crate::keywords::invert) | Turns success into failure and failure into success. The short form is `!child`. |
/// | [`force_success`](crate::keywords::force_success) | Succeeds when its child succeeds or fails. |
/// | [`force_failure`](crate::keywords::force_failure) | Fails when its child succeeds or fails. |
/// | [`repeat`](crate::keywords::repeat) | Starts its child again each time it ends, at most once per tick. Never ends. |
/// | [`repeat(3)`](crate::keywords::repeat_times) | Runs its child the given number of times, within one tick if the child ends at once. Then succeeds. |
/// | [`retry(3)`](crate::keywords::retry) | Starts its child again when it fails, up to the given number of runs. |
/// | [`repeat_while_success(3)`](crate::keywords::repeat_while_success) | Starts its child again when it succeeds, up to the given number of runs. |
/// | [`until_failure`](crate::keywords::until_failure) | Starts its child again, at most once per tick, until it fails. Then succeeds. |
/// | [`until_success`](crate::keywords::until_success) | Starts its child again, at most once per tick, until it succeeds. |
/// | [`wait_until`](crate::keywords::wait_until) | Runs until its child succeeds. |
/// | [`limit(3)`](crate::keywords::limit) | Starts its child at most the given number of times in the lifetime of the memory. Then fails. |
/// | [`run_once`](crate::keywords::run_once) | Runs its child to success or failure once in the lifetime of the memory, and returns that outcome from then on. |
/// | [`succeed_once`](crate::keywords::succeed_once) | Runs its child until it has succeeded once in the lifetime of the memory. |
/// | [`fresh`](crate::keywords::fresh) | Clears all state kept across runs below it whenever its child starts. |
/// | [`by_event`](crate::keywords::by_event) | States that the outcome of its child changes only by events, so that a sleeping agent need not tick it. |
/// | [`timeout(secs(5))`](crate::keywords::timeout) | Halts its child and fails when the time is over. |
/// | [`delay(millis(500))`](crate::keywords::delay) | Waits for the given time before it starts its child. |
/// | [`cooldown(secs(5))`](crate::keywords::cooldown) | Fails for the given time after its child ends or is halted. |
/// | [`chance(0.3)`](crate::keywords::chance) | Starts its child with the given probability, otherwise fails. |
/// | [`service(secs(1), look_around)`](crate::keywords::service) | Runs an action when its child first starts, and then each time the period is over while the child runs. |
///
/// A decorator has exactly one child, a composite at least one. `!child` is `invert { child }`.
///
/// - **Counts** (`repeat`, `retry`, `repeat_while_success`, `limit`) are of type `u32`. A literal 0 is an error.
/// - **Times** (`timeout`, `delay`, `cooldown`, `service`, the leaf `wait`) are of type [`Duration`](core::time::Duration).
///   The context must implement [`Clock`](crate::Clock).
/// - The **probability** of `chance` is of type `f64`, from 0.0 to 1.0. The context must implement [`Random`](crate::Random).
/// - Counts, times and probabilities are expressions, or functions of the context, variables or ranges, which are evaluated
///   when a run starts: see [`IntoArgument`](crate::argument::IntoArgument).
/// - **Thresholds** (`parallel`, `mem_parallel`) are options: `parallel(success = all, failure = one) { … }`. A
///   threshold is `all`, `one` or a number of children, which can be computed. The defaults are `success = all` and
///   `failure = one`.
/// - **Weights** (`random_selector`, `random_sequence`) are numbers before the children:
///   `random_selector { 3 => attack, 1 => taunt }`. A child without a weight has the weight 1. The context must
///   implement [`Random`](crate::Random).
/// - The **action** of a `service` is a node that never returns `Running`.
/// - A **label** follows the keyword and its arguments, or a leaf: `selector "day" { go(DOCK) "to the dock" }`. It appears in
///   drawings and tools.
///   Siblings must have different labels.
///
/// # Leaves
///
/// | leaf | meaning |
/// |---|---|
/// | `hungry`, `eat` | A function of the context: `fn(&Npc) -> bool` is a condition, `fn(&mut Npc) -> Status` an action. |
/// | `eat(2)` | A call that returns a node, such as a function with [`#[action]`](macro@crate::action), [`#[condition]`](macro@crate::condition) or [`#[subtree]`](macro@crate::subtree). |
/// | `patrol` | A function without parameters that returns a node. |
/// | `\|npc: &Npc\| npc.hunger > 3` | A closure. It must name the type of its parameter. |
/// | `&shared` | A reference to a node. One value can appear in several positions of a tree; each position has state of its own. |
/// | `(Talk { takes: secs(5) })` | Any other expression, in parentheses. A struct literal needs them too. |
/// | [`succeed`](crate::leaf::succeed), [`fail`](crate::leaf::fail), [`run`](crate::leaf::run), [`error`](crate::leaf::error), [`wait(secs(1))`](crate::leaf::wait) | The leaves of this crate. |
///
/// A path can be followed by field accesses, method calls and `?`: `self.patrol`, `config.route(3)`. See
/// [`IntoNode`](crate::leaf::IntoNode) for all types that can be leaves, and [`board`](crate::board) for leaves that
/// read and set variables.
///
/// # Custom decorators and composites
///
/// Any other path before a list of children is a custom decorator or composite: a function whose last parameter is the
/// child or the list of children. `every(3) { attack }` calls `every(3, …)`. It can have a label. If its name
/// resembles a keyword, or is the name of a keyword in another library, the macro reports a misspelled keyword. Write
/// `self::name` then. See [`Decorator`](crate::decorator::Decorator) and [`Composite`](crate::composite::Composite).
///
/// A custom composite can have an expression before each child: `utility { hunger => eat, boredom => dance }`. Its
/// function receives them as an array, after its other arguments.
///
/// # Parts of the context
///
/// `within(|npc: &mut Npc| &mut npc.weapon) { reload }` runs a tree over a part of the context. See
/// [`within`](crate::keywords::within).
///
/// # Children in containers
///
/// `..expression` in a list puts the nodes of an `Option`, an array or a `Vec` into the list, each as a child of its own:
/// `selector { flee, ..patrols, idle }`. `#[cfg(…)]` before a child works as before a statement.
///
/// ```
/// use bt_core::prelude::*;
///
/// let steps = (1..4).map(|by| move |n: &mut u32| *n += by).collect::<Vec<_>>();
/// let tree = tree! { for u32: sequence { ..steps, #[cfg(any())] missing, |n: &mut u32| *n *= 10 } };
/// let mut n = 0;
/// assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
/// assert_eq!(n, 60);
/// ```
///
/// # State machines
///
/// A `machine` consists of states. The first state is the initial one. Each state has exactly one node. It can have
/// `enter:` and `exit:` actions and any number of transitions, in any order. The block `any` contains the transitions
/// that apply in every state.
///
/// ```
/// use bt_core::prelude::*;
///
/// let lamp = tree! {
///     for bool: machine "lamp" {
///         state off { run, |on: &bool| *on -> on }
///         state on  { run, |on: &bool| !*on -> off }
///     }
/// };
/// # lamp.tick(&mut true, &mut lamp.memory());
/// ```
///
/// The guard of a transition is a node that never returns `Running`. `success ->` and `failure ->` are followed when the node
/// of the state ends. `-> success` and `-> failure` end the machine. See
/// [`keywords::machine`](crate::keywords::machine).
///
/// # Angle brackets
///
/// Every list can be written in angle brackets instead of braces, and angle brackets can surround the root:
/// `tree! { < selector < sequence < near, attack > patrol > > }`. Both forms have the same type (see below). In angle
/// brackets a closure ends at the next `,` or `>`, and in a state at the next `->`. A body that contains such an
/// operator needs braces: `|npc: &Npc| { npc.flags >> 2 == 1 }`.
///
/// # Allowed lints
///
/// `#[allow(name)]` before a node, a state or a transition permits something that the compiler would report.
/// `#[expect(name)]` does the same, and is an error if there is nothing to report. The names are `unreachable`,
/// `endless`, `pointless` and `threshold`: see [`check`](crate::check). A weight precedes the attribute:
/// `3 => #[allow(unreachable)] attack`.
///
/// # Types
///
/// The brackets do not affect the type of the tree:
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
/// let outer = tree! { < selector < sequence < a, b >, c > > };
/// let with_context = tree! { for (): < selector < sequence < a, b >, c > > };
/// same_type(&angles, &braces);
/// same_type(&angles, &outer);
/// same_type(&angles, &with_context);
/// assert_eq!(outer.description().to_string(), braces.description().to_string());
/// # node::<_>(&angles);
/// ```
///
/// # Errors
///
/// The macro reports all errors in a tree together, each at its token. The compiler finds nodes that can never run, and
/// similar mistakes, when it generates code: see [`check`](crate::check). The guide lists all errors.
///
/// ```compile_fail
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): selctor { succeed, fail } }; // error: unknown keyword `selctor`
/// ```
#[macro_export]
macro_rules! tree {
    ($($tree:tt)*) => {
        $crate::__private::tree!($crate; $($tree)*)
    };
}

// By a path that does not also name a module, as `crate::tree` does.
pub use tree;

/// A tree from a file of the Behavior3 editor, built in at compile time. It has the same static, monomorphized types as
/// the equivalent [`tree!`]. Requires the feature `json`.
///
/// The first argument is the path of the file. It is followed by the context type (`for Guard:`, optional) and by the
/// custom node names of the file. `Name => function` maps a name to a function. A name alone is mapped to the function
/// of the same name.
///
/// Leaves with properties are `#[action]` and `#[condition]` functions whose parameters have the names of the
/// properties. The file must set all of them. A custom decorator takes at most one property. Properties are numbers,
/// booleans, text, and lists of these. A struct or an enum with data cannot be a property here. Load such a tree with a
/// `Registry` of the crate `bt-dynamic` at run time.
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Guard { enemy: Option<f32>, post: u32 }
///
/// #[condition]
/// fn enemy_within(guard: &Guard, meters: f32) -> bool { guard.enemy.is_some_and(|distance| distance < meters) }
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
/// assert_eq!(tree.description().lines()[2], "│  ├─ EnemyWithin(meters: 10.0) \"enemy within 10\"");
/// assert_eq!(size_of_val(&tree.memory()), 1);
/// ```
///
/// The path is relative to the folder of the source file, as for `include_str!`, or to the root of the crate. The crate
/// is rebuilt when the file changes. In a project with several trees, `"project.b3.json" as "guard"` selects a tree by
/// its id or title.
///
/// Each error in the file, in a name or in a property is a compile error that names the node's id and title. Nodes that
/// can never run are found as in [`tree!`].
///
/// During development, the same file can be loaded with a `Registry` of the crate `bt-dynamic`. The loaded tree behaves
/// the same, and can be changed while the program runs.
#[cfg(feature = "json")]
#[macro_export]
macro_rules! tree_from_json {
    ($($file:tt)*) => {
        $crate::__private::tree_from_json!($crate; $($file)*)
    };
}

/// A tree from a `.bt` file, which contains the [text of a `tree!`](tree!), built in at compile time. It has the same types,
/// arguments and rules as [`tree_from_json!`]. Requires the feature `text`.
///
/// The names of a leaf's parameters follow its name, if the file has arguments without names: `near(meters)` for `near(10.0)`,
/// or with another function, `near(meters) => is_near`. Names in the file can be paths, such as `combat::attack`.
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Guard { enemy: Option<f32>, post: u32 }
///
/// #[condition]
/// fn enemy_within(guard: &Guard, meters: f32) -> bool { guard.enemy.is_some_and(|distance| distance < meters) }
/// fn attack(_: &mut Guard) -> Status { Status::Running }
/// fn patrol(guard: &mut Guard) -> Status { guard.post += 1; Status::Running }
///
/// fn guard() -> impl Node<Guard> {
///     bt_core::tree_from_file!("src/file/guard.bt", for Guard: enemy_within(meters), attack, patrol)
/// }
///
/// let tree = guard();
/// let mut ann = Guard { enemy: None, post: 0 };
/// assert_eq!(tree.tick(&mut ann, &mut tree.memory()), Status::Running);
/// assert_eq!(ann.post, 1);
/// assert_eq!(tree.description().lines()[2], "│  ├─ enemy_within(meters: 10.0)");
/// ```
///
/// Errors in the file are reported with its line and column: ``guard.bt:2:24: unknown node `atack` ``.
#[cfg(feature = "text")]
#[macro_export]
macro_rules! tree_from_file {
    ($($file:tt)*) => {
        $crate::__private::tree_from_file!($crate; $($file)*)
    };
}

/// Turns a function into a leaf with parameters, such as `any_around(KINDS, 50.0)` in a tree.
///
/// From `fn(&mut Context, parameters…) -> output`, the attribute generates a type of the same name that holds the
/// parameters, and a function that creates a value of it. The function's return type is an
/// [`ActionOutput`](crate::leaf::ActionOutput).
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
/// # State of a run
///
/// A parameter marked `#[open]` is not a parameter of the node. It is state that exists from the start of a run to its
/// end. Its initial value is the default of its type, or the expression in `#[open(…)]`, which can use the context and
/// the other parameters.
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
/// # State kept across runs
///
/// A parameter marked `#[kept]` is not a parameter of the node either. It is state of an agent that is kept across runs.
/// It starts with the default of its type. A condition can have kept state, too.
///
/// ```
/// use bt_core::prelude::*;
///
/// /// Succeeds if the goal has changed since the last tick of this condition.
/// #[condition]
/// fn is_new(goal: &u32, #[kept] last: &mut Option<u32>) -> bool {
///     last.replace(*goal) != Some(*goal)
/// }
///
/// let tree = tree! { for u32: is_new };
/// let mut memory = tree.memory();
/// assert_eq!([3, 3, 4].map(|mut goal| tree.tick(&mut goal, &mut memory) == Status::Success), [true, false, true]);
/// ```
///
/// # Futures
///
/// With the feature `async`, an action can return a future, `fn go(robot: &mut Robot) -> impl Future<Output = bool>`, or be an
/// `async fn`. See [`task`](crate::task).
///
/// # Parameters
///
/// | written as | stored in the node | passed to the function |
/// |---|---|---|
/// | `radius: f32` | an `f32` | a copy, so the type must be `Copy` |
/// | `kinds: &'static [Kind]` | the reference | the reference |
/// | `names: &Vec<String>` | a `Vec<String>` | a reference |
/// | `name: &str`, `kinds: &[Kind]` | a `&'static` reference | the reference |
///
/// `#[param(default = 5.0, unit = "m")]` on a parameter sets its default and its unit. Descriptions show both.
/// `name::with_defaults(…)` takes only the parameters without a default; methods set the others. If all parameters have a
/// default, `name` alone is the leaf with the defaults.
///
/// `#[input]` lets a parameter be a value or a [`Key`](crate::board::Key) of the context's [board](crate::board):
///
/// | written as | stored in the node | passed to the function |
/// |---|---|---|
/// | `#[input] goal: Pose` | a `Pose` or a `Key<Pose>` | a clone |
/// | `#[input] path: &Path` | a `Path` or a `Key<Path>` | a reference; in an action, to a clone of the variable |
/// | `#[input] name: &str`, `#[input] ids: &[u32]` | a `String` or a `Vec`, or a key of one | a reference, likewise |
/// | `#[input] via: Option<Pose>` | a `Pose`, a `Key<Pose>`, or nothing | `None` if the variable is not set |
///
/// If a variable that is not optional is not set, or if a variable has another type, the leaf returns `Error`. Observers
/// and the context receive a [`ParameterError`](crate::board::ParameterError).
///
/// `#[output]` is a parameter of type `&mut Option<T>`. The node stores a [`Key`](crate::board::Key). A value that the function
/// puts into the `Option` is stored on the context's own board.
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
/// let tree = tree! { for Npc: selector { in_range, in_range(SIGHT), in_range(20.0) } };
/// assert_eq!(tree.description().to_string(), "\
/// selector
/// ├─ in_range(distance: 5.0 m)
/// ├─ in_range(distance: {sight} m)
/// └─ in_range(distance: 20.0 m)
/// ");
/// # let mut npc = Npc { seen_at: 10.0, board: Board::new() };
/// # npc.board.set(&SIGHT, 7.0);
/// # assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Status::Success);
/// ```
///
/// A parameter marked `#[at]` receives the id of the node in the ticked tree. The id serves as a key for data that
/// belongs to this node only, on a [board](crate::board::Key::in_node) or in a map.
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
/// Generics and where-clauses are carried over. A type parameter that occurs only in the context (`C: HasHealth`) is
/// not a parameter of the generated type. A context that borrows is written `Ctx<'_>`. A generic *plain* function does
/// not fit a tree over a context that borrows, because it is instantiated for one lifetime. Add `#[action]` or
/// `#[condition]` to such a function.
///
/// In a crate that uses `bt-core` through another crate, write its path: `#[action(crate = engine::bt)]`. A renamed
/// dependency needs no path.
pub use bt_macros::action;

/// Turns a function `fn(&Context, parameters…) -> bool` into a leaf with parameters that only reads the context.
///
/// A condition never returns `Running`, so it has no `#[open]` state. In all other respects it is like
/// [`#[action]`](macro@crate::action).
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Npc { enemies: Vec<f32> }
///
/// #[condition]
/// fn enemy_within(npc: &Npc, meters: f32) -> bool {
///     npc.enemies.iter().any(|distance| *distance < meters)
/// }
///
/// let tree = tree! { for Npc: sequence { enemy_within(10.0), !enemy_within(2.0) } };
/// assert_eq!(tree.tick(&mut Npc { enemies: vec![5.0] }, &mut tree.memory()), Status::Success);
/// ```
///
/// `#[condition(event)]` states that the outcome changes only by events, so that a sleeping agent need not tick it: see
/// [`by_event`](crate::keywords::by_event).
///
/// In a crate that uses `bt-core` through another crate, write its path: `#[condition(crate = engine::bt)]`. A renamed
/// dependency needs no path.
pub use bt_macros::condition;

/// Turns a function that returns a tree into a named subtree.
///
/// A plain function that contains a `tree!` works as well. The attribute adds three things:
///
/// - Descriptions show a named node with the function's arguments above the tree.
/// - The `tree!` at the end of the function receives the context type.
/// - A context that borrows can be written `Ctx<'_>`.
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
/// A subtree that contains itself would have an infinite type: see [`BoxNode`](crate::BoxNode).
///
/// In a crate that uses `bt-core` through another crate, write its path: `#[subtree(crate = engine::bt)]`. A renamed
/// dependency needs no path.
pub use bt_macros::subtree;

/// Implements a leaf with the full lifecycle, on an `impl Leaf<Context> for Type` block: see [`Leaf`](crate::leaf::Leaf).
///
/// The state of a node must not depend on the context, so the attribute splits the block in two. `type Open` (`()` if
/// omitted), `const RETURNS`, `fn name`, `fn params`, `fn shift` and `fn wake` move to an implementation of
/// [`LeafShape`](crate::leaf::LeafShape). `fn open` can be omitted if the state implements `Default`.
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Count { to: u32 }
///
/// #[leaf]
/// impl<C: ?Sized> Leaf<C> for Count {
///     type Open = u32; // starts at 0
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
///
/// # All items
///
/// All but `tick` can be omitted. These are the defaults, except for the types:
///
/// ```
/// use bt_core::describe::Param;
/// use bt_core::prelude::*;
/// use bt_core::{Outcomes, Shift, Wake};
///
/// struct Npc;
/// struct Rest;
///
/// #[leaf]
/// impl Leaf<Npc> for Rest {
///     type Open = u32;                                                   // the state of a run
///     const RETURNS: Outcomes = Outcomes::ANY;                           // what `tick` can return
///     fn enter(&self, ctx: &mut Npc) {}                                  // each tick, first
///     fn open(&self, ctx: &mut Npc) -> u32 { 0 }                         // a run starts
///     fn tick(&self, open: &mut u32, ctx: &mut Npc) -> Status { Status::Running }
///     fn close(&self, open: &mut u32, ctx: &mut Npc, end: End) {}        // the run has ended or was halted
///     fn pause(&self, open: &mut u32, ctx: &mut Npc) {}
///     fn unpause(&self, open: &mut u32, ctx: &mut Npc) {}
///     fn exit(&self, ctx: &mut Npc, status: Status) {}                   // each tick, last
///     fn wake(&self, open: &u32) -> Wake { Wake::Next }                  // when it has to be ticked again
///     fn shift(&self, open: &mut u32, by: Shift) {}                      // converts times in the state
///     fn name(&self) -> &str { "Rest" }
///     fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) { show(&[]) }
/// }
///
/// let tree = tree! { for Npc: (Rest) };
/// assert_eq!(tree.tick(&mut Npc, &mut tree.memory()), Status::Running);
/// ```
///
/// In a crate that uses `bt-core` through another crate, write its path: `#[leaf(crate = engine::bt)]`. A renamed
/// dependency needs no path.
pub use bt_macros::leaf;

/// Implements the policy of a decorator, on an `impl Decorator<Context> for Type` block: see
/// [`Decorator`](crate::decorator::Decorator).
///
/// The state of a node must not depend on the context, so the attribute splits the block in two. These items move to an
/// implementation of [`DecoratorShape`](crate::decorator::DecoratorShape): `type Open` and `type Kept` (`()` if
/// omitted), `type Pause` ([`Never`](crate::Never) if omitted), `const RETURNS`, `const REQUIRES`, `const BROKEN`,
/// `const RESTARTS`, `fn name`, `fn params`, `fn shift`, `fn wake` and `fn foresee`.
///
/// ```
/// use bt_core::decorator::{Decorated, Gate, decorate};
/// use bt_core::prelude::*;
///
/// /// Ticks its child only every nth time.
/// struct Every { nth: u32 }
///
/// #[decorator]
/// impl<C: ?Sized> Decorator<C> for Every {
///     type Open = u32; // ticks since the run began
///     type Pause = (); // can be running while its child is not
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
///
/// # All items
///
/// All items can be omitted. These are the defaults, except for the types:
///
/// ```
/// use bt_core::check::Requirement;
/// use bt_core::decorator::{AfterChild, Decorated, Gate, StatusMap, decorate};
/// use bt_core::describe::Param;
/// use bt_core::prelude::*;
/// use bt_core::{Cause, Shift, Wake};
///
/// struct Npc;
/// struct Plain;
///
/// #[decorator]
/// impl Decorator<Npc> for Plain {
///     type Open = u32;                                       // the state of a run
///     type Kept = bool;                                      // the state across runs
///     type Pause = ();                                       // `()` if it can be running while its child is not
///     const RETURNS: StatusMap = StatusMap::UNKNOWN;         // what it can return, given what the child returns
///     const REQUIRES: &'static [Requirement] = &[];          // what the child has to be able to return
///     const BROKEN: Option<&'static str> = None;             // an error message with any child
///     const RESTARTS: bool = false;                          // `true` without state and without an effect before its child
///     const CAUSE: Cause = Cause::Ended;                     // why a running child is halted when the decorator ends
///     fn open(&self, open: &mut u32, kept: &mut bool, ctx: &mut Npc) -> Gate<()> { Gate::Go }
///     fn resume(&self, open: &mut u32, kept: &mut bool, ctx: &mut Npc) -> Gate<()> { Gate::Go }
///     fn running(&self, open: &mut u32, kept: &mut bool, ctx: &mut Npc) -> Option<Outcome> { None }
///     fn end(&self, outcome: Outcome, open: &mut u32, kept: &mut bool, ctx: &mut Npc) -> AfterChild<()> {
///         AfterChild::End(outcome)
///     }
///     fn error(&self, open: &mut u32, kept: &mut bool, ctx: &mut Npc) -> Outcome { Outcome::Error }
///     fn reason(&self, ctx: &Npc, show: &mut dyn FnMut(&dyn std::fmt::Display)) {}
///     fn close(&self, open: &mut u32, kept: &mut bool, ctx: &mut Npc, end: End) {}
///     fn adopt(&self, open: &mut u32, kept: &mut bool, ctx: &mut Npc) -> bool { true }
///     fn wake(&self, open: &u32, kept: &bool, child: Option<Wake>) -> Wake { Wake::Next }
///     fn foresee(&self, kept: &bool, child: &mut dyn FnMut() -> Option<(Outcome, Wake)>) -> Option<(Outcome, Wake)> { None }
///     fn shift(&self, open: Option<&mut u32>, kept: &mut bool, by: Shift) {}
///     fn name(&self) -> &str { "Plain" }
///     fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) { show(&[]) }
/// }
///
/// fn plain<N>(child: N) -> Decorated<Plain, N> { decorate(Plain, child) }
///
/// let tree = tree! { for Npc: plain { fail } };
/// assert_eq!(tree.tick(&mut Npc, &mut tree.memory()), Status::Failure);
/// ```
///
/// In a crate that uses `bt-core` through another crate, write its path: `#[decorator(crate = engine::bt)]`. A renamed
/// dependency needs no path.
pub use bt_macros::decorator;

/// Implements the rule of a composite, on an `impl Composite<Context> for Type` block: see
/// [`Composite`](crate::composite::Composite).
///
/// The state of a node must not depend on the context, so the attribute splits the block in two. These items move to an
/// implementation of [`CompositeShape`](crate::composite::CompositeShape): `type Open` and `type Kept` (`()` if omitted),
/// `type Running` ([`OneAtATime`](crate::composite::OneAtATime) if omitted), `type Marks`
/// ([`NoMarks`](crate::composite::NoMarks) if omitted), `const CHILDREN`, `const RETURNS`, `fn name`, `fn params`,
/// `fn shift`, `fn wake`, `fn foresee` and `fn adopt`.
///
/// `#[composite(children = 2)]` sets `CHILDREN`, the number of children that the composite takes. `1..=4` and `2..` are
/// ranges. Any other number of children is a compile error.
///
/// ```
/// use bt_core::composite::{Children, Several};
/// use bt_core::decorator::StatusMap;
/// use bt_core::composite::{Composed, Returns, compose};
/// use bt_core::prelude::*;
///
/// /// Ticks all children in every tick. Fails if one of them has failed, succeeds if all have succeeded.
/// struct VisitAll;
///
/// #[composite]
/// impl<C: ?Sized> Composite<C> for VisitAll {
///     type Running = Several;
///     const RETURNS: Returns = Returns::AnyChild(StatusMap::SAME);
///     fn tick(&self, children: &mut impl Children<C>, _: &mut (), _: &mut (), ctx: &mut C) -> Status {
///         let mut result = Status::Success;
///         for child in 0..children.len() {
///             result = match (result, children.tick(child, ctx)) {
///                 (Status::Failure, _) | (_, Status::Failure) => Status::Failure,
///                 (Status::Running, _) | (_, Status::Running) => Status::Running,
///                 (result, _) => result,
///             };
///         }
///         result
///     }
/// }
///
/// fn visit_all<L>(children: L) -> Composed<VisitAll, L> { compose(VisitAll, children) }
///
/// let count = |n: &mut u32| *n += 1;
/// let tree = tree! { for u32: visit_all { count, fail, count } };
/// let mut n = 0;
/// assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Failure);
/// assert_eq!(n, 2);
/// ```
///
/// # All items
///
/// All but `tick` can be omitted. These are the defaults, except for the types:
///
/// ```
/// use bt_core::composite::{Adopted, ChildCount, ChildWakes, Children, Composed, OneAtATime, NoMarks, Returns, compose};
/// use bt_core::decorator::StatusMap;
/// use bt_core::describe::Param;
/// use bt_core::prelude::*;
/// use bt_core::{Shift, Wake};
///
/// struct Npc;
/// struct First;
///
/// #[composite]
/// impl Composite<Npc> for First {
///     type Open = u32;                                       // the state of a run
///     type Kept = bool;                                      // the state across runs
///     type Running = OneAtATime;                             // or `Several`
///     type Marks = NoMarks;                                  // or `PerTick`, `PerRun`
///     const CHILDREN: ChildCount = ChildCount::ANY;          // the same as `#[composite(children = …)]`
///     const RETURNS: Returns = Returns::AnyChild(StatusMap::UNKNOWN);
///     fn tick(&self, children: &mut impl Children<Npc>, open: &mut u32, kept: &mut bool, ctx: &mut Npc) -> Status {
///         children.tick(0, ctx)
///     }
///     fn close(&self, open: &mut u32, kept: &mut bool, ctx: &mut Npc, end: End) {}
///     fn adopt(&self, open: &mut u32, kept: &mut bool, children: &mut Adopted<'_>) -> bool { children.is_in_place() }
///     fn wake(&self, open: &u32, kept: &bool, children: &mut dyn ChildWakes) -> Wake { Wake::Next }
///     fn foresee(&self, kept: &bool, children: &mut dyn ChildWakes) -> Option<(Outcome, Wake)> { None }
///     fn shift(&self, open: Option<&mut u32>, kept: &mut bool, by: Shift) {}
///     fn name(&self) -> &str { "First" }
///     fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) { show(&[]) }
/// }
///
/// fn first<L>(children: L) -> Composed<First, L> { compose(First, children) }
///
/// let tree = tree! { for Npc: first { fail, succeed } };
/// assert_eq!(tree.tick(&mut Npc, &mut tree.memory()), Status::Failure);
/// ```
///
/// [`Children`](crate::composite::Children) has the methods of `children`.
///
/// In a crate that uses `bt-core` through another crate, write its path: `#[composite(crate = engine::bt)]`. A renamed
/// dependency needs no path.
pub use bt_macros::composite;

/// Generates keys for the fields of a struct. The leaves of a [`Board`](crate::board::Board) accept them, and compile to field
/// accesses without a lookup.
///
/// Each field has an associated constant with its name in upper case. A field of type `Option<T>` is a variable of type
/// `T` that can be unset. A field of any other type is always set. `unset` and [`reset`](crate::board::Blackboard) set a
/// field to its default: that of its type, or the value in `#[board(default = …)]`. `#[board(skip)]` excludes a field.
///
/// ```
/// use bt_core::board::{compare, is_set, set};
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
///
/// In a crate that uses `bt-core` through another crate, write its path before the struct: `#[board(crate = engine::bt)]`.
pub use bt_macros::Blackboard;
