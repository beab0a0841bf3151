"""Does rust-analyzer help inside a half-typed `tree!`? Needs a rust-analyzer: `rustup component add rust-analyzer`, or

    RUST_ANALYZER=path/to/rust-analyzer python3 tests/editor/check.py

Prints a line per question and fails if an answer is wrong.
"""

import os
import pathlib
import sys
import tempfile
import time

from lsp import Server

HERE = pathlib.Path(__file__).resolve().parent
CORE = HERE.parent.parent / "bt-core"

MANIFEST = f"""
[package]
name = "half-typed"
edition = "2024"
[dependencies]
bt-core = {{ path = "{CORE}" }}
[workspace]
"""

BEFORE = """
use bt_core::prelude::*;

pub struct Npc { hunger: u32, now: Duration }
impl Clock for Npc { fn now(&self) -> Duration { self.now } }

/// Looks around.
fn enemy_near(npc: &Npc) -> bool { npc.hunger > 3 }
fn attack(_: &mut Npc) -> Status { Status::Running }
mod leaves {
    pub fn flee(_: &mut super::Npc) -> bool { true }
}
struct Stored<N> { patrol: N }
/// Eats so much.
#[action]
fn eat(npc: &mut Npc, bites: u32) { npc.hunger -= bites }

fn main() {
    let stored = Stored { patrol: attack };
"""
AFTER = """
}
"""

