// Notes that come quickly after each other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Turns } from "../../../Sources/LatticeHTTP/Page/page/turns.js";

function make(clock) {
  clock.enable({ apis: ["setTimeout"] });
  const shown = [];
  const dropped = [];
  return { turns: new Turns({ least: 100, most: 2, show: (one) => shown.push(one), drop: (one) => dropped.push(one) }), shown, dropped };
}

test("each is shown for a while before the next, in their order", ({ mock: { timers } }) => {
  const { turns, shown } = make(timers);
  for (const one of ["a", "b", "c"]) turns.add(one);
  timers.tick(99);
  assert.deepEqual(shown, ["a"]);
  timers.tick(1);
  assert.deepEqual(shown, ["a", "b"]);
  timers.tick(100);
  assert.deepEqual(shown, ["a", "b", "c"]);
  // The last one was there long enough, too.
  timers.tick(100);
  turns.add("d");
  assert.deepEqual(shown, ["a", "b", "c", "d"]);
});

test("when one is closed the next comes at once, and has its own time", ({ mock: { timers } }) => {
  const { turns, shown } = make(timers);
  for (const one of ["a", "b", "c"]) turns.add(one);
  timers.tick(50);
  turns.next();
  timers.tick(99);
  assert.deepEqual(shown, ["a", "b"]);
  timers.tick(1);
  assert.deepEqual(shown, ["a", "b", "c"]);
  turns.next();
  turns.add("d");
  assert.deepEqual(shown, ["a", "b", "c", "d"]);
});

test("of too many the oldest that waits is dropped, and in the end all that wait", ({ mock: { timers } }) => {
  const { turns, shown, dropped } = make(timers);
  for (const one of ["a", "b", "c", "d", "e"]) turns.add(one);
  assert.deepEqual([shown, dropped], [["a"], ["b", "c"]]);
  turns.clear();
  assert.deepEqual(dropped, ["b", "c", "d", "e"]);
  timers.tick(1_000);
  assert.deepEqual(shown, ["a"]);
});
