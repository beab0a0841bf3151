"""The trees of the table `peers` with py_trees. Usage: py_trees_ticks.py flips|stays|falls|none TICKS

Prints the trace of the agent, and the nanoseconds of all ticks.
"""

import sys
import time

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Selector, Sequence
from py_trees.trees import BehaviourTree


class Agent:
    sees = 1
    done = 0


class Leaf(Behaviour):
    def __init__(self, agent):
        super().__init__(type(self).__name__)
        self.agent = agent


class Odd(Leaf):
    def update(self):
        return Status.SUCCESS if self.agent.sees & 1 == 1 else Status.FAILURE


class Never(Leaf):
    def update(self):
        return Status.SUCCESS if self.agent.sees == 2**64 - 1 else Status.FAILURE


class First(Leaf):
    def update(self):
        self.agent.done += 1
        return Status.SUCCESS


class Stay(Leaf):
    def update(self):
        self.agent.done += 1
        return Status.RUNNING


class Second(Leaf):
    def update(self):
        self.agent.done += 1000
        return Status.SUCCESS


# `none` is not ticked: it measures the loop.
TREES = {
    "flips": [[Odd, First], Second],
    "stays": [[Odd, Stay], Second],
    "falls": [[Never, Never, First], [Never, First], Second],
    "none": [],
}


def build(node, agent, composite=Selector):
    if not isinstance(node, list):
        return node(agent)
    return composite(composite.__name__, memory=False, children=[build(child, agent, Sequence) for child in node])


def main():
    name, ticks = sys.argv[1], int(sys.argv[2])
    agent = Agent()
    tree = BehaviourTree(build(TREES[name], agent))
    is_ticked = name != "none"
    flips = int(name == "flips")
    began = time.perf_counter_ns()
    for _ in range(ticks):
        if is_ticked:
            tree.tick()
        agent.sees ^= flips
    print(agent.done, time.perf_counter_ns() - began)


main()
