#!/usr/bin/env python3
"""Generates random cases for runner.cpp and the fixtures made of them.

    generate.py cases FAMILY [--count N] [--seed S]
        writes N cases (JSON lines) to the standard output

    generate.py fixtures --runner PATH --out FOLDER [--seed S]
        runs cases of all families with the runner and writes FOLDER/FAMILY.jsonl

A case depends only on its family, the seed and its number, which are its "id":
"skip-1-17" is the 17th case of `generate.py cases skip --seed 1`.
"""

import argparse
import json
import os
import random
import subprocess
import sys

FORMAT = 'BTCPP_format="4"'


class Rng:
    """Random choices made from random() alone, which is the same in all versions of Python."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def below(self, n):
        return int(self.random() * n)

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def chance(self, probability):
        return self.random() < probability

    def pick(self, items):
        return items[self.below(len(items))]

    def weighted(self, pairs):
        at = self.random() * sum(weight for _, weight in pairs)
        for item, weight in pairs:
            at -= weight
            if at < 0:
                return item
        return pairs[-1][0]


def escape(text):
    return (text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            .replace('"', "&quot;").replace("\n", "&#10;"))


def element(tag, attributes=(), children=()):
    text = "<" + tag + "".join(f' {name}="{escape(str(value))}"' for name, value in attributes)
    return text + (">" + "".join(children) + f"</{tag}>" if children else "/>")


def document(trees):
    """trees: pairs of name and body; the first is the main tree."""
    bodies = "".join(f'<BehaviorTree ID="{name}">{body}</BehaviorTree>' for name, body in trees)
    main = f' main_tree_to_execute="{trees[0][0]}"' if len(trees) > 1 else ""
    return f"<root {FORMAT}{main}>{bodies}</root>"


class Trees:
    """Random trees; what they consist of depends on the family."""

    MAX_DEPTH = 4

    def __init__(self, rng, family, running):
        self.rng = rng
        self.family = family
        self.running = running  # ticked while running: fewer endless loops
        self.names = {}
        self.size = 0

    def name(self, prefix):
        self.names[prefix] = self.names.get(prefix, 0) + 1
        return f"{prefix}{self.names[prefix]}"

    # ------------------------------------------------------------ leaves

    def statuses(self, letters, length):
        text = "".join(self.rng.pick(letters) for _ in range(self.rng.between(1, length)))
        if self.running and set(text) == {"R"}:
            text += self.rng.pick("SF")
        return text

    def act(self):
        letters = self.rng.pick(["RS", "RSF", "RRS", "RRSF", "SF", "RF", "SSF"])
        return element("Act", [("name", self.name("a")), ("script", self.statuses(letters, 4))]
                       + self.conditions())

    def quick(self):
        tag = self.rng.pick(["Cond", "Sync"])
        return element(tag, [("name", self.name("c" if tag == "Cond" else "s")),
                             ("script", self.statuses("SSF", 3))] + self.conditions())

    def leaf(self):
        kinds = [(self.act, 5), (self.quick, 4),
                 (lambda: element(self.rng.pick(["AlwaysSuccess", "AlwaysFailure"])), 0.4)]
        if self.family in ("choose", "skip"):
            kinds.append((self.change, 2))
        return self.rng.weighted(kinds)()

    # ------------------------------------------------------------ variables

    def init(self):
        code = {"choose": "n := 1; s := 'one'; e := GREEN",
                "skip": "a := 0; b := 1; c := 2"}[self.family]
        script = element("Script", [("code", code)])
        if self.rng.chance(0.4):
            script = element("RunOnce", self.rng.pick([[], [("then_skip", "false")]]), [script])
        return script

    def change(self):
        if self.family == "choose":
            code = self.rng.pick([
                "n = n >= 3 ? 1 : n + 1", "n = 3 - n", "n = 2", "n += 1", "s = 'two'", "s = 'three'",
                "s = s == 'one' ? 'two' : 'one'", "s = 'RED'", "s = '2'", "e = RED", "e = BLUE",
                "e = e == GREEN ? RED : GREEN", "s += 'x'"])
        else:
            code = self.effect()
        return element("Script", [("code", code)] + self.conditions())

    def effect(self):
        v, w = self.rng.pick("abc"), self.rng.pick("abc")
        code = self.rng.pick([f"{v} += 1", f"{v} = {v} >= 2 ? 0 : {v} + 1", f"{v} = 1 - {v}",
                              f"{v} = {w}", f"{v} -= 1", f"{v} = {self.rng.below(3)}",
                              f"{v} = {v} == {w}", f"{v} = {w} + 1", f"{v} := {self.rng.below(3)}"])
        if self.rng.chance(0.1):
            code += f"; {w} += 1"
        return code

    def test(self):
        v, w = self.rng.pick("abc"), self.rng.pick("abc")
        k = self.rng.below(3)
        simple = [f"{v} == {k}", f"{v} != {k}", f"{v} < {k + 1}", f"{v} > {k}", f"{v} >= {w}",
                  f"{v} == {w}", f"!({v} == {k})", f"0 <= {v} < 2"]
        text = self.rng.pick(simple)
        if self.rng.chance(0.2):
            text += self.rng.pick([" && ", " || "]) + self.rng.pick(simple)
        elif self.rng.chance(0.06):
            text = self.rng.pick(["true", "false", "1", "0", "RED == 1", v + " - " + w])
        return text

    def conditions(self):
        if self.family != "skip":
            return []
        result = []
        for attribute in ("_skipIf", "_while", "_successIf", "_failureIf"):
            if self.rng.chance(0.11 if attribute in ("_skipIf", "_while") else 0.04):
                result.append((attribute, self.test()))
        for attribute in ("_onSuccess", "_onFailure", "_onHalted", "_post"):
            if self.rng.chance(0.12):
                result.append((attribute, self.effect()))
        return result

    # ------------------------------------------------------------ inner nodes

    def children(self, depth, low, high):
        return [self.node(depth - 1) for _ in range(self.rng.between(low, high))]

    def condition(self, depth):
        """A subtree that is never RUNNING."""
        if depth <= 0 or self.rng.chance(0.6):
            return self.quick()
        tag = self.rng.pick(["Sequence", "Fallback", "ReactiveSequence", "Inverter", "ForceSuccess"])
        count = 1 if tag in ("Inverter", "ForceSuccess") else self.rng.between(1, 3)
        return element(tag, self.conditions(), [self.condition(depth - 1) for _ in range(count)])

    def composite(self, depth):
        rng = self.rng
        kinds = [("Sequence", 4), ("Fallback", 4), ("ReactiveSequence", 3), ("ReactiveFallback", 3),
                 ("Parallel", 3), ("ParallelAll", 2), ("IfThenElse", 2)]
        if self.family != "plain":
            weight = 3 if self.family == "wake" else 0.7
            kinds += [("AsyncSequence", weight), ("AsyncFallback", weight),
                      ("SequenceWithMemory", weight)]
        if self.family in ("choose", "skip"):
            weight = 4 if self.family == "choose" else 1.5
            kinds += [("WhileDoElse", weight), ("TryCatch", weight)]
        if self.family == "choose":
            kinds.append(("Switch", 7))
        tag = rng.weighted(kinds)
        attributes = self.conditions()
        if tag == "IfThenElse":
            children = self.children(depth, 2, 3)
        elif tag == "WhileDoElse":
            children = [self.condition(depth - 1)] + self.children(depth, 1, 2)
        elif tag == "TryCatch":
            children = self.children(depth, 2, 4)
            if rng.chance(0.5):
                attributes.insert(0, ("catch_on_halt", rng.pick(["true", "true", "false"])))
        elif tag == "Switch":
            cases = rng.between(2, 3)
            tag += str(cases)
            variable = rng.weighted([("n", 4), ("s", 3), ("e", 3), ("missing", 0.3)])
            values = {"n": ["1", "2", "3", "2.0", "3.5", "RED", "GREEN"],
                      "s": ["one", "two", "three", "RED", "1", "2", "twox"],
                      "e": ["RED", "GREEN", "BLUE", "1", "3", "2.0"],
                      "missing": ["1", "one"]}[variable]
            attributes = [("variable", "{" + variable + "}")] + [
                (f"case_{i + 1}", rng.pick(values)) for i in range(cases)] + attributes
            children = self.children(depth, cases + 1, cases + 1)
        else:
            children = self.children(depth, 1 if rng.chance(0.1) else 2, 4 if depth > 1 else 3)
            count = len(children)
            if tag == "Parallel" and rng.chance(0.75):
                for port in ("success_count", "failure_count"):
                    if rng.chance(0.7):
                        top = count + (1 if rng.chance(0.05) else 0)
                        value = rng.between(-count, top)
                        attributes.insert(0, (port, value))
            if tag == "ParallelAll" and rng.chance(0.6):
                attributes.insert(0, ("max_failures", rng.between(-2, count)))
        return element(tag, attributes, children)

    def decorator(self, depth):
        rng = self.rng
        kinds = [("Inverter", 3), ("ForceSuccess", 2), ("ForceFailure", 2),
                 ("KeepRunningUntilFailure", 0.5 if self.running else 1.5)]
        if self.family != "plain":
            weight = 4 if self.family == "wake" else 1
            kinds += [("Repeat", weight), ("RetryUntilSuccessful", weight)]
        if self.family in ("choose", "skip"):
            kinds.append(("RunOnce", 4 if self.family == "choose" else 1.5))
        if self.family == "skip":
            kinds += [("Precondition", 5), ("SubTree", 2)]
        tag = rng.weighted(kinds)
        if tag == "SubTree":
            return self.subtree(depth)
        attributes = {
            "Repeat": lambda: [("num_cycles", rng.between(1, 4))],
            "RetryUntilSuccessful": lambda: [("num_attempts", rng.between(1, 4))],
            "RunOnce": lambda: rng.pick([[], [("then_skip", "true")], [("then_skip", "false")]]),
            "Precondition": lambda: [("if", self.test())] + rng.pick([[]] + [
                [("else", status)] for status in
                ("SUCCESS", "FAILURE", "SKIPPED", "RUNNING", "SUCCESS", "SKIPPED")]),
        }.get(tag, lambda: [])()
        return element(tag, attributes + self.conditions(), [self.node(depth - 1)])

    def subtree(self, depth):
        """A SubTree that shares the variables (family skip)."""
        name = self.name("T")
        self.more.append((name, self.node(depth - 1)))
        return element("SubTree", [("ID", name), ("_autoremap", "true")] + self.conditions())

    more = ()

    def node(self, depth):
        self.size += 1
        if depth <= 0 or self.size > 18:
            return self.leaf()
        return self.rng.weighted([(self.leaf, 3.5), (lambda: self.composite(depth), 4),
                                  (lambda: self.decorator(depth), 2.5)])()

    def document(self):
        self.more = []
        depth = self.rng.between(2, self.MAX_DEPTH)
        body = self.composite(depth) if self.rng.chance(0.8) else self.decorator(depth)
        if self.family in ("choose", "skip"):
            tag = self.rng.weighted([("Sequence", 8), ("ReactiveSequence", 1), ("AsyncSequence", 1)])
            rest = [body] + ([self.node(1)] if self.rng.chance(0.3) else [])
            body = element(tag, [], [self.init()] + rest)
        return document([("Main", body)] + self.more)


class PortTrees:
    """Several trees that pass values to each other (families ports and loops)."""

    TEXTS = ["hello", "x", "7", "2.5", "true", "RED", "1;2;3", "0", "-4", "a b"]

    def __init__(self, rng, loops):
        self.rng = rng
        self.loops = loops
        self.counter = {}

    def name(self, prefix):
        self.counter[prefix] = self.counter.get(prefix, 0) + 1
        return f"{prefix}{self.counter[prefix]}"

    def text_variable(self):
        return self.rng.weighted([("p", 4), ("q", 4), ("r", 2), ("_x", 2), ("@g", 1.5)])

    def int_variable(self):
        return self.rng.weighted([("i", 4), ("j", 3), ("_k", 1), ("@n", 1)])

    def variable(self, kind):
        if self.rng.chance(0.04):
            kind = "int" if kind == "text" else "text"  # the wrong one, now and then
        if kind == "double":
            return self.rng.weighted([("x", 4), ("_y", 1), ("@h", 1)])
        return self.text_variable() if kind == "text" else self.int_variable()

    def pointer(self, kind):
        if self.rng.chance(0.07):
            return "{=}"
        return "{" + self.variable(kind) + "}"

    def reader(self):
        rng = self.rng
        tag = rng.weighted([("In", 5), ("InInt", 4), ("InDouble", 1.5)])
        kind = {"In": "text", "InInt": "int", "InDouble": "double"}[tag]
        if rng.chance(0.1):
            value = rng.pick(self.TEXTS if tag == "In" else ["7", "-4", "2", "12"])
        else:
            value = self.pointer(kind)
        attributes = [("name", self.name("r"))] + ([("value", value)] if rng.chance(0.95) else [])
        return element(tag, attributes)

    def writer(self):
        rng = self.rng
        if rng.chance(0.5):
            text = rng.pick(self.TEXTS) if rng.chance(0.7) else self.pointer("text")
            return element("Out", [("name", self.name("w")), ("text", text),
                                   ("value", self.pointer("text"))])
        text = rng.pick(["1", "5", "-3", "40"]) if rng.chance(0.7) else self.pointer("int")
        return element("OutInt", [("name", self.name("w")), ("text", text),
                                  ("value", self.pointer("int"))])

    def script(self):
        rng = self.rng
        if rng.chance(0.5):
            v, w = self.text_variable(), self.text_variable()
            code = rng.pick([f"{v} := 'one'", f"{v} := 'two'", f"{v} := {w} .. '!'", f"{v} := {w}",
                             f"{v} = 'set'", f"{v} += '+'"])
        elif rng.chance(0.25):
            v, w = self.variable("double"), self.int_variable()
            code = rng.pick([f"{v} := 2.5", f"{v} := 1", f"{v} := {w}", f"{v} /= 2"])
        else:
            v, w = self.int_variable(), self.int_variable()
            code = rng.pick([f"{v} := 1", f"{v} := {rng.between(2, 9)}", f"{v} += 1", f"{v} := {w} + 1",
                             f"{v} := {w}", f"{v} = 9", f"{v} := -2", f"{v} := true",
                             f"{v} := '12'"])
        if rng.chance(0.25):
            code += f"; {self.variable('int')} := {rng.between(0, 9)}"
        return element("Script", [("code", code)])

    def set_blackboard(self):
        rng = self.rng
        kind = rng.pick(["text", "int"])
        key = self.variable(kind)
        if rng.chance(0.3):
            key = "{" + key + "}" if rng.chance(0.2) else key
        value = self.pointer(kind) if rng.chance(0.4) else rng.pick(
            self.TEXTS if kind == "text" else ["3", "-1", "8", "2.5"])
        return element("SetBlackboard", [("value", value), ("output_key", key)])

    def unset(self):
        return element("UnsetBlackboard", [("key", self.variable(self.rng.pick(["text", "int"])))])

    def soft(self, text):
        """So that a reader without a value does not end the sequence."""
        return element("ForceSuccess", [], [text]) if self.rng.chance(0.75) else text

    def act(self):
        return element("Act", [("name", self.name("a")),
                               ("script", self.rng.pick(["RS", "S", "RSS", "RRS", "RF"]))])

    def item(self, callable_trees):
        rng = self.rng
        kinds = [(lambda: self.soft(self.reader()), 4), (lambda: self.soft(self.writer()), 3),
                 (self.script, 3), (self.set_blackboard, 1.2), (self.unset, 0.5), (self.act, 1)]
        if callable_trees:
            kinds.append((lambda: self.call(rng.pick(callable_trees)), 4))
        if self.loops:
            kinds.append((lambda: self.loop(1), 3))
        return rng.weighted(kinds)()

    def body(self, callable_trees, low, high):
        rng = self.rng
        items = [self.item(callable_trees) for _ in range(rng.between(low, high))]
        if callable_trees and not any("<SubTree" in item for item in items):
            items.insert(rng.below(len(items) + 1), self.call(rng.pick(callable_trees)))
        if callable_trees or rng.chance(0.3):
            items.append(self.soft(self.reader()))
        tag = rng.weighted([("Sequence", 8), ("ParallelAll", 1), ("ReactiveSequence", 0.7),
                            ("Fallback", 0.5)])
        return element(tag, [], items)

    def call(self, tree):
        rng = self.rng
        attributes = [("ID", tree)]
        for port in ("p", "q", "r", "i", "j", "x", "_x", "value"):
            if not rng.chance({"x": 0.25, "_x": 0.1, "value": 0.12}.get(port, 0.45)):
                continue
            kind = "int" if port in "ij" else "double" if port == "x" else "text"
            value = rng.weighted([
                ("{" + self.variable(kind) + "}", 5),
                (rng.pick({"text": self.TEXTS, "int": ["5", "-1", "12", "0"],
                           "double": ["2.5", "3", "-0.5", "1e2"]}[kind]), 3),
                ("{=}", 1.2), ("{@g}" if kind == "text" else "{@n}", 0.8)])
            attributes.append((port, value))
        if rng.chance(0.4):
            attributes.append(("_autoremap", rng.weighted([("true", 4), ("false", 1), ("1", 1)])))
        return element("SubTree", attributes)

    # ------------------------------------------------------------ loops

    def queue(self, tag):
        rng = self.rng
        parts = {"LoopInt": ["1", "2", "3", "-5", "10"], "LoopDouble": ["1", "2.5", "-0.5", "1e2"],
                 "LoopString": ["one", "two", "3", "x y", ""],
                 "LoopBool": ["true", "false", "1", "0", "TRUE"]}[tag]
        text = ";".join(rng.pick(parts) for _ in range(rng.between(1, 4)))
        if rng.chance(0.04):
            text = rng.pick(["", "1;;2", "1;x", "1; 2", "1;2;"])
        return text

    def loop(self, depth, variables=("t", "u")):
        rng = self.rng
        tag = rng.weighted([("LoopInt", 4), ("LoopDouble", 2), ("LoopString", 4), ("LoopBool", 1.5)])
        queue = self.queue(tag) if not variables or rng.chance(0.6) else "{" + rng.pick(variables) + "}"
        own = {"LoopInt": "v", "LoopDouble": "d", "LoopString": "w", "LoopBool": "o"}[tag]
        attributes = [("queue", queue)]
        if rng.chance(0.93):
            attributes.append(("value", rng.weighted([("{" + own + "}", 9), ("{=}", 0.6),
                                                      ("{@" + own + "}", 0.6)])))
        if rng.chance(0.6):
            attributes.append(("if_empty", rng.weighted([
                ("SUCCESS", 3), ("FAILURE", 3), ("SKIPPED", 3), ("RUNNING", 0.5), ("IDLE", 0.2)])))
        attributes_of_reader = [("name", self.name("r")), ("value", "{" + own + "}")]
        if tag == "LoopBool":  # no leaf reads a bool from its port
            attributes_of_reader[1] = ("value", "{y}")
            reader = element("Sequence", [], [
                element("Script", [("code", rng.pick(["y := o", "y := o ? 'yes' : 'no'"]))]),
                element("In", attributes_of_reader)])
        else:
            reader = element({"LoopInt": "InInt", "LoopDouble": "InDouble"}.get(tag, "In")
                             if rng.chance(0.96) else "In", attributes_of_reader)
        others = [lambda: self.act(), lambda: element("Cond", [("name", self.name("c")),
                                                               ("script", rng.pick(["S", "SSF", "SF"]))])]
        if depth > 0:
            others.append(lambda: self.loop(depth - 1, variables))
        child = reader
        if rng.chance(0.6):
            child = element(rng.weighted([("Sequence", 6), ("Fallback", 1), ("ReactiveSequence", 1)]), [],
                            [reader] + [rng.pick(others)() for _ in range(rng.between(1, 2))])
        if rng.chance(0.15):
            child = element(rng.pick(["Inverter", "ForceSuccess"]), [], [child])
        return element(tag, attributes, [child])

    def queue_setup(self):
        """Fills the variables t and u with texts."""
        rng = self.rng
        items = []
        for variable in "tu":
            text = self.queue(rng.pick(["LoopInt", "LoopInt", "LoopDouble", "LoopString"]))
            text = text.replace("'", "")
            items.append(rng.weighted([
                (element("Script", [("code", f"{variable} := '{text}'")]), 4),
                (element("SetBlackboard", [("value", text), ("output_key", variable)]), 2),
                (element("Out", [("name", self.name("w")), ("text", text),
                                 ("value", "{" + variable + "}")]), 1),
                ("", 0.25)]))
        return [item for item in items if item]

    def document(self):
        rng = self.rng
        if not self.loops:
            inner = [] if rng.chance(0.3) else ["B"]
            main = self.body(["A", "A"] + inner, 2, 4)
            if rng.chance(0.5):
                code = "p := 'P'; q := 'Q'; i := 1; j := 2"
                main = element("Sequence", [], [element("Script", [("code", code)]), main])
            trees = [("Main", main), ("A", self.body(inner, 2, 4))]
            if inner:
                trees.append(("B", self.body([], 2, 3)))
            return document(trees)
        shape = rng.weighted([("alone", 3), ("sequence", 5), ("subtree", 3)])
        if shape == "alone":
            return document([("Main", self.loop(1, ()))])
        tail = [self.soft(self.reader())] if rng.chance(0.3) else []
        if rng.chance(0.3):
            tail.append(element("Script", [("code", "t := '8;9'")]))
        if shape == "sequence":
            tag = rng.weighted([("Sequence", 5), ("Fallback", 1), ("ParallelAll", 1)])
            return document([("Main", element(tag, [], self.queue_setup() + [self.loop(1)] + tail))])
        attributes = [("ID", "A")]
        for variable in "tu":
            attributes.append((variable, rng.pick(["{t}", "{u}", self.queue("LoopInt"), "{=}"])))
        if rng.chance(0.5):
            attributes.append(("v", "{v}"))
        call = element("SubTree", attributes)
        return document([("Main", element("Sequence", [], self.queue_setup() + [call] + tail)),
                         ("A", self.loop(1))])


class Scripts:
    """Random scripts, valid and slightly broken ones, as lists of tokens."""

    VARIABLES = {"i": 3, "k": -7, "d": 2.5, "z": 0.0, "s": "text", "m": "12", "e": "RED", "t": ""}

    def __init__(self, rng):
        self.rng = rng

    def integer(self):
        return self.rng.weighted([
            (str(self.rng.below(10)), 10), (str(self.rng.below(1000)), 3),
            (hex(self.rng.below(300)), 2), ("0XfF", 0.3), ("007", 0.3),
            ("9007199254740993", 0.2), ("9223372036854775807", 0.2), ("99999999999999999999", 0.2)])

    def number(self):
        return self.integer() if self.rng.chance(0.65) else self.rng.pick(
            ["2.5", "0.1", "1e3", "2.5e-2", "3E2", "1e+1", "0.5", "100.0", "1.0", "1e-9", "7e0"])

    def string(self):
        return "'" + self.rng.pick(["", "a", "abc", "12", "1.5", "RED", "BLUE", "true", "false", "x y",
                                    "-3", "B", "0", " 5", "5x", "1e2"]) + "'"

    def numeric_name(self):
        return self.rng.weighted([("i", 5), ("d", 4), ("k", 2), ("z", 1), ("@i", 0.7), ("RED", 1),
                                  ("GREEN", 1), ("BLUE", 0.7), ("missing", 0.2), ("true", 1), ("false", 1)])

    def string_name(self):
        return self.rng.weighted([("s", 4), ("m", 2), ("e", 2), ("t", 1), ("@s", 0.5)])

    def bits(self, depth):
        """Whole numbers only: bit operators on others depend on the machine."""
        rng = self.rng
        if depth <= 0 or rng.chance(0.35):
            return [rng.pick(["i", "k", str(rng.below(100)), hex(rng.below(64)), "GREEN"])]
        if rng.chance(0.3):
            return ["~"] + (["("] + self.bits(depth - 1) + [")"] if rng.chance(0.5)
                            else [rng.pick(["i", "k", "0", "5"])])
        return self.bits(depth - 1) + [rng.pick("&|^")] + self.bits(depth - 1)

    def numeric(self, depth):
        rng = self.rng
        if depth <= 0 or rng.chance(0.25):
            return [self.number() if rng.chance(0.55) else self.numeric_name()]
        kind = rng.weighted([("binary", 8), ("unary", 2), ("parentheses", 3), ("bits", 2), ("logic", 2),
                             ("compare", 2), ("ternary", 1.2), ("assign", 0.5), ("not", 1)])
        below = depth - 1
        if kind == "binary":
            return self.numeric(below) + [rng.pick("+-*/")] + self.numeric(below)
        if kind == "unary":
            return ["-"] + self.numeric(0 if rng.chance(0.7) else below)
        if kind == "parentheses":
            return ["("] + (self.numeric if rng.chance(0.9) else self.any)(below) + [")"]
        if kind == "bits":
            text = self.bits(below)
            return ["("] + text + [")"] if rng.chance(0.5) else text
        if kind == "logic":
            return self.logic(below)
        if kind == "compare":
            return self.comparison(below)
        if kind == "ternary":
            return self.ternary(below, self.numeric if rng.chance(0.85) else self.any)
        if kind == "not":
            return ["!"] + (["("] + self.boolean(below) + [")"] if rng.chance(0.6)
                            else [rng.pick(["i", "d", "z", "0", "1", "true", "s"])])
        return ["("] + self.assignment(below) + [")"]

    def boolean(self, depth):
        rng = self.rng
        if depth <= 0:
            return [rng.weighted([("true", 3), ("false", 3), ("0", 3), ("1", 3), ("z", 2), ("d", 2),
                                  ("i", 0.5), ("2", 0.5)])]
        return rng.weighted([(self.comparison, 5), (self.numeric, 1), (self.logic, 1.5),
                             (lambda _: [rng.pick(["true", "false", "1", "0"])], 2)])(depth - 1)

    def logic(self, depth):
        return self.boolean(depth) + [self.rng.pick(["&&", "||"])] + self.boolean(depth)

    def ternary(self, depth, branch):
        return self.boolean(depth) + ["?"] + branch(depth) + [":"] + branch(depth)

    def comparison(self, depth):
        rng = self.rng
        kind = rng.weighted([(self.numeric, 6), (self.text, 2.5), (self.any, 1.5)])
        result = kind(depth - 1)
        for _ in range(2 if rng.chance(0.2) else 1):
            result += [rng.pick(["==", "!=", "<", ">", "<=", ">="])] + kind(depth - 1)
        return result

    def text(self, depth):
        rng = self.rng
        if depth <= 0 or rng.chance(0.4):
            return [self.string() if rng.chance(0.6) else self.string_name()]
        return self.text(depth - 1) + [rng.weighted([("..", 4), ("+", 1)])] + (
            self.text(depth - 1) if rng.chance(0.65) else
            [self.number() if rng.chance(0.5) else self.numeric_name()])

    def any(self, depth):
        return self.text(depth) if self.rng.chance(0.22) else self.numeric(depth)

    def assignment(self, depth):
        rng = self.rng
        operator = rng.weighted([(":=", 5), ("=", 4), ("+=", 3), ("-=", 1.5), ("*=", 1.5), ("/=", 1.5)])
        if rng.chance(0.25):
            return [rng.pick(["s", "m", "t", "n2"]), operator] + self.text(depth)
        name = rng.weighted([("i", 4), ("d", 4), ("k", 1), ("n1", 3), ("@i", 0.6), ("@n3", 0.6),
                             ("s", 0.5), ("RED", 0.15), ("5", 0.1), ("_p", 0.3)])
        return [name, operator] + self.any(depth)

    def statement(self):
        depth = self.rng.between(1, 4)
        return self.rng.weighted([
            (lambda: self.assignment(depth - 1), 6), (lambda: self.any(depth), 4),
            (lambda: self.comparison(depth), 2), (lambda: self.logic(depth), 2),
            (lambda: self.ternary(depth, self.any), 1.5), (lambda: self.bits(depth), 1)])()

    def break_tokens(self, tokens):
        rng = self.rng
        tokens = list(tokens)
        for _ in range(rng.between(1, 2)):
            at = rng.below(len(tokens))
            kind = rng.pick(["drop", "double", "swap", "insert"])
            if kind == "drop" and len(tokens) > 1:
                del tokens[at]
            elif kind == "double":
                tokens.insert(at, tokens[at])
            elif kind == "swap" and at + 1 < len(tokens):
                tokens[at], tokens[at + 1] = tokens[at + 1], tokens[at]
            else:
                tokens.insert(at, rng.pick(["(", ")", ";", "?", ":", "+", "!", "..", "=", "==", "&", "'",
                                            "3x", "1.", "0x", "1e", "$", "@", ".5", "#", "%"]))
        return tokens

    def join(self, tokens):
        """With spaces or without, but names and numbers stay apart."""
        rng = self.rng
        spaced = rng.chance(0.7)
        result = ""
        for token in tokens:
            glue = " " if spaced and rng.chance(0.95) else ""
            if result and not glue:
                last, first = result[-1], token[0]
                if (last.isalnum() or last in "_.@'") and (first.isalnum() or first in "_.@'"):
                    glue = " "
                elif not last.isalnum() and not first.isalnum() and last not in "()'" and first not in "()'":
                    glue = " "  # two operators
            result += glue + token
        return result.strip()

    def case(self):
        rng = self.rng
        statements = [self.statement() for _ in range(rng.weighted([(1, 6), (2, 3), (3, 1.5)]))]
        tokens = []
        for statement in statements:
            tokens += ([";"] if tokens else []) + statement
        if rng.chance(0.1):
            tokens.append(";")
        if rng.chance(0.2):
            tokens = self.break_tokens(tokens)
        script = self.join(tokens)
        names = {token.lstrip("@") for token in tokens}
        return {"script": script,
                "vars": {name: value for name, value in self.VARIABLES.items() if name in names}}


FAMILIES = ["plain", "wake", "choose", "skip", "ports", "loops", "scripts"]
COUNTS = {"ports": 100, "loops": 100, "scripts": 400}  # in the fixtures; 150 for the others
LONGEST = {"scripts": 160}  # the size of a script or an XML; 1500 for the others


def steps(rng):
    result = ["tick"]
    for _ in range(rng.between(5, 11)):
        result.append("halt" if rng.chance(0.12) else "tick")
    return result


def make_case(family, seed, number):
    """The case, or one of the next tries if it would be too large."""
    for attempt in range(100):
        rng = Rng(f"{family}/{seed}/{number}/{attempt}")
        case = {"id": f"{family}-{seed}-{number}"}
        if family == "scripts":
            case.update(Scripts(rng).case())
            size = len(case["script"])
        else:
            mode = rng.weighted([("exactly_once", 5), ("once", 4), ("while_running", 1)])
            if family in ("ports", "loops"):
                trees = PortTrees(rng, family == "loops")
            else:
                trees = Trees(rng, family, mode == "while_running")
            case["xml"] = trees.document()
            case["mode"] = mode
            case["steps"] = steps(rng)
            size = len(case["xml"])
        if size <= LONGEST.get(family, 1500):
            break
    return case


def run(runner, cases):
    lines = "".join(json.dumps(case, separators=(",", ":")) + "\n" for case in cases)
    done = subprocess.run([runner], input=lines, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def outcome(result):
    """What the fixtures shall not have too much of, and the empty text for the rest."""
    if "nan" in json.dumps(result).replace('"<nan>"', ""):
        return "nan"  # as a text it has a sign that depends on the machine
    if result.get("error") in ("hangs", "crashes"):
        return result["error"]
    if "error" in result or "parse_error" in result:
        return "error"
    if "results" in result:
        if any("error" in step for step in result["results"][:3]):
            return "early"
        if not any(step.get("events") for step in result["results"]):
            return "silent"
    return ""


def write_fixtures(runner, folder, seed):
    os.makedirs(folder, exist_ok=True)
    for family in FAMILIES:
        count = COUNTS.get(family, 150)
        room = {"hangs": 2, "crashes": 2, "error": count // 10, "early": count // 12,
                "silent": count // 30, "nan": 0}
        if family == "scripts":
            room["error"] = count * 3 // 8
        kept, number = [], 0
        while len(kept) < count:
            batch = [make_case(family, seed, number + i) for i in range(50)]
            number += 50
            for line in run(runner, batch):
                kind = outcome(json.loads(line))
                if len(kept) < count and (not kind or room[kind] > 0):
                    kept.append(line)
                    if kind:
                        room[kind] -= 1
        with open(os.path.join(folder, family + ".jsonl"), "w", encoding="utf-8") as file:
            file.write("\n".join(kept) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    cases = commands.add_parser("cases", help="write cases to the standard output")
    cases.add_argument("family", choices=FAMILIES)
    cases.add_argument("--count", type=int, default=100)
    cases.add_argument("--first", type=int, default=0, help="the number of the first case")
    fixtures = commands.add_parser("fixtures", help="run cases and write the fixtures")
    fixtures.add_argument("--runner", required=True)
    fixtures.add_argument("--out", required=True)
    for command in (cases, fixtures):
        command.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.command == "fixtures":
        write_fixtures(arguments.runner, arguments.out, arguments.seed)
        return
    for number in range(arguments.first, arguments.first + arguments.count):
        case = make_case(arguments.family, arguments.seed, number)
        sys.stdout.write(json.dumps(case, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
