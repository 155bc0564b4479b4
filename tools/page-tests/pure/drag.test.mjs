// A message that a finger drags.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answers, pulled } from "../../../Sources/LatticeHTTP/Page/page/linedrag.js";

test("a message follows a finger in reading direction, and only so far", () => {
  assert.deepEqual([[5, 0], [40, 0], [300, 0], [-40, 0]].map(([x, y]) => pulled(x, y, false)), [null, 40, 80, null]);
  assert.deepEqual([[-5, 0], [-40, 0], [-300, 0], [40, 0]].map(([x, y]) => pulled(x, y, true)), [null, 40, 80, null]);
});

test("a finger that scrolls drags nothing", () => {
  assert.deepEqual([[40, 30], [40, -30], [12, 200]].map(([x, y]) => pulled(x, y, false)), [null, null, null]);
});

test("64 pixels answer", () => {
  assert.deepEqual([null, 63, 64, 80].map(answers), [false, false, true, true]);
});
