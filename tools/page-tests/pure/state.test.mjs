// What the page shows, as values: lists that change, what is not confirmed yet, and answers that come late.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, Api, errorOf, queryText } from "../../../Sources/LatticeHTTP/Page/page/api.js";
import { concerns, concernsPeople, mayBring } from "../../../Sources/LatticeHTTP/Page/page/changes.js";
import { Latest } from "../../../Sources/LatticeHTTP/Page/page/latest.js";
import { SHOWN_MAX, withNew, without } from "../../../Sources/LatticeHTTP/Page/page/urgent.js";
import { ONLY_THESE, isMessage, parse } from "../../../Sources/LatticeHTTP/Page/page/typed.js";
import {
  deliveryText, directOf, lineOf, linkOf, pathOf, placeOf,
} from "../../../Sources/LatticeHTTP/Page/page/conversations.js";
import { routeOf } from "../../../Sources/LatticeHTTP/Page/page/router.js";
import { createStore } from "../../../Sources/LatticeHTTP/Page/page/store.js";
import {
  afterNews, deletingLine, editingLine, reacting, referenceTo,
} from "../../../Sources/LatticeHTTP/Page/page/linechanges.js";
import { Names } from "../../../Sources/LatticeHTTP/Page/page/names.js";
import { emptyTalk, LINES_MAX, reduceTalk, roomOf, shownRoom, unreadOf } from "../../../Sources/LatticeHTTP/Page/page/talkstate.js";
import { restOf, stopsOf } from "../../../Sources/LatticeHTTP/Page/page/sheet.js";
import {
  attending, difference, emptyPosts, liking, readable, reducePosts, shownItems, sortedItems, updated,
} from "../../../Sources/LatticeHTTP/Page/page/poststate.js";

const item = (id, more = {}) => ({
  id, kind: "post", state: "shown", author: { id: "a", name: "a" }, text: id, likes: 0, comments: 0, attendees: 0,
  liked: false, attending: false, mine: false, ...more,
});
const page = (...items) => ({ items });
const run = (...actions) => actions.reduce(reducePosts, emptyPosts);

test("only what is another is added, changed or removed", () => {
  const first = run({ type: "answered", page: page(item("a"), item("b"), item("c")) });
  const second = reducePosts(first, { type: "answered", page: page(item("d"), item("a"), item("b", { likes: 1 })) });
  const { added, changed, removed } = difference(first.items, second.items);
  assert.deepEqual([added, changed, removed].map((list) => list.map((one) => one.id)), [["d"], ["b"], ["c"]]);
  assert.equal(second.items[1], first.items[0], "what stays is the very same value");
});

test("what lies beside a named place has its name, and a list in another order has the same items", () => {
  const place = { lat: 10, lon: 20 };
  const state = run({ type: "answered", page: page(
    item("oak", { ...place, place_name: "Old oak", metres: 90, at: "2026-11-29T10:00:00Z" }),
    item("beside", { lat: 10.0001, lon: 20, metres: 80, at: "2026-11-29T12:00:00Z" }), item("draft", { isDraft: true })) });
  assert.deepEqual(state.items.map(({ near }) => near), ["Old oak", "Old oak", ""]);
  assert.deepEqual(state.places.map(({ name }) => name), ["Old oak"]);
  const again = reducePosts(state, { type: "answered", page: page(...state.items.map(({ near, ...one }) => one)) });
  assert.equal(again.places, state.places);
  assert.ok(again.items.every((one, at) => one === state.items[at]), "what is the same stays the very same value");
  const named = reducePosts(state, { type: "continued", page: page(item("new", { lat: 10, lon: 20.0001 })) });
  assert.equal(named.items[3].near, "Old oak");
  const order = (by) => sortedItems(state.items, by).map(({ id }) => id);
  assert.deepEqual([order("closest"), order("newest")], [["draft", "beside", "oak"], ["draft", "beside", "oak"]]);
  const events = [item("later", { starts: "2026-12-02T10:00:00Z", metres: 1 }), item("sooner", { starts: "2026-12-01T10:00:00Z" })];
  assert.deepEqual(sortedItems(events, "newest").map(({ id }) => id), ["sooner", "later"]);
  assert.deepEqual(sortedItems(events, "closest").map(({ id }) => id), ["later", "sooner"]);
});

