// Lines of chats in parts, in groups and by day, and the list of chats.

import assert from "node:assert/strict";
import { test } from "node:test";

import { seenToday } from "../../../Sources/LatticeHTTP/Page/page/about.js";
import { byTime, countText } from "../../../Sources/LatticeHTTP/Page/page/chatlist.js";
import { Drafts } from "../../../Sources/LatticeHTTP/Page/page/drafts.js";
import { follows } from "../../../Sources/LatticeHTTP/Page/page/lines.js";
import { namesPerson, partsOf } from "../../../Sources/LatticeHTTP/Page/page/linetext.js";
import { colourOf, inkOn } from "../../../Sources/LatticeHTTP/Page/page/text.js";
import { dayWords, shortWhen } from "../../../Sources/LatticeHTTP/Page/page/time.js";

const parts = (text, name) => partsOf(text, name).map(({ kind, text: words }) => `${kind}:${words}`);

test("code is kept as it is, and nothing is looked for in it", () => {
  assert.deepEqual(parts("like this:\n```\nlpr -P camp  menu.txt\n# two\n```\ndone"),
    ["text:like this:\n", "block:lpr -P camp  menu.txt\n# two", "text:done"]);
  assert.deepEqual(parts("```js\nlet a;\n```"), ["block:let a;"]);
  assert.deepEqual(parts("`@bob` and @bob", "bob"), ["code:@bob", "text: and ", "name:@bob"]);
  for (const text of ["```", "``` ```", "a ` b", "``", "`a\nb`", ""]) assert.deepEqual(parts(text), [`text:${text}`], text);
});

test("only addresses of the web can be followed, without what ends the sentence", () => {
  assert.deepEqual(parts("see http://hub.local/menu.html. Or (https://a.example/x)!"),
    ["text:see ", "link:http://hub.local/menu.html", "text:. Or (", "link:https://a.example/x", "text:)!"]);
  for (const text of ["javascript:alert(1)", "[click](javascript:alert(3))", "data:text/html,x", "ftp://a", "http://", "xhttp://a"]) {
    assert.deepEqual(parts(text), [`text:${text}`], text);
  }
});

test("a name counts where it stands as a word of its own, whatever it is made of", () => {
  for (const [text, name] of [["@alice, look", "alice"], ["ALICE?", "alice"], ["an a.b here", "a.b"], ["hi Ana María!", "Ana María"]]) {
    assert.ok(namesPerson(text, name), text);
  }
  for (const [text, name] of [["malice", "alice"], ["alices", "alice"], ["an axb here", "a.b"], ["nobody", ""]]) assert.ok(!namesPerson(text, name), text);
});

test("lines of one person within five minutes stand together", () => {
  const line = (minute, more) => ({ from: { id: "a" }, at: `2026-11-22T10:${String(minute).padStart(2, "0")}:00Z`, style: "says", ...more });
  assert.ok(follows(line(4), line(0)));
  assert.ok(!follows(line(5), line(0)));
  assert.ok(!follows(line(1, { from: { id: "b" } }), line(0)));
  assert.ok(!follows(line(1, { reply: { id: "x" } }), line(0)), "what it answers needs its author");
  assert.ok(!follows(line(1, { style: "acts" }), line(0)));
  assert.ok(follows(line(1, { style: "acts", file: "x" }), line(0)), "a file stands with the lines around it");
  assert.ok(!follows(line(0), null));
});

test("chats stand by what was said last, and by name where nothing was", () => {
  const chats = [{ name: "#b" }, { name: "#a" }, { name: "#c", last: { at: "2026-11-22T10:00:00Z" } }, { name: "@d", last: { at: "2026-11-22T11:00:00Z" } }];
  assert.deepEqual([...chats].sort(byTime).map(({ name }) => name), ["@d", "#c", "#a", "#b"]);
  assert.deepEqual([1, 99, 100].map(countText), ["1", "99", "99+"]);
});

test("who said something within a day and went is seen today, the last one first", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const said = (id, at) => ({ from: { id }, at });
  const lines = [said("old", "2026-11-20T12:00:00Z"), said("a", "2026-11-22T08:00:00Z"), said("b", "2026-11-22T09:00:00Z"),
    said("a", "2026-11-22T10:00:00Z"), said("here", "2026-11-22T11:00:00Z")];
  assert.deepEqual(seenToday(lines, [{ id: "here" }], now).map(({ person }) => person.id), ["a", "b"]);
});

test("days and hours are said as short as they can be", () => {
  const now = new Date(2026, 10, 22, 12).getTime();
  const at = (day, hour = 9) => new Date(2026, 10, day, hour, 5).getTime();
  assert.deepEqual([at(22), at(21), at(16)].map((date) => dayWords(date, now)), ["Today", "Yesterday", "Monday 16 November"]);
  assert.deepEqual([at(22), at(20), at(1)].map((date) => shortWhen(date, now)), ["09:05", "Fri", "1 Nov"]);
});

test("drafts are kept for each room, and the oldest goes when there are too many", () => {
  const drafts = new Drafts();
  drafts.set("#a", "begun");
  assert.equal(new Drafts().of("#a"), "begun");
  for (let count = 0; count < 50; count += 1) drafts.set(`#${count}`, "x");
  assert.deepEqual([drafts.of("#a"), drafts.of("#0"), drafts.of("#49")], ["", "x", "x"]);
  for (let count = 0; count < 50; count += 1) drafts.set(`#${count}`, "");
  assert.equal(new Drafts().of("#0"), "");
});

test("white letters stand out on the colour of everybody who chose none", () => {
  const ids = Array.from({ length: 200 }, (_, number) => ({ id: `${number}`.padStart(64, "0") }));
  const colours = new Set(ids.map(colourOf));
  assert.equal(colours.size, 10);
  for (const colour of colours) assert.equal(inkOn(colour), "#ffffff");
  assert.equal(colourOf({ id: "a", colour: "#ff0000" }), "#ff0000");
});
