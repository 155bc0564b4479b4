#!/usr/bin/env python3
"""feed.py SOCKET SOCKET FILE: copies what is written at one node to the other, both ways, until it is ended or a node is.
FILE.there and FILE.back keep how far each way has come. What came this way does not go back: it is marked, and not asked for."""
import json, os, socket, sys, threading, time, traceback


class Node:
    """A control socket: requests are answered, and lines of a feed that come meanwhile wait."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines, self.number, self.batches = self.socket.makefile("rb"), 0, []

    def line(self):
        text = self.lines.readline()
        if not text:
            raise ConnectionError("the node has ended")
        return json.loads(text)

    def ask(self, method, unless=None, **params):
        """The result; nothing if the node refuses with the code `unless`."""
        self.number += 1
        self.socket.sendall(json.dumps({"id": self.number, "method": method, "params": params}).encode() + b"\n")
        while (line := self.line()).get("id") != self.number:
            self.batches.append(line)
        if "error" in line and line["error"].get("data", {}).get("code") != unless:
            raise RuntimeError(line["error"]["message"])
        return line.get("result")

    def batch(self):
        line = self.batches.pop(0) if self.batches else self.line()
        if line.get("method") != "records":
            raise RuntimeError(line.get("params", line)["error"]["message"])
        return line["params"]


def put(node, records):
    while records:
        if result := node.ask("records.put", unless="busy", via="other", records=records):
            answers = result["records.put"]["answers"]  # A record that is refused for another reason stays refused.
            records = [record for record, answer in zip(records, answers) if answer.get("code") == "busy"]
        time.sleep(1 if records else 0)


def copy(source, target, file):
    here, there = Node(source), Node(target)
    after = open(file).read() if os.path.exists(file) else None
    opened = here.ask("records.subscribe", unless="positionGone", notVia="other", after=after)
    opened = opened or here.ask("records.subscribe", notVia="other")
    while batch := here.batch():
        put(there, [record["bytes"] for record in batch["records"]])
        with open(f"{file}.new", "w") as new:
            new.write(batch["position"])
        os.rename(f"{file}.new", file)
        here.ask("records.taken", feed=opened["records.subscribed"]["feed"], position=batch["position"])


def work(*way):
    try:
        copy(*way)
    except Exception:
        traceback.print_exc()
    os._exit(1)  # One way alone is no bridge: who started it starts it again, where it was.


one, other, file = sys.argv[1:]
for way in [(one, other, f"{file}.there"), (other, one, f"{file}.back")]:
    threading.Thread(target=work, args=way).start()