test("places that people made stay while lists come and go, and name what lies beside them", () => {
  const made = [item("tap", { kind: "place", title: "Tap", lat: 10, lon: 20 })];
  const state = run({ type: "answered", page: page(item("beside", { lat: 10.0001, lon: 20 })) }, { type: "named", items: made });
  assert.deepEqual(state.items.map(({ near }) => near), ["Tap"]);
  assert.deepEqual(state.places.map(({ id, count }) => [id, count]), [["tap", 1]]);
  assert.equal(reducePosts(state, { type: "named", items: made.map((one) => ({ ...one })) }), state, "the same places change nothing");
  const other = reducePosts(state, { type: "answered", page: page() });
  assert.deepEqual(other.places.map(({ id, count }) => [id, count]), [["tap", 0]]);
  assert.deepEqual(reducePosts(other, { type: "named", items: [] }).places, []);
});

test("what can be read now is what was too far before", () => {
  const items = [item("a"), item("b", { state: "too_far" }), item("c"), item("d")];
  assert.deepEqual(readable(items, new Set(["a", "b", "gone"])).map(({ id }) => id), ["a"]);
});

test("a sheet that is let go of rests where it would roll to", () => {
  assert.deepEqual(stopsOf(740), { peek: 212, half: 370, whole: 668 });
  assert.deepEqual(stopsOf(250), { peek: 212, half: 212, whole: 212 });
  assert.deepEqual([[212, 0], [300, 0], [300, 0.5], [300, -2], [500, 9], [370, -9], [700, 0]].map(([at, speed]) => restOf(740, at, speed)),
    ["peek", "half", "half", "peek", "whole", "peek", "whole"]);
});

test("a like is shown at once, and is gone again when the node does not agree", () => {
  const before = run({ type: "answered", page: page(item("a", { likes: 2 })) });
  const during = reducePosts(before, { type: "began", ticket: 1, id: "a", change: liking(true) });
  assert.deepEqual([shownItems(during)[0].likes, shownItems(during)[0].liked], [3, true]);
  const after = reducePosts(during, { type: "undone", ticket: 1 });
  assert.equal(shownItems(after)[0], before.items[0]);
});

test("an answer that comes while something is not confirmed does not count it twice", () => {
  const during = run({ type: "answered", page: page(item("a")) }, { type: "began", ticket: 1, id: "a", change: liking(true) },
    { type: "answered", page: page(item("a", { likes: 1, liked: true })) });
  assert.equal(shownItems(during)[0].likes, 1);
  const after = reducePosts(during, { type: "settled", ticket: 1, item: item("a", { likes: 1, liked: true }) });
  assert.equal(shownItems(after)[0].likes, 1);
  assert.equal(attending(false)(item("a")).attendees, 0);
});

test("a post that is on its way stands first, once, and goes when it fails", () => {
  const draft = item("draft-1", { isDraft: true });
  const during = run({ type: "answered", page: page(item("a")) }, { type: "adding", ticket: 1, item: draft });
  assert.deepEqual(shownItems(during).map((one) => one.id), ["draft-1", "a"]);
  const settled = reducePosts(during, { type: "settled", ticket: 1, item: item("b") });
  assert.deepEqual(shownItems(settled).map((one) => one.id), ["b", "a"]);
  const told = reducePosts(during, { type: "answered", page: page(item("b"), item("a")) });
  assert.deepEqual(shownItems(reducePosts(told, { type: "settled", ticket: 1, item: item("b") })).map((one) => one.id),
    ["b", "a"]);
  assert.deepEqual(shownItems(reducePosts(during, { type: "undone", ticket: 1 })).map((one) => one.id), ["a"]);
});

test("a post that the node tells of sooner than it answers stands there once", () => {
  const mine = { mine: true, text: "hello" };
  const during = run({ type: "answered", page: page(item("old", mine)) },
    { type: "adding", ticket: 1, item: item("draft-1", mine) });
  assert.deepEqual(shownItems(during).map((one) => one.id), ["draft-1", "old"]);
  const told = reducePosts(during, { type: "answered", page: page(item("new", mine), item("old", mine)) });
  assert.deepEqual(shownItems(told).map((one) => one.id), ["new", "old"]);
  const settled = reducePosts(told, { type: "settled", ticket: 1, item: item("new", mine) });
  assert.deepEqual(shownItems(settled).map((one) => one.id), ["new", "old"]);
});

