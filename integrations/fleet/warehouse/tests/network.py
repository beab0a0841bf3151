#!/usr/bin/env python3
"""Robots on machines with networks of their own, with random faults: delays, losses, partitions, processes that are killed and stopped.

Needs Linux, root, `ip` and `tc`. Machines are network namespaces. The recordings show afterwards whether each robot was at one machine at a time.

    cargo build --manifest-path integrations/fleet/Cargo.toml --workspace
    python3 integrations/fleet/warehouse/tests/network.py integrations/fleet/target/debug --seconds 120 --seed 1
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", help="the folder with `bt-fleet` and `warehouse`")
parser.add_argument("--seconds", type=int, default=120)
parser.add_argument("--seed", type=int, default=int(time.time()))
parser.add_argument("--machines", type=int, default=4)
parser.add_argument("--robots", type=int, default=100)
options = parser.parse_args()
chance = random.Random(options.seed)
bridge, prefix = f"bt{os.getpid() % 100000}", f"bt{os.getpid() % 100000}-"
HUB = "10.213.0.1"
# How long robots need to settle after the last fault: leases, and zenoh's interval of connecting again.
SETTLING = 40


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


class Machine:
    """A process in a network namespace of its own."""

    def __init__(self, number):
        self.number, self.name, self.space = number, f"machine-{number}", f"{prefix}{number}"
        self.link, self.robots, self.process = f"{bridge}v{number}", 0, None
        ip("netns", "add", self.space)
        ip("link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        ip("link", "set", self.link, "master", bridge, "up")
        ip("-n", self.space, "addr", "add", f"10.213.0.{number + 1}/24", "dev", "eth0")
        ip("-n", self.space, "link", "set", "eth0", "up")
        tc = ["ip", "netns", "exec", self.space, "tc", "qdisc", "add", "dev", "eth0", "root", "netem", "delay", "20ms", "10ms", "loss", "1%"]
        if subprocess.run(tc, stderr=subprocess.DEVNULL).returncode:
            print(f"{self.name}: this kernel has no netem: without delays and losses")

    def start(self, robots):
        command = ["ip", "netns", "exec", self.space, os.path.join(options.programs, "warehouse"), "--machine", self.name]
        command += ["--endpoint", f"tcp/{HUB}:7447", "--robots", str(robots)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, args=[self.process], daemon=True).start()

    def read(self, process):
        for line in process.stdout:
            if line.startswith("robots ") and process is self.process:
                self.robots = int(line.split()[1])

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process, self.robots = None, 0

    def fault(self):
        """Does something, and returns what undoes it, how long that lasts, and what it is."""
        kind, seconds = chance.choice(["cut", "stop", "kill"]), chance.uniform(0.2, 8)
        if kind == "cut":
            ip("link", "set", self.link, "down")
            return lambda: ip("link", "set", self.link, "up"), seconds, "is cut off"
        if kind == "stop":
            self.process.send_signal(signal.SIGSTOP)
            return lambda: self.process.send_signal(signal.SIGCONT), seconds, "is stopped"
        self.end()
        return lambda: self.start(0), seconds, "is killed"


def main():
    folder = tempfile.mkdtemp(prefix="warehouse-")
    print(f"seed {options.seed}, recordings in {folder}")
    ip("link", "add", bridge, "type", "bridge")
    ip("addr", "add", f"{HUB}/24", "dev", bridge)
    ip("link", "set", bridge, "up")
    machines, hub = [], None
    try:
        command = [os.path.join(options.programs, "bt-fleet"), "warehouse", "--keeper", "--address", "127.0.0.1:0", "--listen", f"tcp/{HUB}:7447"]
        hub = subprocess.Popen([*command, "--record", folder, "--record-limit", "2000"], stdout=subprocess.DEVNULL)
        for number in range(1, options.machines + 1):
            machines.append(Machine(number))
            machines[-1].start(options.robots if number == 1 else 0)
        time.sleep(15)
        start, pending = time.monotonic(), []
        while time.monotonic() - start < options.seconds:
            idle = [machine for machine in machines if not any(of is machine for _, _, of in pending)]
            # One machine is always well, so that the robots have a place.
            if len(idle) > 1 and chance.random() < 0.3:
                machine = chance.choice(idle)
                undo, seconds, what = machine.fault()
                print(f"{time.monotonic() - start:.1f} s: {machine.name} {what} for {seconds:.1f} s")
                pending.append((time.monotonic() + seconds, undo, machine))
            for one in [one for one in pending if one[0] <= time.monotonic()]:
                pending.remove(one)
                one[1]()
            time.sleep(0.2)
        for _, undo, _ in pending:
            undo()
        time.sleep(SETTLING)
        robots = [machine.robots for machine in machines]
        print("robots:", robots)
        found = sum(robots)
    finally:
        for machine in machines:
            machine.end()
            ip("netns", "del", machine.space)
        # The last ticks are written.
        time.sleep(1)
        if hub:
            hub.kill()
        ip("link", "del", bridge)
    checked = subprocess.run([os.path.join(options.programs, "warehouse"), "--check", folder])
    if found != options.robots or checked.returncode:
        sys.exit(f"expected {options.robots} robots at the end, found {found}; the recordings are in {folder}")
    shutil.rmtree(folder)


main()