# What is typed, with the cursor at `$0`; the question; what the answer has to contain.
COMPLETIONS = [
    ("in an empty list", "let _ = tree! { for Npc: selector { $0 } };", ["enemy_near", "attack", "succeed"]),
    ("in an empty list in a list", "let _ = tree! { for Npc: selector { sequence { $0 }, attack } };", ["enemy_near"]),
    ("of a name begun", "let _ = tree! { for Npc: selector { enemy_near, att$0 } };", ["attack"]),
    ("after a path", "let _ = tree! { for Npc: selector { enemy_near, leaves::$0 } };", ["flee"]),
    ("after a path, with more behind", "let _ = tree! { for Npc: selector { leaves::$0, attack } };", ["flee"]),
    ("after a value", "let _ = tree! { for Npc: selector { enemy_near, stored.$0 } };", ["patrol"]),
    ("after a value, with more behind", "let _ = tree! { for Npc: selector { stored.$0, attack } };", ["patrol"]),
    ("behind a missing comma", "let _ = tree! { for Npc: selector { enemy_near att$0 } };", ["attack"]),
    ("beside a misspelt keyword", "let _ = tree! { for Npc: selector { sequnce { attack }, att$0 } };", ["attack"]),
    ("inside a misspelt keyword", "let _ = tree! { for Npc: selctor { enemy_near, leaves::$0 } };", ["flee"]),
    ("beside a missing argument", "let _ = tree! { for Npc: selector { retry { attack }, leaves::$0 } };", ["flee"]),
    ("in an argument", "let _ = tree! { for Npc: timeout(sec$0) { attack } };", ["secs"]),
    ("in a closure", "let _ = tree! { for Npc: selector { |npc: &Npc| npc.$0 } };", ["hunger", "now"]),
    ("in angle brackets", "let _ = tree! { for Npc: selector < enemy_near, leaves::$0 > };", ["flee"]),
    ("under a decorator", "let _ = tree! { for Npc: invert { $0 } };", ["enemy_near"]),
    ("behind a bang", "let _ = tree! { for Npc: !ene$0 };", ["enemy_near"]),
    ("in a state", "let _ = tree! { for Npc: machine { state a { att$0, enemy_near -> b } state b { attack } } };", ["attack"]),
    ("before an arrow", "let _ = tree! { for Npc: machine { state a { attack, ene$0 -> b } state b { attack } } };", ["enemy_near"]),
    ("after a path before an arrow", "let _ = tree! { for Npc: machine { state a { attack, leaves::$0 -> b } state b { attack } } };", ["flee"]),
    ("in a hook", "let _ = tree! { for Npc: machine { state a { attack, enter: ea$0 } } };", ["eat"]),
    ("in an arrow of any", "let _ = tree! { for Npc: machine { state a { attack } any { ene$0 -> a } } };", ["enemy_near"]),
    ("in a service", "let _ = tree! { for Npc: service(secs(1), ea$0) { attack } };", ["eat"]),
    ("behind an attribute", "let _ = tree! { for Npc: selector { attack, #[allow(unreachable)] leaves::$0 } };", ["flee"]),
    ("behind a weight", "let _ = tree! { for Npc: random_selector { 3 => leaves::$0 } };", ["flee"]),
    ("under an own decorator", "let _ = tree! { for Npc: own(3) { leaves::$0 } };", ["flee"]),
    ("in an argument too many", "let _ = tree! { for Npc: limit(1, sec$0) { attack } };", ["secs"]),
    ("in a second root", "let _ = tree! { for Npc: attack, leaves::$0 };", ["flee"]),
    ("before an arrow to no state", "let _ = tree! { for Npc: machine { state a { attack, leaves::$0 -> nowhere } } };", ["flee"]),
    ("in a subtree", "#[subtree] fn s() -> impl Node<Npc> { tree! { selector { leaves::$0 } } }", ["flee"]),
    ("of a parameter in a subtree", "#[subtree] fn s(bites: u32) -> impl Node<Npc> { tree! { selector { eat(bi$0), attack } } }", ["bites"]),
    ("of a child that is a parameter", "#[subtree] fn s(child: impl Node<Npc>) -> impl Node<Npc> { tree! { selector { eat(3), chi$0 } } }", ["child"]),
    ("in a closure in a subtree", "#[subtree] fn s(bites: u32) -> impl Node<Npc> { tree! { |npc: &Npc| npc.hunger > bi$0 } }", ["bites"]),
    ("in a generic subtree", "#[subtree] fn s<C: Clock>(part: impl Node<C>) -> impl Node<C> { tree! { sequence { par$0 } } }", ["part"]),
    ("in a generic action", "#[action] fn rest<C: Clock>(ctx: &mut C, bites: u32) { ctx.no$0 }", ["now"]),
    ("in the function of a part", "let _ = tree! { for Npc: within(|npc: &mut Npc| &mut npc.$0) { attack } };", ["hunger"]),
    ("in a part", "let _ = tree! { for Npc: within(|npc: &mut Npc| &mut npc.hunger) { sequence { |hunger: &u32| hunger.cl$0 } } };", ["clamp"]),
    ("of a keyword", "let _ = tree! { for Npc: selector { sel$0 } };", ["selector", "mem_selector", "utility_selector", "enemy_near"]),
    ("of a keyword at the root", "let _ = tree! { for Npc: seq$0 };", ["sequence", "mem_sequence", "kept_sequence"]),
    ("of a keyword without a context", "let _ = tree! { seq$0 };", ["sequence", "mem_sequence"]),
    ("of a keyword in an empty list", "let _ = tree! { for Npc: selector { $0 } };", ["sequence", "parallel", "retry", "machine", "within"]),
    ("of a keyword behind a leaf", "let _ = tree! { for Npc: selector { enemy_near, par$0 } };", ["parallel", "mem_parallel"]),
    ("of a keyword behind braces", "let _ = tree! { for Npc: selector { sequence { attack } rep$0 } };", ["repeat", "repeat_while_success"]),
    ("of a keyword in a nested list", "let _ = tree! { for Npc: selector { sequence { ret$0 } } };", ["retry"]),
    ("of a keyword under a decorator", "let _ = tree! { for Npc: invert { tim$0 } };", ["timeout"]),
    ("of a keyword behind a bang", "let _ = tree! { for Npc: !inv$0 };", ["invert"]),
    ("of a keyword in angle brackets", "let _ = tree! { for Npc: selector < enemy_near, coo$0 > };", ["cooldown"]),
    ("of a keyword in a state", "let _ = tree! { for Npc: machine { state a { sel$0 } } };", ["selector"]),
    ("of a keyword behind a weight", "let _ = tree! { for Npc: random_selector { 3 => wit$0 } };", ["within"]),
    ("of a keyword in an if", "let _ = tree! { for Npc: if enemy_near { sel$0 } };", ["selector"]),
    ("of a keyword in an arm", "let _ = tree! { for Npc: match |npc: &Npc| npc.hunger { 0 => mac$0, _ => attack } };", ["machine"]),
    ("of a keyword beside an error", "let _ = tree! { for Npc: selector { sequnce { attack }, del$0 } };", ["delay"]),
    ("of a keyword behind a missing comma", "let _ = tree! { for Npc: selector { enemy_near ser$0 } };", ["service"]),
    ("of a keyword in a subtree", "#[subtree] fn s() -> impl Node<Npc> { tree! { selector { mem_$0 } } }", ["mem_selector", "mem_match"]),
    ("of a state in a machine", "let _ = tree! { for Npc: machine { state a { attack } sta$0 } };", ["state", "any"]),
    ("of a target", "let _ = tree! { for Npc: machine { state idle { attack, enemy_near -> fl$0 } state flight { attack, enemy_near -> idle } } };", ["flight", "idle", "success", "failure"]),
    ("of a target not begun", "let _ = tree! { for Npc: machine { state idle { attack, enemy_near -> $0 } state flight { attack, enemy_near -> idle } } };", ["flight", "idle"]),
    ("of a target beside an outcome", "let _ = tree! { for Npc: machine { state idle { attack, enemy_near -> success, success -> $0 } } };", ["idle"]),
    ("of a target of any", "let _ = tree! { for Npc: machine { state idle { attack } any { enemy_near -> id$0 } } };", ["idle"]),
    ("of an option", "let _ = tree! { for Npc: parallel(suc$0) { attack, attack } };", ["success", "failure"]),
    ("of a second option", "let _ = tree! { for Npc: parallel(success = all, fa$0) { attack, attack } };", ["failure"]),
    ("of an option with a value", "let _ = tree! { for Npc: parallel(suc$0 = all) { attack, attack } };", ["success"]),
    ("of an option of a selector", "let _ = tree! { for Npc: utility_selector(ke$0) { 1 => attack } };", ["keep"]),
    ("of a threshold", "let _ = tree! { for Npc: parallel(success = al$0) { attack, attack } };", ["all", "one"]),
    ("of a threshold not begun", "let _ = tree! { for Npc: parallel(success = $0) { attack, attack } };", ["all", "one"]),
    ("of an action's name", "let _ = tree! { for Npc: selector { ea$0 } };", ["eat"]),
]
# Names of expansions that no completion contains.
HIDDEN = ["__context", "__family", "CheckedSource"]


