// The arithmetic of the pictures, and the bytes that they and the stream are read from.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decodeCoastline } from "../../../Sources/LatticeHTTP/Page/page/coastline.js";
import { EventParser } from "../../../Sources/LatticeHTTP/Page/page/eventparser.js";
import { clusterSize, clustered } from "../../../Sources/LatticeHTTP/Page/page/clusters.js";
import { destination, distance } from "../../../Sources/LatticeHTTP/Page/page/geo.js";
import { path, placed } from "../../../Sources/LatticeHTTP/Page/page/layout.js";
import { gridStep } from "../../../Sources/LatticeHTTP/Page/page/mapdraw.js";
import { overlap, ringsOf, wordPlace } from "../../../Sources/LatticeHTTP/Page/page/rings.js";
import {
  fitted, fittedAll, isWithin, metresPerPixel, panned, project, regionOf, tilesOf, unproject, zoomedAt,
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
    const step = gridStep(fit);
    assert.match(String(step), /^[125]0*$/);
    assert.ok(step / metresPerPixel(fit) >= 50 && step / metresPerPixel(fit) < 130);
  }
});

test("a circle is fitted beside what lies over the map", () => {
  const covered = { ...view, over: { bottom: 300, top: 60, right: 60 } };
  const fit = fitted(covered, view, 250);
  for (const bearing of [0, 90, 180, 270]) assert.ok(isWithin(fit, destination(view, bearing, 250)), String(bearing));
  const at = project(fit, view);
  near(at.x, 370, 1e-6);
  near(at.y, 180, 1e-6);
  assert.ok(!isWithin(fit, unproject(fit, { x: 400, y: 400 })));
});

test("all points are fitted with a margin, and two of them leave as much again around them", () => {
  const points = [0, 120, 240].map((turn) => destination(view, turn, 700));
  const fit = fittedAll(view, points);
  for (const point of points) assert.ok(isWithin(fit, point, 47.9));
  assert.ok(points.some((point) => !isWithin(fit, point, 49)));
  const [me, target] = [view, destination(view, 90, 3_000)];
  const both = fittedAll(view, [me, target], { part: 0.5 });
  near(project(both, target).x - project(both, me).x, 400, 0.5);
  near((project(both, target).x + project(both, me).x) / 2, 400, 0.01);
  assert.equal(fittedAll(view, [me, me]).zoom, 18);
  const fiji = fittedAll(view, [{ lat: -17, lon: 179.9 }, { lat: -17, lon: -179.9 }]);
  assert.ok(fiji.zoom > 8 && Math.abs(Math.abs(fiji.lon) - 180) < 1e-6);
});

test("what is in view is asked for by its middle and half of its diagonal, at most 100 km", () => {
  const region = regionOf(view, 100_000);
  near(region.lat, view.lat, 1e-9);
  near(region.lon, view.lon, 1e-9);
  near(region.metres / (500 * metresPerPixel(view)), 1, 0.002);
  assert.ok(region.metres >= distance(region, unproject(view, { x: 0, y: 0 })) - 1e-6);
  const covered = regionOf({ ...view, over: { bottom: 300 } }, 100_000);
  assert.ok(covered.lat > view.lat && covered.metres < region.metres);
  assert.equal(regionOf({ ...view, zoom: 2 }, 100_000).metres, 100_000);
});

test("pins nearer than 44 pixels are one mark, and none is lost", () => {
  const at = (x, y = 0) => ({ x, y, item: `${x},${y}` });
  assert.deepEqual(clustered([]), []);
  assert.deepEqual(clustered([at(0), at(44)]).map(({ members }) => members.length), [1, 1]);
  assert.deepEqual(clustered([at(0), at(43.9), at(300)]), [{ x: 21.95, y: 0, members: ["0,0", "43.9,0"] }, { x: 300, y: 0, members: ["300,0"] }]);
  // One that comes near only because two have become one joins them.
  assert.equal(clustered([at(0), at(40), at(63)])[0].members.length, 3);
  const many = Array.from({ length: 300 }, (_, index) => at((index * 7919) % 800, (index * 104_729) % 600));
  const groups = clustered(many);
  assert.deepEqual(groups.flatMap(({ members }) => members).sort(), many.map(({ item }) => item).sort());
  for (const a of groups) for (const b of groups) if (a !== b) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) >= 44);
  assert.deepEqual(clustered(many), groups);
  assert.deepEqual([2, 8, 9, 20, 21].map(clusterSize), [40, 40, 46, 46, 52]);
});

