"""A language server, driven over its standard input and output: as much of the protocol as the check beside this needs."""

import json
import subprocess
import threading
import time


class Server:
    """A running language server with one workspace."""

    def __init__(self, command, root, options):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.next = 0
        self.answers = {}
        self.ready = threading.Event()
        self.options = options
        self.arrived = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()
        uri = f"file://{root}"
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": uri,
                "workspaceFolders": [{"uri": uri, "name": "check"}],
                "initializationOptions": options,
                "capabilities": {
                    "workspace": {"configuration": True},
                    "window": {"workDoneProgress": True},
                    "textDocument": {
                        "completion": {
                            "completionItem": {
                                "snippetSupport": False,
                                "resolveSupport": {"properties": ["additionalTextEdits"]},
                            }
                        },
                        "hover": {"contentFormat": ["markdown"]},
                        "definition": {"linkSupport": False},
                        "diagnostic": {},
                        "rename": {"prepareSupport": True},
                        "codeAction": {
                            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
                            "resolveSupport": {"properties": ["edit"]},
                        },
                    },
                    "experimental": {"serverStatusNotification": True},
                },
            },
        )
        self.notify("initialized", {})

    def _read(self):
        out = self.process.stdout
        while True:
            length = 0
            while (line := out.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if length == 0:
                return
            self._take(json.loads(out.read(length)))

    def _take(self, message):
        method = message.get("method")
        if method == "experimental/serverStatus":
            if message["params"].get("quiescent"):
                self.ready.set()
        elif method == "workspace/configuration":
            self._send({"id": message["id"], "result": [self.options for _ in message["params"]["items"]]})
        elif method is not None and "id" in message:
            self._send({"id": message["id"], "result": None})
        elif "id" in message:
            with self.arrived:
                self.answers[message["id"]] = message
                self.arrived.notify_all()

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self._send({"method": method, "params": params})

    def request(self, method, params, seconds=120):
        """The result of a request. The server may say that the text has changed meanwhile: then it is asked again."""
        deadline = time.monotonic() + seconds
        while True:
            self.next += 1
            number = self.next
            self._send({"id": number, "method": method, "params": params})
            with self.arrived:
                while number not in self.answers:
                    if not self.arrived.wait(deadline - time.monotonic()):
                        raise TimeoutError(f"no answer to {method}")
                answer = self.answers.pop(number)
            if "error" not in answer:
                return answer["result"]
            if answer["error"]["code"] not in (-32801, -32802) or time.monotonic() > deadline:
                raise RuntimeError(answer["error"])
            time.sleep(0.2)

    def close(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.wait(10)