def at(text, place):
    """Puts the cursor into the last word of a place in a text."""
    end = text.index(place) + len(place) - 1
    return text[:end] + "$0" + text[end:]


def renamed(text, word):
    return text.replace(word, "renamed")


# A machine with two states.
MACHINE = """machine "mood" {
    state idle { attack, enemy_near -> eating }
    state eating { eat(3), success -> idle, enemy_near -> success }
    any { |npc: &Npc| npc.hunger > 9 -> eating }
}"""
# The documentation of a word of the expansion.
NOT_SHOWN = "Compile-time constants"
# What is typed; whole messages, in any order.
DIAGNOSTICS = [
    ("of a tree", "let _ = tree! { for Npc: selector { enemy_near, sequence { attack, eat(3) } } };$0", []),
    ("of a tree without a context", "let _ = tree! { selector { !enemy_near, stored.patrol, leaves::flee } };$0", []),
    ("of a subtree", "#[subtree] fn s() -> impl Node<Npc> { tree! { machine { state a { attack, enemy_near -> b } state b { eat(3) } } } }$0", []),
    ("of a list without children", "let _ = tree! { for Npc: selector {} };$0", ["`selector` expects at least 1 child, found 0"]),
    ("of a subtree with parameters", "#[subtree] fn s(bites: u32, child: impl Node<Npc>) -> impl Node<Npc> { tree! { selector { eat(bites), child } } } let _ = tree! { s(3, attack) };$0", []),
    ("of a generic subtree", "#[subtree] fn s<C: Clock>(child: impl Node<C>) -> impl Node<C> { tree! { timeout(secs(3)) { child } } }$0", []),
    ("of a subtree over every lifetime", "struct Ctx<'w>(&'w mut Npc); #[subtree] fn s() -> impl for<'w> Node<Ctx<'w>> { tree! { |ctx: &Ctx<'_>| ctx.0.hunger > 3 } }$0", []),
    ("of a generic action", "#[action] fn hold<T: Copy + PartialOrd>(npc: &mut Npc, most: T) -> bool where T: core::fmt::Debug { npc.hunger += 1; most >= most } let _ = tree! { for Npc: sequence { hold(3), hold::<f32>(2.0) } };$0", []),
    ("of a part", "let _ = tree! { for Npc: within(|npc: &mut Npc| &mut npc.hunger) { selector { |hunger: &u32| *hunger > 3, |hunger: &mut u32| *hunger += 1 } } };$0", []),
    ("of a machine", f"let _ = tree! {{ for Npc: {MACHINE} }};$0", []),
    ("of a machine in a state", f"let _ = tree! {{ for Npc: machine {{ state idle {{ {MACHINE} }} }} }};$0", []),
    ("of states named like words of Rust", "let _ = tree! { for Npc: machine { state loop { attack, enemy_near -> r#type } state r#type { attack, enemy_near -> self } state self { attack } } };$0", []),
    ("of states named like leaves and types", "let _ = tree! { for Npc: machine { state attack { attack, enemy_near -> Npc } state Npc { attack, |npc: &Npc| npc.hunger > 3 -> State } state State { attack } } };$0", []),
    ("of an unknown target", "let _ = tree! { for Npc: machine { state idle { attack, enemy_near -> nowhere } } };$0", ["unknown state `nowhere`\nnote: the states are `idle`"]),
    ("of a duplicate state", "let _ = tree! { for Npc: machine { state idle { attack } state idle { attack } } };$0", ["duplicate state `idle`"]),
]
# The same, with the messages that are not among the errors. The rest of the file follows.
NOT_REPORTED = [
    (
        "of a brace that is missing",
        "#[subtree] fn s() -> impl Node<Npc> { tree! { selector { attack } \n #[subtree] fn t() -> impl Node<Npc> { tree! { selector { s(), attack } } }$0",
        "contains itself",
    ),
]
HOVERS = [
    ("on a leaf", "let _ = tree! { for Npc: selector { enemy_$0near, attack } };", ["fn enemy_near", "Looks around."]),
    ("on a leaf beside an error", "let _ = tree! { for Npc: selector { sequnce { attack }, enemy_$0near } };", ["Looks around."]),
    ("on a keyword", "let _ = tree! { for Npc: sel$0ector { attack } };", ["Ticks its children in order"]),
    ("on a keyword beside an error", "let _ = tree! { for Npc: sel$0ector { retry { attack } } };", ["Ticks its children in order"]),
    ("on a keyword without children", "let _ = tree! { for Npc: sel$0ector {} };", ["Ticks its children in order"]),
    ("on a keyword without its argument", "let _ = tree! { for Npc: time$0out { attack } };", ["when the time has passed"]),
    ("on a decorator's keyword", "let _ = tree! { for Npc: time$0out(secs(3)) { attack } };", ["when the time has passed"]),
    ("on a function in an argument", "let _ = tree! { for Npc: timeout(se$0cs(3)) { attack } };", ["fn secs"]),
    ("on an action", "let _ = tree! { for Npc: ea$0t(3) };", ["Eats so much."]),
    ("on a threshold", "let _ = tree! { for Npc: parallel(success = o$0ne) { attack } };", ["threshold"]),
    ("on a parameter in a subtree", "#[subtree] fn s(bites: u32) -> impl Node<Npc> { tree! { selector { eat(bi$0tes), attack } } }", ["bites: u32"]),
    ("on a call of a subtree", "/// Guards.\n#[subtree] fn s(bites: u32) -> impl Node<Npc> { tree! { eat(bites) } } let _ = tree! { selector { s$0(3), attack } };", ["fn s(bites: u32) -> impl Node<Npc>", "Guards."]),
    ("on a generic action", "/// Holds.\n#[action] fn hold<T: Copy>(_: &mut Npc, value: T) { let _ = value; } let _ = tree! { for Npc: ho$0ld::<f32>(2.0) };", ["fn hold<T>(value: T)", "Holds."]),
    ("in a generic action", "#[action] fn rest<C: Clock>(ctx: &mut C, bites: u32) { ctx.no$0w(); }", ["fn now"]),
    ("on a part", "let _ = tree! { for Npc: wit$0hin(|npc: &mut Npc| &mut npc.hunger) { |hunger: &u32| *hunger > 3 } };", ["over a part of the context"]),
    ("on a part without its function", "let _ = tree! { for Npc: wit$0hin { attack } };", ["over a part of the context"]),
    ("on a root", "let _ = tree! { for Npc: enemy_$0near };", ["Looks around."]),
    ("on a keyword in a child too many", "let _ = tree! { for Npc: retry(3) { attack, sel$0ector { attack } } };", ["Ticks its children in order"]),
    ("on a state", f"let _ = tree! {{ for Npc: {at(MACHINE, 'state eating')} }};", ['A state of the machine "mood".', "`success -> idle`", "`enemy_near -> success`", "from any state: `|npc: &Npc| npc.hunger > 9 -> eating`"]),
    ("on a target", f"let _ = tree! {{ for Npc: {at(MACHINE, '-> idle')} }};", ['A state of the machine "mood".', "`enemy_near -> eating`"]),
    ("on a state without transitions", "let _ = tree! { for Npc: machine { state id$0le { attack } } };", ["A state of a machine. No transition leaves it."]),
    ("on a state in a subtree", "#[subtree] fn s() -> impl Node<Npc> { tree! { machine { state idle { attack, enemy_near -> fli$0ght } state flight { attack } } } }", ["A state of a machine."]),
    ("on a state beside an error", "let _ = tree! { for Npc: selector { sequnce { machine { state id$0le { attack } } } } };", ["A state of a machine."]),
    ("on a variable", "let _ = tree! { for Npc: selector { sto$0red.patrol } };", ["Stored"]),
]
DEFINITIONS = [
    ("of a leaf", "let _ = tree! { for Npc: selector { enemy_$0near, attack } };", "main.rs", "fn enemy_near"),
    ("of a leaf at fault", "let _ = tree! { for Npc: selector { enemy_near att$0ack } };", "main.rs", "fn attack"),
    ("of a leaf before a missing comma", "let _ = tree! { for Npc: selector { enemy_$0near attack } };", "main.rs", "fn enemy_near"),
    ("of a leaf in a path", "let _ = tree! { for Npc: selector { leaves::fl$0ee } };", "main.rs", "fn flee"),
    ("of a keyword", "let _ = tree! { for Npc: sel$0ector { attack } };", "sequential.rs", "fn selector"),
    ("of a decorator's keyword", "let _ = tree! { for Npc: ret$0ry(3) { attack } };", "looping.rs", "fn retry"),
    ("of a machine's condition", "let _ = tree! { for Npc: machine { state a { attack, enemy_$0near -> b } state b { attack } } };", "main.rs", "fn enemy_near"),
    ("of a target", f"let _ = tree! {{ for Npc:\n{at(MACHINE, '-> idle')} }};", "main.rs", "state idle"),
    ("of a target of any", f"let _ = tree! {{ for Npc:\n{at(MACHINE, '9 -> eating')} }};", "main.rs", "state eating"),
    ("of a state", f"let _ = tree! {{ for Npc:\n{at(MACHINE, 'state eating')} }};", "main.rs", "state eating"),
    ("of a target beside an unknown one", f"let _ = tree! {{ for Npc:\n{at(MACHINE, '-> idle').replace('-> success', '-> nowhere')} }};", "main.rs", "state idle"),
]
# What is typed; what it is after the name has become `renamed`. These are also the references.
RENAMES = [
    ("of a state", at(MACHINE, "state eating"), renamed(MACHINE, "eating")),
    ("of a target", at(MACHINE, "-> eating"), renamed(MACHINE, "eating")),
    ("of a target of any", at(MACHINE, "9 -> eating"), renamed(MACHINE, "eating")),
    ("of a target beside an unknown one", at(MACHINE, "-> idle").replace("-> success", "-> nowhere"), renamed(MACHINE, "idle").replace("-> success", "-> nowhere")),
    ("of a state beside an error", f"sequnce {{ {at(MACHINE, 'state idle')} }}", f"sequnce {{ {renamed(MACHINE, 'idle')} }}"),
    ("of a state in a state of the same name", f"machine {{ state idle {{ {at(MACHINE, 'state idle')} }} }}", f"machine {{ state idle {{ {renamed(MACHINE, 'idle')} }} }}"),
    ("of a state around one of the same name", f"machine {{ state id$0le {{ {MACHINE} }} }}", f"machine {{ state renamed {{ {MACHINE} }} }}"),
    ("of a state named like a leaf", "machine { state attack { attack, enemy_near -> att$0ack } }", "machine { state renamed { attack, enemy_near -> renamed } }"),
    ("of a state with a raw name", "machine { state a { attack, enemy_near -> r#type } state r#ty$0pe { attack } }", "machine { state a { attack, enemy_near -> renamed } state renamed { attack } }"),
    ("of a state in angle brackets", "machine < state a < attack, enemy_near -> b > state $0b < attack > >", "machine < state a < attack, enemy_near -> renamed > state renamed < attack > >"),
]
UNUSED = "Remove all unused imports"
FLEE = "Import `crate::leaves::flee`"
# What is typed; actions that are offered; actions that are not.
ACTIONS = [
    ("on a leaf that is not imported", "let _ = tree! { for Npc: selector { attack, fl$0ee } };", [FLEE], []),
    ("on a condition that is not imported", "let _ = tree! { for Npc: selector { !fl$0ee, attack } };", [FLEE], []),
    ("on a hook that is not imported", "let _ = tree! { for Npc: machine { state a { attack, enter: fl$0ee } } };", [FLEE], []),
    ("on a guard that is not imported", "let _ = tree! { for Npc: machine { state a { attack, fl$0ee -> success } } };", [FLEE], []),
    ("on a leaf in a subtree that is not imported", "#[subtree] fn s() -> impl Node<Npc> { tree! { selector { fl$0ee } } }", [FLEE], []),
    ("on a leaf beside an error that is not imported", "let _ = tree! { for Npc: selector { sequnce { fl$0ee }, attack } };", [FLEE], []),
    ("on an import that nothing uses", "use leaves::fl$0ee; let _ = tree! { for Npc: attack };", [UNUSED], []),
    ("on an import of a leaf", "use leaves::fl$0ee; let _ = tree! { for Npc: selector { flee, attack } };", [], [UNUSED]),
    ("on an import of a guard", "use leaves::fl$0ee; let _ = tree! { for Npc: machine { state a { attack, flee -> success } } };", [], [UNUSED]),
    ("on an import of a guard without a target", "use leaves::fl$0ee; let _ = tree! { for Npc: machine { state a { attack, flee -> } } };", [], [UNUSED]),
    ("on an import of a leaf beside an error", "use leaves::fl$0ee; let _ = tree! { for Npc: selector { sequnce { flee }, attack } };", [], [UNUSED]),
    ("on an import of a leaf before a missing brace", "use leaves::fl$0ee; #[subtree] fn s() -> impl Node<Npc> { tree! { selector { sequence { flee, attack }", [], [UNUSED]),
    ("on an import of a condition without a node", "use leaves::fl$0ee; let _ = tree! { for Npc: if flee };", [], [UNUSED]),
]