test("what is too far in a list stays so, whatever another question tells of it", () => {
  const far = item("a", { state: "too_far", text: undefined, metres: 3_000, bearing: 10 });
  const news = updated(far, item("a", { likes: 5, metres: 10, bearing: 0 }));
  assert.deepEqual([news.state, news.text, news.likes, news.metres], ["too_far", undefined, 5, 3_000]);
  assert.equal(updated(far, item("a", { state: "deleted_by_author", text: undefined })).state, "deleted_by_author");
});

test("the chosen item is chosen until it is not there any more", () => {
  const chosen = run({ type: "answered", page: page(item("a"), item("b")) }, { type: "selected", id: "b" });
  assert.equal(reducePosts(chosen, { type: "answered", page: page(item("b")) }).selected, "b");
  assert.equal(reducePosts(chosen, { type: "answered", page: page(item("a")) }).selected, null);
});

test("a page that continues repeats nothing", () => {
  const state = run({ type: "answered", page: { items: [item("a"), item("b")], next: "x" } },
    { type: "continued", page: page(item("b"), item("c")) });
  assert.deepEqual([state.items.map((one) => one.id), state.next], [["a", "b", "c"], undefined]);
});

test("a late answer never takes the place of a newer one", async () => {
  const latest = new Latest();
  const waits = [];
  const ask = (signal) => new Promise((resolve, reject) => waits.push({ resolve, reject, signal }));
  assert.equal(latest.isAsking, false);
  const [first, second] = [latest.run(ask), latest.run(ask)];
  assert.equal(waits[0].signal.aborted, true);
  waits[1].resolve("new");
  waits[0].resolve("old");
  assert.equal(latest.isAsking, true);
  assert.deepEqual([await first, await second], [null, { answer: "new" }]);
  assert.equal(latest.isAsking, false);
  const [third, fourth] = [latest.run(ask), latest.run(ask)];
  waits[2].reject(new Error("late"));
  waits[3].resolve("newest");
  assert.deepEqual([await third, await fourth], [null, { answer: "newest" }]);
  const dropped = latest.run(ask);
  latest.drop();
  waits[4].resolve("unwanted");
  assert.equal(await dropped, null);
});

test("readers of a state hear of changes alone", () => {
  const store = createStore((state, action) => (action === 0 ? state : state + action), 1);
  const heard = [];
  const stop = store.subscribe((state, before) => heard.push([state, before]));
  store.dispatch(0);
  store.dispatch(2);
  stop();
  store.dispatch(5);
  assert.deepEqual(heard, [[3, 1]]);
});

const changes = (more) => ({ items: [], people: [], ...more });
const change = (id, more = {}) => ({ id, kinds: ["like"], ...more });

test("what is told to be another concerns what is shown of it, and nothing else", () => {
  const shown = [item("a"), item("b", { author: { id: "bob", name: "bob" } })];
  const of = (more) => concerns(changes(more), shown);
  assert.equal(of({ items: [change("c")], people: [{ id: "eve", kinds: ["profile"] }] }), false);
  assert.equal(of({ items: [change("c"), change("a")] }), true);
  assert.equal(of({ items: [change("c", { about: "a" })] }), true, "a comment on it");
  assert.equal(of({ people: [{ id: "bob", kinds: ["profile"] }] }), true, "whoever left it is called otherwise");
  assert.equal(of({ people: [{ id: "bob", kinds: ["follow"] }] }), false);
  assert.equal(of({ many: true }), true);
  assert.equal(concerns(changes({ items: [change("a")] }), []), false);
  assert.deepEqual([mayBring(changes({ items: [change("c")] })), mayBring(changes({ items: [change("c", { kinds: ["edit"] })] }))],
    [false, true]);
  const follow = changes({ people: [{ id: "bob", kinds: ["follow"] }] });
  assert.deepEqual([concernsPeople(follow), concernsPeople(follow, "bob"), concernsPeople(follow, "eve")], [true, true, false]);
});

