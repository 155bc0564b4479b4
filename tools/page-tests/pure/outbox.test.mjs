// Lines that wait for the node.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Outbox, WAITING_MAX, isAway, newKey } from "../../../Sources/LatticeHTTP/Page/page/outbox.js";

class Storage {
  values = new Map();
  keep = (key, value) => this.values.set(key, value);
  kept = (key) => this.values.get(key) ?? null;
  forget = (key) => this.values.delete(key);
}

const away = { status: 0, code: "unreachable" };

function box(store, answers, who = "me") {
  const sent = [];
  const refused = [];
  const outbox = new Outbox({
    who, store,
    send: async (line) => {
      const answer = answers.shift() ?? {};
      if (answer.status !== undefined) throw answer;
      return answer;
    },
    onSent: (line) => sent.push(line.key), onRefused: (line, error) => refused.push([line.key, error.code]),
  });
  return { outbox, sent, refused };
}

test("lines are sent in their order, and wait where the node is away again", async () => {
  const store = new Storage();
  const answers = [{}, away];
  const { outbox, sent } = box(store, answers);
  for (const key of ["a", "b", "c"]) assert.ok(outbox.add({ key }));
  assert.equal(await outbox.flush(), 1);
  assert.deepEqual(sent, ["a"]);
  assert.deepEqual(outbox.lines.map(({ key }) => key), ["b", "c"]);
  assert.equal(await outbox.flush(), 2);
  assert.deepEqual(sent, ["a", "b", "c"]);
  assert.equal(store.values.size, 0);
});

test("what waits is there after a restart of the browser, for the same person alone", () => {
  const store = new Storage();
  box(store, []).outbox.add({ key: "a", room: "#lobby" });
  assert.deepEqual(box(store, []).outbox.lines, [{ key: "a", room: "#lobby" }]);
  assert.deepEqual(box(store, [], "other").outbox.lines, []);
});

test("a refused line is told and does not hold up the next", async () => {
  const { outbox, sent, refused } = box(new Storage(), [{ status: 422, code: "lineTooLong" }, {}]);
  outbox.add({ key: "a" });
  outbox.add({ key: "b" });
  assert.equal(await outbox.flush(), 1);
  assert.deepEqual(refused, [["a", "lineTooLong"]]);
  assert.deepEqual(sent, ["b"]);
});

test("two tabs lose nothing of each other", () => {
  const store = new Storage();
  const [one, other] = [box(store, []).outbox, box(store, []).outbox];
  one.add({ key: "a" });
  other.add({ key: "b" });
  one.remove("a");
  assert.deepEqual(box(store, []).outbox.lines, [{ key: "b" }]);
});

test("a tab sends nothing that another one sent or removed", async () => {
  const store = new Storage();
  const [one, other] = [box(store, []), box(store, [])];
  one.outbox.add({ key: "a" });
  one.outbox.add({ key: "b" });
  const late = box(store, []);
  one.outbox.remove("a");
  assert.equal(await other.outbox.flush(), 1);
  assert.deepEqual(other.sent, ["b"]);
  assert.equal(await late.outbox.flush(), 0);
});

test("a line that was done already is neither sent nor refused", async () => {
  const { outbox, sent, refused } = box(new Storage(), [{ status: 409, code: "alreadyDone" }]);
  outbox.add({ key: "a" });
  assert.equal(await outbox.flush(), 0);
  assert.deepEqual([sent, refused, outbox.lines], [[], [], []]);
});

test("while lines are sent, another flush waits for the same ones", async () => {
  const { outbox, sent } = box(new Storage(), []);
  outbox.add({ key: "a" });
  assert.deepEqual(await Promise.all([outbox.flush(), outbox.flush()]), [1, 1]);
  assert.deepEqual(sent, ["a"]);
});

test("the browser keeps so many and no more, and nonsense in it is nothing", () => {
  const store = new Storage();
  const { outbox } = box(store, []);
  for (let key = 0; key < WAITING_MAX; key += 1) assert.ok(outbox.add({ key: `${key}` }));
  assert.equal(outbox.add({ key: "one more" }), false);
  store.keep("lattice outbox", "{");
  assert.deepEqual(box(store, []).outbox.lines, []);
});

test("a busy or absent node is asked again, a refusal is one", () => {
  for (const error of [away, { status: 429, code: "tooMany" }, { status: 409, code: "stillRunning" }, { status: 503, code: "stopped" },
    { status: 507, code: "diskFull" }, { status: 401, code: "nameNeeded" }]) {
    assert.ok(isAway(error));
  }
  for (const error of [{ status: 422, code: "invalid" }, { status: 404, code: "notFound" }, { status: 409, code: "alreadyDone" }]) {
    assert.ok(!isAway(error));
  }
  assert.match(newKey(), /^[0-9a-f]{32}$/);
});