def main():
    command = os.environ.get("RUST_ANALYZER", "rust-analyzer")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        (root / "src").mkdir()
        (root / "Cargo.toml").write_text(MANIFEST)
        (root / "src/main.rs").write_text(BEFORE + AFTER)
        options = {"checkOnSave": False, "procMacro": {"enable": True}, "cargo": {"buildScripts": {"enable": True}}}
        server = Server([command], root, options)
        failed = Questions(server, root).ask()
        server.close()
    print("all answers are right" if failed == 0 else f"{failed} answers are wrong")
    sys.exit(failed != 0)


class Questions:
    def __init__(self, server, root):
        self.server = server
        self.uri = f"file://{root}/src/main.rs"
        self.version = 0
        self.open(BEFORE + AFTER)
        if not server.ready.wait(300):
            print("rust-analyzer does not come to rest", file=sys.stderr)

    def open(self, text):
        self.version += 1
        self.text = text
        document = {"uri": self.uri, "version": self.version}
        if self.version == 1:
            self.server.notify("textDocument/didOpen", {"textDocument": {**document, "languageId": "rust", "text": text}})
        else:
            self.server.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def type(self, statement):
        """Puts a statement into `main` and gives where the cursor is."""
        text = BEFORE + statement + AFTER
        offset = text.index("$0")
        self.open(text.replace("$0", ""))
        before = text[:offset]
        position = {"line": before.count("\n"), "character": offset - before.rfind("\n") - 1}
        return {"textDocument": {"uri": self.uri}, "position": position}

    def ask(self):
        failed = 0
        for name, statement, expected in COMPLETIONS:
            answer = self.server.request("textDocument/completion", self.type(statement))
            items = answer["items"] if isinstance(answer, dict) else answer or []
            labels = {item["label"].split("(")[0].rstrip("…") for item in items}
            right = all(word in labels for word in expected) and not any(word in labels for word in HIDDEN)
            failed += report(f"completion {name}", right, sorted(labels)[:12])
        for name, statement, expected in DIAGNOSTICS:
            found = self.messages(statement)
            failed += report(f"errors {name}", sorted(found) == expected, found)
        for name, statement, unwanted in NOT_REPORTED:
            found = self.messages(statement)
            failed += report(f"errors {name}", found and not any(unwanted in message for message in found), found)
        for name, statement, expected in HOVERS:
            answer = self.server.request("textDocument/hover", self.type(statement))
            text = answer["contents"]["value"] if answer else ""
            right = all(word in text for word in expected) and NOT_SHOWN not in text
            failed += report(f"hover {name}", right, text[:300])
        for name, tree, expected in RENAMES:
            wrap = "let _ = tree! {{ for Npc: {} }};".format
            position = self.type(wrap(tree))
            edits = self.edits("textDocument/rename", {**position, "newName": "renamed"})
            places = self.server.request("textDocument/references", {**position, "context": {"includeDeclaration": True}})
            found = self.edited(edits)
            right = found == BEFORE + wrap(expected) + AFTER and ranges(edits) == ranges(places or [])
            failed += report(f"renaming {name}", right, (found, ranges(places or [])))
        for name, statement, offered, others in ACTIONS:
            found = self.actions(statement)
            right = all(title in found for title in offered) and not any(title in found for title in others)
            if FLEE in offered:
                edits = self.edits_of(self.server.request("codeAction/resolve", found[FLEE])["edit"]) if right else []
                found = [edit["newText"].strip() for edit in edits]
                right = found == ["use crate::leaves::flee;"]
            failed += report(f"actions {name}", right, list(found))
        for name, statement, file, line in DEFINITIONS:
            answer = self.server.request("textDocument/definition", self.type(statement)) or []
            found = [self.line(place) for place in (answer if isinstance(answer, list) else [answer])]
            right = any(path.endswith(file) and line in text for path, text in found)
            # What is at fault is where the error is, too.
            failed += report(f"definition {name}", right and (len(found) == 1 or "at fault" in name), found)
        return failed

    def messages(self, statement):
        """The messages of the errors in the file."""
        document = self.type(statement)["textDocument"]
        answer = self.server.request("textDocument/diagnostic", {"textDocument": document})
        return [item["message"] for item in answer["items"]]

    def actions(self, statement):
        """The actions at the cursor, by their titles."""
        at = self.type(statement)
        place = {"start": at["position"], "end": at["position"]}
        parameters = {"textDocument": at["textDocument"], "range": place, "context": {"diagnostics": []}}
        return {action["title"]: action for action in self.server.request("textDocument/codeAction", parameters)}

    def edits(self, method, parameters):
        """The edits that a request answers with; none if it is refused."""
        try:
            return self.edits_of(self.server.request(method, parameters))
        except RuntimeError:
            return []

    def edits_of(self, edit):
        return [edit for change in edit["documentChanges"] if change["textDocument"]["uri"] == self.uri for edit in change["edits"]]

    def edited(self, edits):
        """The text after edits."""
        lines = self.text.split("\n")
        for (line, start), (_, end), new in sorted(((*ends(edit), edit["newText"]) for edit in edits), reverse=True):
            lines[line] = lines[line][:start] + new + lines[line][end:]
        return "\n".join(lines)

    def line(self, place):
        path = place["uri"].removeprefix("file://")
        number = place["range"]["start"]["line"]
        text = pathlib.Path(path).read_text() if path != self.uri.removeprefix("file://") else self.text
        return path, text.split("\n")[number]


def ends(place):
    """The begin and the end of an edit or a place."""
    return tuple((place["range"][end]["line"], place["range"][end]["character"]) for end in ["start", "end"])


def ranges(places):
    return sorted(map(ends, places))


def report(name, right, seen):
    print(f"{'ok   ' if right else 'WRONG'} {name}" + ("" if right else f": {seen}"))
    return not right


if __name__ == "__main__":
    main()
