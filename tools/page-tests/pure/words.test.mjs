// Words, times and places as the page says them.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  WALK_METRES, awayText, bearing, compass, destination, distance, distanceText, parsePlace, radiusText, seenFrom, whereText,
} from "../../../Sources/LatticeHTTP/Page/page/geo.js";
import {
  bare, beginning, clusters, colourOf, initial, inkOn, isEmoji, namesText, oneLine, pieces, plain, shortOf,
} from "../../../Sources/LatticeHTTP/Page/page/text.js";
import {
  Pace, nameParts, pastedName, percent, progressText, sizeText,
} from "../../../Sources/LatticeHTTP/Page/page/bytes.js";
import { fromTo, left, relative } from "../../../Sources/LatticeHTTP/Page/page/time.js";
import {
  isAt, kindAndHours, kindOf, nameNear, nameOfPlace, nearest, placeNear, placesOf, pointWords, rankOf,
} from "../../../Sources/LatticeHTTP/Page/page/places.js";
import { homeOf, routeOf } from "../../../Sources/LatticeHTTP/Page/page/router.js";

test("a flag, a family and a letter with its accent count as one", () => {
  assert.equal(clusters("🇩🇪"), 1);
  assert.equal(clusters("👨‍👩‍👧"), 1);
  assert.equal(clusters("e\u0301"), 1);
  assert.equal(clusters("a\r\nb"), 3);
  assert.equal(clusters(""), 0);
});

test("marks that turn a line around, hide or control are left out, and joiners stay", () => {
  assert.equal(plain("a\u202egnp.exe\u2066b\u0007\u001b[31m"), "agnp.exeb[31m");
  assert.equal(plain("می\u200cخواهم"), "می\u200cخواهم");
  assert.equal(plain("a\tb\r\nc\u2028d"), "a b\nc\nd");
  assert.equal(plain(undefined), "");
  assert.equal(oneLine(" a\n  b "), "a b");
});

test("markup is text", () => {
  assert.equal(plain("<img src=x onerror=alert(1)>"), "<img src=x onerror=alert(1)>");
});

test("a letter stands in a pin, or a dot where there is none", () => {
  assert.equal(initial("  élan"), "É");
  assert.equal(initial("<3"), "3");
  assert.equal(initial("…"), "•");
  assert.equal(initial(undefined), "•");
});

test("one emoji is one, and words, digits and several are none", () => {
  for (const text of ["👍", "❤️", "🇩🇪", "1️⃣", "👩🏽‍🚒", "☀"]) assert.equal(isEmoji(text), true, text);
  for (const text of ["", "ok", "👍👍", "1", "a👍", "  ", `👨${"\u200d👨".repeat(9)}`]) assert.equal(isEmoji(text), false, text);
});

test("the beginning of a line is cut between characters", () => {
  assert.equal(beginning("soup"), "soup");
  assert.equal(beginning("🇩🇪".repeat(81)), `${"🇩🇪".repeat(79)}…`);
  assert.equal(beginning("a".repeat(80)), "a".repeat(80));
});

test("the words that were searched for are marked where a word begins with them", () => {
  assert.deepEqual(pieces("The Ferry, the ferryman", "ferry"),
    [["The ", false], ["Ferry", true], [", the ", false], ["ferry", true], ["man", false]]);
  assert.deepEqual(pieces("a.b (c)", "(c) b"), [["a.", false], ["b", true], [" (", false], ["c", true], [")", false]]);
  assert.deepEqual(pieces("soup", "\"*."), [["soup", false]]);
  assert.deepEqual(pieces("", "soup"), []);
});

test("names are listed as people say them", () => {
  assert.deepEqual([[], ["you"], ["bob", "you"], ["a", "b", "c", "d"]].map((names) => namesText(names, 3)),
    ["", "you", "bob and you", "a, b, c and 1 more"]);
});

test("a short id is the one that the node shows", () => {
  assert.equal(shortOf(`d75a980182b10ab7${"0".repeat(48)}`), "47pj");
  assert.equal(shortOf(`0001020304050607${"0".repeat(48)}`), "yyyo");
  assert.equal(shortOf("what"), "?");
});

test("a colour that is none is not taken over", () => {
  assert.equal(colourOf({ id: "ab", colour: "#D2691e" }), "#D2691e");
  assert.match(colourOf({ id: "ab", colour: "red;background:url(x)" }), /^#[0-9a-f]{6}$/);
  assert.match(colourOf({}), /^#[0-9a-f]{6}$/);
  assert.equal(colourOf({ id: "ab" }), colourOf({ id: "ab" }));
});

test("ink on any colour is readable", () => {
  const luminance = (colour) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, at) => {
    const value = parseInt(colour.slice(1 + 2 * at, 3 + 2 * at), 16) / 255;
    return sum + weight * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  }, 0);
  for (let red = 0; red < 256; red += 51) for (let green = 0; green < 256; green += 51) for (let blue = 0; blue < 256; blue += 51) {
    const colour = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
    const [a, b] = [luminance(colour), luminance(inkOn(colour))];
    assert.ok((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) >= 4.5, colour);
  }
});