test("rings say how far one reads and walks, each word on its ring and in sight", () => {
  const near = fitted(view, view, 250);
  const size = { width: 90, height: 26 };
  assert.deepEqual(ringsOf(near, 250).map(({ metres, words }) => [Math.round(metres), words]), [[417, "5 min walk"], [1_250, "15 min walk"], [250, "250 m"]]);
  assert.deepEqual(ringsOf({ ...view, zoom: 3 }, 250), []);
  assert.deepEqual(ringsOf(near, null).map(({ words }) => words), ["5 min walk", "15 min walk"]);
  const taken = [];
  for (const ring of ringsOf(near, 250)) {
    const place = wordPlace(near, view, ring, size, taken);
    if (ring.metres > 500) assert.equal(place, null, "the ring is not in view");
  }
  const far = fitted(view, view, 700);
  for (const ring of ringsOf(far, 250).filter(({ metres }) => metres < 500)) {
    const place = wordPlace(far, view, ring, size, taken);
    assert.ok(Math.abs(distance(view, unproject(far, place)) - ring.metres) < 1);
    assert.ok(place.x >= 45 && place.x <= 755 && place.y >= 13 && place.y <= 587);
    const box = { left: place.x - 45, right: place.x + 45, top: place.y - 13, bottom: place.y + 13 };
    assert.ok(!taken.some((other) => overlap(box, other)));
    taken.push(box);
  }
  assert.equal(taken.length, 2);
  assert.ok(wordPlace({ ...far, over: { bottom: 280 } }, view, { metres: 250, bearing: 180 }, size).y < 320);
  assert.notDeepEqual(wordPlace(far, view, { metres: 250, bearing: 180 }, size, [{ left: 390, right: 410, top: 300, bottom: 600 }]),
    wordPlace(far, view, { metres: 250, bearing: 180 }, size));
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

test("the same graph is laid out alike, oneself in the middle, all on the circle of their hops, nobody on anybody", () => {
  const nodes = Array.from({ length: 30 }, (_, index) => ({ id: `n${index}`, me: index === 0 }));
  const links = nodes.slice(1).map((node, index) => ({ a: `n${Math.floor(index / 4)}`, b: node.id, hops: 1 }));
  const lay = placed(nodes, links, 340);
  assert.deepEqual(lay, placed(nodes, links, 340));
  const { spots, circles } = lay;
  assert.deepEqual(spots.n0, { x: 0, y: 0, hops: 0 });
  assert.deepEqual([spots.n1.hops, spots.n5.hops, spots.n29.hops], [1, 2, 3]);
  assert.equal(circles.length, 3);
  for (const { x, y, hops } of Object.values(spots)) near(Math.hypot(x, y), hops === 0 ? 0 : circles[hops - 1], 1e-6);
  const all = Object.values(spots);
  for (const a of all) for (const b of all) if (a !== b) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > 60);
});

test("a graph of few hops has few circles, a longer path is further out, and who cannot be reached stands on the last one", () => {
  const nodes = [{ id: "me", me: true }, { id: "a" }, { id: "b" }, { id: "lost" }];
  const { spots, circles } = placed(nodes, [{ a: "me", b: "a", hops: 1 }, { a: "a", b: "b", hops: 2 }], 300);
  assert.deepEqual(["me", "a", "b", "lost"].map((id) => spots[id].hops), [0, 1, 3, 3]);
  assert.equal(circles.at(-1), 300);
  assert.equal(placed([{ id: "me", me: true }], [], 300).circles.length, 1);
  const crowd = [{ id: "me", me: true }, ...Array.from({ length: 60 }, (_, index) => ({ id: `n${index}` }))];
  const wide = placed(crowd, crowd.slice(1).map(({ id }) => ({ a: "me", b: id, hops: 1 })), 150);
  assert.ok(wide.circles[0] * 2 * Math.PI >= 60 * 70 - 1e-6);
});

test("a message takes the shortest way that is known", () => {
  const links = [{ a: "1", b: "2" }, { a: "2", b: "3" }, { a: "1", b: "4" }, { a: "4", b: "5" }, { a: "5", b: "3" }];
  assert.deepEqual(path(links, "3", "1"), ["3", "2", "1"]);
  assert.deepEqual(path(links, "9", "1"), []);
});
