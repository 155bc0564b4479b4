// The arithmetic of the pictures, and the bytes that they and the stream are read from.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decodeCoastline } from "../../../Sources/LatticeHTTP/Page/page/coastline.js";
import { EventParser } from "../../../Sources/LatticeHTTP/Page/page/eventparser.js";
import { destination } from "../../../Sources/LatticeHTTP/Page/page/geo.js";
import { path, placed, stepped } from "../../../Sources/LatticeHTTP/Page/page/layout.js";
import { ringStep } from "../../../Sources/LatticeHTTP/Page/page/mapdraw.js";
import {
  fitted, isWithin, metresPerPixel, panned, project, tilesOf, unproject, zoomedAt,
} from "../../../Sources/LatticeHTTP/Page/page/projection.js";
import { retryWait } from "../../../Sources/LatticeHTTP/Page/page/stream.js";

const view = { lat: 40.7128, lon: -74.006, zoom: 13, width: 800, height: 600 };
const near = (a, b, by = 1e-6) => assert.ok(Math.abs(a - b) < by, `${a} is not ${b}`);

test("a pixel and its place name each other", () => {
  for (const at of [{ x: 0, y: 0 }, { x: 800, y: 600 }, { x: 123, y: 456 }]) {
    const back = project(view, unproject(view, at));
    near(back.x, at.x);
    near(back.y, at.y);
  }
  assert.deepEqual(project(view, view), { x: 400, y: 300 });
});

test("what is under the pointer stays there while one zooms", () => {
  const at = { x: 700, y: 90 };
  const place = unproject(view, at);
  const back = project(zoomedAt(view, at, 2.3), place);
  near(back.x, at.x, 1e-4);
  near(back.y, at.y, 1e-4);
});

test("the map goes around the globe and stops at its ends", () => {
  const fiji = { ...view, lat: -17, lon: 179.9 };
  assert.ok(project(fiji, { lat: -17, lon: -179.9 }).x > 400);
  assert.ok(panned(fiji, -1e6, 0).lon < 180);
  assert.ok(panned(view, 0, 1e9).lat <= 85.06);
  assert.ok(zoomedAt(view, { x: 0, y: 0 }, 99).zoom <= 20);
});

test("a circle that the view is fitted to is in sight", () => {
  for (const radius of [250, 5_000, 100_000]) {
    const fit = fitted(view, view, radius);
    for (const bearing of [0, 90, 180, 270]) assert.ok(isWithin(fit, destination(view, bearing, radius)));
    assert.ok((radius / metresPerPixel(fit)) > 200);
    const step = ringStep(fit);
    assert.match(String(step), /^[125]0*$/);
  }
});

test("tiles cover the view, each once, those of the middle first", () => {
  const tiles = tilesOf({ ...view, zoom: 13.4 }, 0, 14);
  const covers = (x, y) => tiles.some((tile) => x >= tile.left && y >= tile.top && x <= tile.left + tile.size && y <= tile.top + tile.size);
  assert.ok([[0, 0], [799, 0], [0, 599], [799, 599], [400, 300]].every(([x, y]) => covers(x, y)));
  assert.equal(new Set(tiles.map(({ x, y }) => `${x} ${y}`)).size, tiles.length);
  assert.ok(tiles[0].left <= 400 && tiles[0].left + tiles[0].size >= 400);
  assert.ok(tilesOf({ ...view, zoom: 20 }, 0, 10).every((tile) => tile.z === 10));
});

test("the outlines of the continents are whole, and broken ones are refused", () => {
  const bytes = new Uint8Array(readFileSync(new URL("../../../Sources/LatticeHTTP/Page/page/coastline.bin", import.meta.url)));
  assert.ok(bytes.length < 60_000);
  const { coasts, borders } = decodeCoastline(bytes);
  assert.ok(coasts.length > 100 && borders.length > 100);
  for (const { lat, lon } of [...coasts, ...borders].flat()) assert.ok(Math.abs(lat) <= 90 && Math.abs(lon) <= 180);
  // A point in Kansas is inside of one coast, one in the Atlantic inside of none.
  const inside = (point) => coasts.filter((line) => line.reduce((odd, a, at) => {
    const b = line[(at + 1) % line.length];
    return (a.lat > point.lat) !== (b.lat > point.lat) && point.lon < ((b.lon - a.lon) * (point.lat - a.lat)) / (b.lat - a.lat) + a.lon ? !odd : odd;
  }, false)).length;
  assert.equal(inside({ lat: 38.5, lon: -98 }) % 2, 1);
  assert.equal(inside({ lat: 30, lon: -45 }) % 2, 0);
  assert.throws(() => decodeCoastline(new Uint8Array([9])), /version/);
  assert.throws(() => decodeCoastline(new Uint8Array([1, 255, 255, 255, 255, 255, 255])), /broken/);
  for (let end = 1; end < 200; end += 1) assert.throws(() => decodeCoastline(bytes.slice(0, end)));
});

test("events are the same however the stream is cut", () => {
  const text = "\ufeff: hello\n\nid: b-1\nevent: message\ndata: {\"a\":1}\n\nid: b-2\r\nevent: item\r\ndata: one\r\ndata: two\r\n\r\ndata:x\r\rid: b-3\n\ndata: unfinished\n".slice(1);
  const whole = new EventParser().take(text);
  assert.deepEqual(whole,
    [{ name: "message", data: "{\"a\":1}", id: "b-1" }, { name: "item", data: "one\ntwo", id: "b-2" }, { name: "message", data: "x", id: "b-2" }]);
  for (let size = 1; size < 12; size += 1) {
    const parser = new EventParser();
    const events = [];
    for (let at = 0; at < text.length; at += size) events.push(...parser.take(text.slice(at, at + size)));
    assert.deepEqual(events, whole, `pieces of ${size}`);
    assert.equal(parser.lastId, "b-3");
  }
});

test("a stream without end of line is let go of", () => {
  const parser = new EventParser();
  for (let times = 0; times < 30; times += 1) parser.take("x".repeat(100_000));
  assert.deepEqual(parser.take("\n\ndata: y\n\n"), [{ name: "message", data: "y", id: "" }]);
});

test("attempts come later and later, and never all at once", () => {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    assert.ok(retryWait(attempt, 0) >= 250 && retryWait(attempt, 1) <= 15_000);
    assert.ok(retryWait(attempt, 0.2) < retryWait(attempt, 0.9));
  }
});

test("the same graph is laid out alike, oneself in the middle, nobody on anybody", () => {
  const nodes = Array.from({ length: 20 }, (_, index) => ({ id: `n${index}`, me: index === 0 }));
  const links = nodes.slice(1).map((node, index) => ({ a: `n${Math.floor(index / 3)}`, b: node.id }));
  const lay = () => {
    let spots = placed(nodes, links);
    for (let heat = 1; heat > 0; heat -= 0.005) spots = stepped(nodes, links, spots, heat);
    return spots;
  };
  const spots = lay();
  assert.deepEqual(spots, lay());
  assert.deepEqual(spots.n0, { x: 0, y: 0 });
  const all = Object.values(spots);
  for (const a of all) for (const b of all) if (a !== b) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > 25);
  assert.deepEqual(placed(nodes, links, spots), spots, "who stays, stays where they were");
});

test("a message takes the shortest way that is known", () => {
  const links = [{ a: "1", b: "2" }, { a: "2", b: "3" }, { a: "1", b: "4" }, { a: "4", b: "5" }, { a: "5", b: "3" }];
  assert.deepEqual(path(links, "3", "1"), ["3", "2", "1"]);
  assert.deepEqual(path(links, "9", "1"), []);
});