test("times are said as people say them", () => {
  const now = Date.parse("2026-11-22T12:00:00.000Z");
  const at = (seconds) => relative(now - seconds * 1000, now);
  assert.deepEqual([0, 59, -59, 60, 3_599, 3_600, 86_399, 86_400, 3 * 86_400, -7_200].map(at),
    ["now", "now", "now", "1 min ago", "59 min ago", "1 h ago", "23 h ago", "1 day ago", "3 days ago", "in 2 h"]);
  assert.equal(at(Number.NaN), "");
  assert.match(at(400 * 86_400), /2025/);
});

test("the day of an end is said only where it is another", () => {
  const starts = new Date(2026, 11, 1, 18, 0).getTime();
  // Whether a comma stands behind the weekday is the business of the browser.
  const said = (ends) => fromTo(starts, ends).replaceAll(",", "");
  assert.equal(said(new Date(2026, 11, 1, 22, 0).getTime()), "Tue 1 Dec 18:00 to 22:00");
  assert.equal(said(new Date(2026, 11, 2, 1, 0).getTime()), "Tue 1 Dec 18:00 to Wed 2 Dec 01:00");
  assert.equal(said(undefined), "Tue 1 Dec 18:00");
  assert.equal(left(starts + 3 * 86_400_000, starts), "3 days");
  assert.equal(left(starts + 30 * 86_400_000, starts + 5_000), "30 days", "just posted for so long");
  assert.equal(left(starts, starts + 1), "no time");
});

test("distances and directions agree with GeographicLib to half a percent", () => {
  const newYork = { lat: 40.7128, lon: -74.006 };
  assert.ok(Math.abs(distance(newYork, { lat: 51.5074, lon: -0.1278 }) / 5_585_233.6 - 1) < 0.005);
  const there = destination(newYork, 37, 2_000);
  assert.ok(Math.abs(distance(newYork, there) - 2_000) < 0.01);
  assert.deepEqual([0, 11.24, 11.25, 90, 348.75, 359, -90].map(compass), ["N", "N", "NNE", "E", "N", "N", "W"]);
  assert.deepEqual([0, 17.6, 999.4, 999.6, 1_840, 9_949, 9_950, 1_204_300, Number.NaN].map(distanceText),
    ["0 m", "18 m", "999 m", "1.0 km", "1.8 km", "9.9 km", "10 km", "1,204 km", "unknown distance"]);
  assert.equal(radiusText(2_000), "2 km");
  for (const [turn, metres] of [[0, 500], [37, 2_000], [180, 90], [271, 40_000]]) {
    const seen = seenFrom(newYork, destination(newYork, turn, metres));
    assert.ok(Math.abs(seen.metres - metres) < 0.01 && Math.abs(seen.bearing - turn) < 0.01, String(turn));
  }
  assert.equal(Math.round(bearing({ lat: -17, lon: 179.9 }, { lat: -17, lon: -179.9 })), 90);
  assert.equal(seenFrom(null, newYork), newYork);
});

test("how far something is stands with the minutes that one walks", () => {
  const away = (metres, turn) => awayText({ metres, bearing: turn });
  assert.deepEqual([[231, 247], [131, 202], [20, 0], [1_200, 0], [15 * WALK_METRES, 0], [1_251, 0], [1_640, 0], [9.9, 40]].map((one) => away(...one)),
    ["231 m WSW, 3 min", "131 m SSW, 2 min", "20 m N, 1 min", "1.2 km N, 14 min", "1.3 km N, 15 min", "1.3 km N, far", "1.6 km N, far", "here ✓"]);
});

test("a place is said by its name and by how far it is, never by its coordinates", () => {
  const point = { lat: 40.7128, lon: -74.006 };
  const seen = { ...point, metres: 231, bearing: 247 };
  assert.equal(whereText(seen, "Old oak"), "Old oak, 231 m WSW, 3 min");
  assert.equal(whereText({ ...seen, metres: 4 }, "Kitchen"), "Kitchen, here ✓");
  assert.equal(whereText({ ...seen, metres: 4 }), "Here ✓");
  assert.equal(whereText({ ...seen, metres: 180, bearing: 45, blur: 6 }), "about 180 m NE, 2 min");
  assert.equal(whereText(point, "Old oak"), "Old oak");
  assert.equal(whereText(point), "");
  assert.equal(whereText({}), "");
});

