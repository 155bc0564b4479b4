#!/usr/bin/env python3
"""feed.py SOCKET SOCKET FILE: copies what is written at one node to the other, both ways, until it is ended.
FILE.there and FILE.back keep how far each way has come. What came this way does not go back: it is marked, and not asked for."""
import json, os, socket, sys, threading, time


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

    def ask(self, method, **params):
        self.number += 1
        self.socket.sendall(json.dumps({"id": self.number, "method": method, "params": params}).encode() + b"\n")
        while (line := self.line()).get("id") != self.number:
            self.batches.append(line)
        return line

    def batch(self):
        return self.batches.pop(0) if self.batches else self.line()


def put(node, records):
    while records:
        reply = node.ask("records.put", via="other", records=records)
        answers = reply["result"]["records.put"]["answers"] if "result" in reply else [{"code": "busy"}] * len(records)
        records = [record for record, answer in zip(records, answers) if answer.get("code") == "busy"]
        time.sleep(1 if records else 0)  # A record that is refused otherwise stays refused.


def copy(source, target, file):
    here, there = Node(source), Node(target)
    after = open(file).read() if os.path.exists(file) else None
    reply = here.ask("records.subscribe", notVia="other", after=after)
    if reply.get("error", {}).get("data", {}).get("code") == "positionGone":
        reply = here.ask("records.subscribe", notVia="other")
    feed = reply["result"]["records.subscribed"]["feed"]
    while (batch := here.batch())["method"] == "records":
        put(there, [record["bytes"] for record in batch["params"]["records"]])
        with open(f"{file}.new", "w") as new:
            new.write(batch["params"]["position"])
        os.rename(f"{file}.new", file)
        here.ask("records.taken", feed=feed, position=batch["params"]["position"])


one, other, file = sys.argv[1:]
for way in [(one, other, f"{file}.there"), (other, one, f"{file}.back")]:
    threading.Thread(target=copy, args=way).start()