test("what is out waits no more, whatever an answer says that was on its way", () => {
  const waiting = (id) => item(id, { waiting: true });
  const before = run({ type: "answered", page: page(waiting("a"), item("b")) });
  const after = reducePosts(before, { type: "sent", ids: ["a", "c"] });
  assert.deepEqual(after.items.map((one) => one.waiting === true), [false, false]);
  assert.equal(after.items[1], before.items[1], "what did not wait is the very same value");
  assert.equal(reducePosts(after, { type: "sent", ids: ["d"] }).items, after.items);
  const late = reducePosts(after, { type: "answered", page: page(waiting("a"), item("b"), waiting("e")) });
  assert.deepEqual(late.items.map((one) => one.waiting === true), [false, false, true]);
  assert.equal(late.items[0], after.items[0]);
  const draft = reducePosts(late, { type: "adding", ticket: 1, item: item("draft-1") });
  assert.equal(reducePosts(draft, { type: "settled", ticket: 1, item: waiting("c") }).items[0].waiting, false);
});

test("every refusal is a sentence", async () => {
  assert.equal(errorOf(422, { detail: "write something first", code: "invalid" }).message, "Write something first.");
  assert.equal(
    errorOf(422, { detail: "x", errors: [{ field: "text", reason: "the text is too long: leave off 3" }] }).message,
    "The text is too long: leave off 3.");
  assert.equal(errorOf(422, { message: "Validation Failed", errors: ["Lat can't be blank", "Name can't be blank"] }).message,
    "Lat can't be blank. Name can't be blank.");
  assert.match(errorOf(401, {}).message, /open the link/);
  assert.match(errorOf(500, null).message, /try again/);
  assert.match(errorOf(429, {}).message, /wait a moment/);
  const away = new Api("t", { fetch: async () => { throw new TypeError("Failed to fetch"); } });
  await assert.rejects(away.get("/me"),
    (error) => error instanceof ApiError && error.status === 0 && /Check that it runs/.test(error.message));
});

test("the token goes into the header and nowhere else", async () => {
  const asked = [];
  const api = new Api("secret", { fetch: async (url, request) => { asked.push([url, request]); return new Response("{}"); } });
  await api.get("/posts/near", { lat: 1, after: undefined, words: "a b&c" });
  const [url, request] = asked[0];
  assert.equal(url, "/v1/posts/near?lat=1&words=a+b%26c");
  assert.equal(request.headers.Authorization, "Bearer secret");
  assert.equal(queryText({ a: undefined, b: null, c: "" }), "");
});

const line = (id, more = {}) => ({
  id, room: "#a", from: { id: "b", name: "bob" }, text: id, at: "2026-11-22T10:00:00.000Z", ...more,
});
const talk = (...actions) => actions.reduce(reduceTalk, emptyTalk);
const ids = (state) => roomOf(state, "#a").lines.map((one) => one.id);

test("a line that is told twice is shown once", () => {
  const own = line("t1", { ticket: 1, key: "t1", text: "hi", mine: true });
  const told = { type: "said", room: "#a", ticket: 1, id: "x", waiting: true };
  const heard = { type: "heard", line: line("x", { text: "hi", mine: true }) };
  assert.deepEqual(ids(talk({ type: "saying", line: own }, told, heard)), ["x"]);
  assert.deepEqual(ids(talk({ type: "saying", line: own }, heard, told)), ["x"]);
  assert.deepEqual(ids(talk({ type: "saying", line: own }, { type: "unsaid", room: "#a", ticket: 1 })), []);
});

test("a line that is out waits no more, even if that is told before the node has answered", () => {
  const own = line("t1", { ticket: 1, key: "t1", mine: true });
  const told = { type: "said", room: "#a", ticket: 1, id: "x", waiting: true };
  const out = { type: "sent", ids: ["x"] };
  const heard = { type: "heard", line: line("x", { mine: true, text: "t1" }) };
  assert.equal(roomOf(talk({ type: "saying", line: own }, heard, told), "#a").lines[0].waiting, true, "who waits is marked");
  for (const actions of [[told, out], [out, told], [heard, told, out], [heard, out, told], [out, heard, told]]) {
    const [one] = roomOf(talk({ type: "saying", line: own }, ...actions), "#a").lines;
    assert.deepEqual([one.id, one.waiting], ["x", false]);
  }
  assert.equal(roomOf(talk({ type: "saying", line: own }, told, { type: "sent", ids: ["y"] }), "#a").lines[0].waiting, true);
});