test("names are compared without case and without accents", () => {
  for (const [name, typed] of [["Zoë", "zoe"], ["ÅSA", "åsa"], ["Dvořák", "DVORAK"], ["نُور", "نور"], ["Tom", ""]]) assert.ok(bare(name).includes(bare(typed)));
  assert.ok(!bare("Tomasz").includes(bare("Mara")));
});

test("a point is a named place, where the reader is, or what was chosen on the map", () => {
  const here = { lat: 10, lon: 20 };
  const places = [{ name: "Kitchen", ...destination(here, 0, 5) }];
  const [beside, away] = [destination(here, 0, 2), destination(here, 90, 400)];
  assert.deepEqual(pointWords(beside, here, places), { name: "Kitchen", title: "At Kitchen", more: "You are here" });
  assert.deepEqual(pointWords(beside, here, []), { name: "", title: "Here ✓", more: "" });
  assert.deepEqual(pointWords(away, here, places), { name: "", title: "Place chosen on the map", more: "400 m E, 5 min" });
  assert.deepEqual(pointWords(beside, null, []), { name: "", title: "Place chosen on the map", more: "" });
});

test("a thing that was left beside a named place is there", () => {
  const at = (metres, more = {}) => ({ id: `i${metres}`, ...destination({ lat: 10, lon: 20 }, 0, metres), ...more });
  const places = placesOf([
    at(0, { place_name: "Old oak" }), at(60, { place_name: " first aid" }), at(62, { place_name: "old OAK" }), at(900, { place_name: "Old oak" }),
    at(10, { place_name: "Somewhere", blur: 6 }), at(20), { id: "x", place_name: "Nowhere" },
  ]);
  assert.deepEqual(places.map(({ name, kind, count }) => [name, kind, count]), [["first aid", "aid", 1], ["Old oak", "tree", 3], ["Old oak", "tree", 1]]);
  assert.equal(nameNear(places, at(20)), "Old oak");
  assert.equal(nameNear(places, at(40)), "first aid");
  assert.equal(nameNear(places, at(29.9)), "Old oak");
  assert.equal(nameNear(places, at(95)), "");
  assert.deepEqual([at(5), at(5, { place_name: "Barn" }), at(5, { blur: 6 }), { id: "y" }].map((one) => nameOfPlace(one, places)), ["Old oak", "Barn", "", ""]);
  assert.deepEqual(["First-aid tent", "Water tap", "South gate", "Kitchen", "Main stage", "Barn"].map(kindOf), ["aid", "water", "gate", "pot", "stage", "posts"]);
  assert.deepEqual(["aid", "water", "gate", "pot", "posts"].map(rankOf), [0, 1, 2, 3, 7]);
  assert.deepEqual([["The Swan", "Toilet"], ["Water tent", "kitchen"], ["Barn", "sauna"], ["Water", "sauna"]].map((one) => kindOf(...one)),
    ["toilet", "pot", "posts", "water"]);
});

test("a place that somebody made stands before a name that posts have, and counts what is there", () => {
  const here = { lat: 10, lon: 20 };
  const at = (metres, more) => ({ id: `i${metres}`, kind: "post", state: "shown", ...destination(here, 0, metres), ...more });
  const made = [
    { ...at(400), kind: "place", id: "k", title: "Küche", category: "kitchen", hours: "8 to 20" },
    { ...at(0), kind: "place", id: "gone", title: "Old", state: "deleted_by_author" },
  ];
  const posts = [at(900, { at_place: "k" }), at(401, { place_name: "kuche" }), at(402), at(50, { place_name: "Barn" }), { ...made[0] }];
  const places = placesOf(posts, made);
  assert.deepEqual(places.map(({ id, name, kind, count }) => [id, name, kind, count]), [["k", "Küche", "pot", 3], [undefined, "Barn", "posts", 1]]);
  assert.equal(kindAndHours(places[0]), "kitchen · 8 to 20");
  assert.equal(kindAndHours(places[1]), "");
  assert.deepEqual(nearest(places, here).map(({ name }) => name), ["Barn", "Küche"]);
  assert.deepEqual(nearest(places, here, 100).map(({ name }) => name), ["Barn"]);
  assert.equal(placeNear(places, destination(here, 0, 410)).id, "k");
  assert.equal(placeNear(places, here), null);
  assert.equal(nameOfPlace(posts[0], places), "Küche");
  assert.equal(nameOfPlace(made[0], places), "");
  assert.deepEqual(posts.map((one) => isAt(one, places[0], places)), [true, true, true, false, false]);
});