test("what was loaded stands where the node puts it, earlier lines in front", () => {
  const state = talk({ type: "heard", line: line("c") },
    { type: "loaded", room: "#a", lines: [line("b"), line("c")], more: true },
    { type: "earlier", room: "#a", lines: [line("a"), line("b")], more: false });
  assert.deepEqual(ids(state), ["a", "b", "c"]);
  assert.equal(roomOf(state, "#a").more, false);
  assert.deepEqual(
    ids(reduceTalk(state, { type: "loaded", room: "#a", lines: [line("b"), line("late"), line("c")], more: true })),
    ["a", "b", "late", "c"]);
});

test("a line that is heard while the node is asked is not lost to an answer without it", () => {
  const state = talk({ type: "heard", line: line("old") }, { type: "asking", room: "#a" }, { type: "heard", line: line("new") },
    { type: "loaded", room: "#a", lines: [line("a")], more: true });
  assert.deepEqual(ids(state), ["a", "new"]);
  assert.deepEqual(ids(reduceTalk(state, { type: "loaded", room: "#a", lines: [line("a"), line("new")], more: true })), ["a", "new"]);
});

test("lines that are told again as they were are the same values", () => {
  const before = talk({ type: "loaded", room: "#a", lines: [line("a"), line("b")], more: false });
  const after = reduceTalk(before, { type: "loaded", room: "#a", lines: [line("a"), line("b", { late: true }), line("c")], more: false });
  assert.equal(roomOf(after, "#a").lines[0], roomOf(before, "#a").lines[0]);
  assert.notEqual(roomOf(after, "#a").lines[1], roomOf(before, "#a").lines[1]);
});

test("lines that nobody looks at are counted until they are read", () => {
  const state = talk({ type: "opened", room: "#b" }, { type: "heard", line: line("x") },
    { type: "heard", line: line("y", { mine: true }) }, { type: "heard", line: line("z", { room: "#b" }) });
  assert.deepEqual(unreadOf(state), { lines: 1, mentions: 0, direct: 0 });
  assert.equal(roomOf(state, "#b").isMarked, false, "what came while one looks is still to be marked read");
  const read = reduceTalk(state, { type: "marking", room: "#a" });
  assert.equal(unreadOf(read).lines, 0);
  const hidden = reduceTalk(read, { type: "heard", line: line("w", { room: "#b" }), isSeen: false });
  assert.equal(unreadOf(hidden).lines, 1, "nobody looks at a tab in the background");
});

test("the counts of the node take the place of those of the page", () => {
  const bob = "b".repeat(64);
  const state = talk({ type: "heard", line: line("x") }, { type: "unread", items: [
    { room: "#c", lines: 7, mentions: 2, more: false }, { peer: bob, lines: 3, mentions: 0, more: false },
  ] });
  assert.deepEqual([roomOf(state, "#a").unread, roomOf(state, "#c").unread, unreadOf(state)],
    [0, 7, { lines: 7, mentions: 2, direct: 3 }]);
  const read = [{ room: "#c", lines: 1, mentions: 0 }, { peer: bob, lines: 0, mentions: 0 }]
    .reduce((before, count) => reduceTalk(before, { type: "read", count }), state);
  assert.deepEqual(unreadOf(read), { lines: 1, mentions: 0, direct: 0 });
  assert.equal(reduceTalk(read, { type: "read", count: { room: "#c", lines: 1, mentions: 0 } }), read);
});

test("lines of people who are not heard are not shown, and muted rooms do not count", () => {
  const [eve, bob] = ["e".repeat(64), "b".repeat(64)];
  const by = (id, from, more) => line(id, { from: { id: from, name: from }, ...more });
  const marks = (unheard, muted = []) => ({ type: "marks", unheard, muted });
  const state = talk({ type: "heard", line: by("x", eve) }, marks([eve], ["#b"]), { type: "heard", line: by("y", eve) },
    { type: "heard", line: by("z", bob) }, { type: "heard", line: by("w", bob, { room: "#b" }) });
  const shown = (of) => shownRoom(of, "#a").lines.map(({ id }) => id);
  assert.deepEqual(shown(state), ["z"]);
  assert.deepEqual([roomOf(state, "#a").unread, roomOf(state, "#b").unread, unreadOf(state).lines], [2, 1, 2],
    "what came before counts until the node says otherwise");
  const after = reduceTalk(state, marks([]));
  assert.deepEqual([shown(after), unreadOf(after).lines], [["x", "y", "z"], 3]);
  assert.equal(reduceTalk(after, marks([])).unheard, after.unheard, "the same marks are no news");
  const count = { type: "unread", items: [{ room: "#a", lines: 1, mentions: 0, more: false }] };
  const opened = talk(marks([eve]), count, { type: "opened", room: "#a" },
    { type: "loaded", room: "#a", lines: [by("1", bob), by("2", bob), by("3", eve)], more: false });
  assert.equal(roomOf(opened, "#a").rule, "2", "the rule stands above a line that is shown");
});

test("a rule stands where reading stopped until the room is left", () => {
  const lines = [line("a"), line("b"), line("c", { mine: true }), line("d")];
  const count = { type: "unread", items: [{ room: "#a", lines: 2, mentions: 0, more: false }] };
  const load = { type: "loaded", room: "#a", lines, more: false };
  const ruleOf = (state) => roomOf(state, "#a").rule;
  const opened = talk(count, { type: "opened", room: "#a" }, load);
  assert.equal(ruleOf(opened), "b");
  assert.equal(ruleOf(talk({ type: "opened", room: "#a" }, load, count)), "b", "the counts may come later");
  const read = [{ type: "marking", room: "#a" }, { type: "heard", line: line("e"), isSeen: false }].reduce(reduceTalk, opened);
  assert.equal(ruleOf(read), "b", "it stays");
  assert.equal(ruleOf(reduceTalk(read, { type: "closed" })), null);
  assert.equal(ruleOf(reduceTalk(read, { type: "opened", room: "#b" })), null);
  const seen = talk({ type: "opened", room: "#a" }, load, { type: "heard", line: line("e"), isSeen: true });
  assert.equal(ruleOf(seen), null);
  assert.equal(ruleOf(reduceTalk(seen, { type: "heard", line: line("f"), isSeen: false })), "f");
});

test("a conversation of two is counted apart from rooms, and its messages come further", () => {
  const [me, bob] = [{ id: "a", short: "a", name: "alice" }, { id: "b".repeat(64), short: "b", name: "bob" }];
  const said = (number, more) => lineOf({ number, peer: bob, text: "hi", at: "2026-01-01T00:00:00Z", state: "waiting", ...more }, me);
  const [mine, theirs] = [said(1, { mine: true }), said(2, { mine: false, id: "c" })];
  assert.deepEqual([mine.room, mine.from, mine.isBare, theirs.from, theirs.isBare], [directOf(bob.id), me, true, bob, false]);
  const state = talk({ type: "heard", line: mine }, { type: "heard", line: theirs }, { type: "heard", line: line("x") });
  assert.deepEqual(unreadOf(state), { lines: 1, mentions: 0, direct: 1 });
  const step = { type: "delivery", room: mine.room, number: 1, delivery: "delivered" };
  const after = reduceTalk(state, step);
  assert.deepEqual(roomOf(after, mine.room).lines.map((one) => one.state), ["delivered", "waiting"]);
  assert.equal(reduceTalk(after, step), after);
  assert.equal(reduceTalk(after, { ...step, number: 7 }), after);
  assert.equal(deliveryText(mine, "bob"), "Will be sent when bob is back");
  assert.equal(deliveryText(roomOf(after, mine.room).lines[0], "bob"), "Delivered");
});

test("a conversation has an address and a path of its own", () => {
  const id = "b".repeat(64);
  assert.deepEqual(routeOf(linkOf(directOf(id))).argument, directOf(id));
  assert.deepEqual([routeOf(`#/chat/${id}`).needsName, routeOf("#/chat/nobody").name], [true, "rooms"]);
  assert.deepEqual([pathOf(directOf(id)), pathOf("#a b")], [`/people/${id}`, "/rooms/a%20b"]);
  assert.deepEqual([placeOf(directOf(id)), placeOf("#a")], [{ peer: id }, { room: "#a" }]);
});