test("a place is read in the ways people copy it, and nothing else is one", () => {
  const place = { lat: 40.7128, lon: -74.006 };
  for (const text of [
    "40.7128,-74.0060", " 40.7128 -74.0060 ", "40.7128N 74.0060W", "geo:40.7128,-74.006;u=35", "40.7128° N, 74.006° W",
    "40.7128, −74.006",
  ]) {
    assert.deepEqual(parsePlace(text), place, text);
  }
  for (const text of ["", "here", "40.7128", "91,0", "0,181", "-40.7N 74W", "1,2,3", "40,7128 -74,0060", "x".repeat(10_000)]) {
    assert.equal(parsePlace(text), null, text.slice(0, 20));
  }
});

test("an address that means nothing is the list of chats, and that of no post the list of posts", () => {
  for (const hash of ["", "#", "#/", "#/nothing", "#/rooms", "#/chat/nobody", "#token=abc"]) {
    assert.deepEqual(routeOf(hash), { name: "rooms", tab: "chats", argument: null }, hash);
  }
  for (const hash of ["#/item/<script>", "#/item/%ff", "#/search"]) assert.equal(routeOf(hash).name, "posts", hash);
  assert.deepEqual(routeOf("#/rooms/caf%C3%A9"), { name: "rooms", tab: "chats", argument: "#café", isInner: true });
  assert.equal(routeOf("#/search/soup%20now").argument, "soup now");
  assert.deepEqual(routeOf("#/messages/a%2Fb"), { name: "messages", tab: "chats", argument: "a/b", isInner: true });
});

test("everything of places belongs to the map, and a phone leaves its tabs inside a conversation, an item and while writing", () => {
  const tabOf = (hash) => routeOf(hash).tab;
  assert.deepEqual(["#/posts", "#/map", "#/events", "#/item/abcd", "#/new", "#/new/event", "#/here"].map(tabOf), Array(7).fill("map"));
  assert.deepEqual(["#/people/me", "#/visitors", "#/notifications", "#/mesh"].map(tabOf), ["people", "people", "notifications", "mesh"]);
  const isInner = (hash) => routeOf(hash).isInner === true;
  assert.deepEqual(["#/rooms/a", `#/chat/${"b".repeat(64)}`, "#/item/abcd", "#/new", "#/here", "#/people/me"].map(isInner), Array(6).fill(true));
  assert.deepEqual(["#/", "#/posts", "#/map", "#/people", "#/people/x", "#/notifications", "#/mesh"].map(isInner), Array(7).fill(false));
  assert.deepEqual(["#/new", "#/people/me", "#/notifications", "#/rooms/a"].map((hash) => homeOf(routeOf(hash))), ["#/posts", "#/people", "#/", "#/"]);
});

test("sizes, speeds and times left are said as people say them", () => {
  assert.deepEqual([0, 1, 999, 8_400, 184_000, 999_600, 8_440_000, 2_000_000_000].map(sizeText),
    ["0 bytes", "1 byte", "999 bytes", "8.4 kB", "184 kB", "1.0 MB", "8.4 MB", "2.0 GB"]);
  assert.equal(progressText(620, 1_000, 0), "62%");
  assert.equal(progressText(6_200_000, 10_000_000, 1_100_000), "62%, 1.1 MB/s, 3 s left");
  assert.equal(progressText(0, 3_600_000, 10_000), "0%, 10 kB/s, 6 min left");
  assert.equal(percent(999, 1_000), 99);
  assert.equal(percent(0, 0), 0);
});

test("a speed is that of the last seconds, and begins anew when there is less than before", () => {
  const pace = new Pace();
  assert.equal(pace.take(0, 0), 0);
  assert.equal(pace.take(1_000, 1_000), 1_000);
  for (let second = 2; second < 20; second += 1) pace.take(1_000, 1_000 * second);
  assert.equal(pace.take(1_000, 20_000), 0);
  assert.equal(pace.take(0, 21_000), 0);
});

test("the end of a name is told apart, and a pasted picture gets a name", () => {
  assert.deepEqual(nameParts("camp map.pdf"), ["camp map", ".pdf"]);
  assert.deepEqual(nameParts("README"), ["README", ""]);
  assert.deepEqual(nameParts(".profile"), [".profile", ""]);
  assert.equal(pastedName("image/png", new Date(2026, 10, 28, 14, 5)), "picture 2026-11-28 14.05.png");
  assert.equal(pastedName("image/jpeg", new Date(2026, 0, 2, 3, 4)), "picture 2026-01-02 03.04.jpg");
});