test("who looks around is asked for a name before something is written, and owns nothing", async () => {
  const asked = [];
  const answer = { items: [{ mine: true, liked: true, me: true }] };
  const api = new Api(null, { fetch: async (path, { method }) => {
    asked.push(`${method} ${path}`);
    return { ok: true, status: 200, text: async () => JSON.stringify(answer) };
  } });
  assert.deepEqual(await api.get("/people"), answer);
  api.isLooking = true;
  assert.deepEqual((await api.get("/people")).items, [{ mine: false, liked: false, me: false }]);
  assert.deepEqual((await api.get("/graph")).items, [{ mine: false, liked: false, me: true }]);
  const waiting = [];
  api.gate = (ask) => new Promise((resolve) => waiting.push(() => resolve(ask())));
  const written = api.post("/posts", {});
  await api.post("/visit", {});
  assert.deepEqual(asked.slice(3), ["POST /v1/visit"]);
  waiting[0]();
  await written;
  assert.deepEqual(asked.slice(4), ["POST /v1/posts"]);
});

const reacted = (...reactions) => line("x", { reactions: reactions.map(([emoji, ...by]) => ({ emoji, by })) });

test("a reaction is given and taken back once, and the last one takes its emoji with it", () => {
  const one = reacting("👍", "me", true)(line("x"));
  assert.deepEqual(one.reactions, [{ emoji: "👍", by: ["me"] }]);
  assert.equal(reacting("👍", "me", true)(one), one);
  const two = reacting("👍", "me", true)(reacted(["👍", "bob"], ["❤️", "bob"]));
  assert.deepEqual(two.reactions, [{ emoji: "👍", by: ["bob", "me"] }, { emoji: "❤️", by: ["bob"] }]);
  assert.deepEqual(reacting("👍", "me", false)(two).reactions, [{ emoji: "👍", by: ["bob"] }, { emoji: "❤️", by: ["bob"] }]);
  assert.deepEqual(reacting("❤️", "bob", false)(two).reactions, [{ emoji: "👍", by: ["bob", "me"] }]);
  assert.equal(reacting("🎉", "me", false)(two), two);
});

test("what is done to a line is shown at once, and is gone again when the node does not agree", () => {
  const before = talk({ type: "loaded", room: "#a", lines: [line("x"), line("y")], more: false });
  const began = (change, ticket = 1) => ({ type: "began", ticket, room: "#a", id: "x", change });
  const shown = (state) => shownRoom(state, "#a").lines[0];
  const during = reduceTalk(before, began(editingLine("new")));
  assert.deepEqual([shown(during).text, shown(during).edited], ["new", true]);
  assert.equal(shownRoom(during, "#a").lines[1], roomOf(before, "#a").lines[1], "others are the same values");
  assert.equal(shownRoom(reduceTalk(during, { type: "undone", ticket: 1 }), "#a"), roomOf(before, "#a"));
  const deleted = reduceTalk(before, began(deletingLine()));
  assert.deepEqual([shown(deleted).text, shown(deleted).deleted, shown(deleted).reactions], ["", true, undefined]);
  const both = reduceTalk(during, began(reacting("👍", "me", true), 2));
  const settled = reduceTalk(both, { type: "settled", ticket: 1, line: line("x", { text: "new", edited: true }) });
  assert.deepEqual([shown(settled).text, shown(settled).reactions[0].by], ["new", ["me"]]);
});

test("an answer that is older than the word of the stream counts nothing", () => {
  const state = talk({ type: "loaded", room: "#a", lines: [line("x")], more: false },
    { type: "began", ticket: 1, room: "#a", id: "x", change: reacting("👍", "me", true) },
    { type: "changed", line: reacted(["👍", "me"]), isMine: true }, { type: "changed", line: reacted(["👍", "me", "bob"]), isMine: false });
  const after = reduceTalk(state, { type: "settled", ticket: 1, line: reacted(["👍", "me"]) });
  assert.deepEqual(shownRoom(after, "#a").lines[0].reactions, [{ emoji: "👍", by: ["me", "bob"] }]);
  const early = talk({ type: "loaded", room: "#a", lines: [line("x")], more: false },
    { type: "began", ticket: 1, room: "#a", id: "x", change: reacting("👍", "me", true) },
    { type: "changed", line: reacted(["👍", "bob"]), isMine: false });
  const told = reduceTalk(early, { type: "settled", ticket: 1, line: reacted(["👍", "bob", "me"]) });
  assert.deepEqual(roomOf(told, "#a").lines[0].reactions[0].by, ["bob", "me"]);
});

test("a change of a line shows in the answers to it, and what only the page knows of it stays", () => {
  const answer = line("y", { reply: { id: "x", from: "b", name: "bob", text: "x" } });
  const state = talk({ type: "loaded", room: "#a", lines: [line("x", { key: "ticket-1", mine: true, waiting: true }), answer], more: false },
    { type: "changed", line: line("x", { text: "a".repeat(200), edited: true }), isMine: false });
  const [first, second] = roomOf(state, "#a").lines;
  assert.deepEqual([first.key, first.mine, first.waiting, first.edited], ["ticket-1", true, true, true]);
  assert.equal(second.reply.text, `${"a".repeat(79)}…`);
  const gone = reduceTalk(state, { type: "changed", line: line("x", { text: "", deleted: true }), isMine: false });
  assert.equal(roomOf(gone, "#a").lines[1].reply.text, "");
  assert.equal(reduceTalk(gone, { type: "changed", line: line("z", { room: "#unknown" }), isMine: false }).rooms, gone.rooms);
  const missing = { ...answer, reply: { id: "x" } };
  assert.deepEqual(afterNews(missing, line("x")).reply, referenceTo(line("x")), "a line that came after its answer");
});

test("names come from people who were seen, and are asked for once where one is missing", async () => {
  let asked = 0;
  let learned = 0;
  const carol = "0".repeat(64);
  const names = new Names({
    me: () => ({ id: "me" }), ask: async () => { asked += 1; return [{ id: carol, name: "carol" }]; }, onLearned: () => { learned += 1; },
  });
  names.learn([{ id: "b", name: "bob" }, { id: "n", name: "" }]);
  assert.deepEqual(["me", "b"].map((id) => names.of(id)), ["you", "bob"]);
  assert.equal(asked, 0);
  assert.equal(names.of(carol), "#yyyy");
  assert.equal(names.of("f".repeat(64)), "#9999");
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([asked, learned, names.of(carol)], [1, 1, "carol"]);
});

test("a room that is talked in for ever does not fill the memory", () => {
  let state = emptyTalk;
  for (let index = 0; index < LINES_MAX + 10; index += 1) state = reduceTalk(state, { type: "heard", line: line(`l${index}`) });
  assert.equal(ids(state).length, LINES_MAX);
  assert.equal(ids(state).at(-1), `l${LINES_MAX + 9}`);
});

test("of what is urgent the newest three stand on top, each once", () => {
  const one = (record, more = {}) => ({ record, text: record, ...more });
  let shown = [];
  for (const record of ["a", "b", "c", "d", "c"]) shown = withNew(shown, one(record));
  assert.deepEqual(shown.map(({ record }) => record), ["c", "d", "b"]);
  assert.equal(shown.length, SHOWN_MAX);
  assert.deepEqual(without(shown, ["d", "x"]).map(({ record }) => record), ["c", "b"]);
});

test("typed text is a message or one of a few commands", () => {
  assert.deepEqual(parse("hi /me"), { command: "", text: "hi /me" });
  assert.deepEqual(parse("//me"), { command: "", text: "/me" });
  assert.deepEqual(parse("/me  waves\nand waits"), { command: "me", text: "waves\nand waits" });
  assert.deepEqual(parse("/away"), { command: "away", text: "" });
  assert.deepEqual(parse("/pin"), { fault: "Type a text after /pin." });
  for (const typed of ["/nick bob", "/", "/ me"]) assert.deepEqual(parse(typed), { fault: ONLY_THESE });
  assert.deepEqual(["", "me", "urgent", "pin", "back"].map(isMessage), [true, true, true, false, false]);
});
