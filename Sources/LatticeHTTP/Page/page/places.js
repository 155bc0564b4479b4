// Places that have a name: those that people made, and names that somebody gave where they posted.

import { awayText, distance, seenFrom } from "./geo.js";
import { bare, oneLine } from "./text.js";

/// Metres within which a thing is at a named place.
const AT_METRES = 30;
/// Metres within which the same name is the same place.
const SAME_METRES = 250;

/// In the order in which their words stay on the map when it is crowded.
const KINDS = [
  ["aid", /first.?aid|medic|nurse|doctor/i], ["water", /\bwater\b|\bwell\b|\btap\b|spring/i], ["gate", /exit|gate|entrance/i],
  ["pot", /kitchen|soup|canteen|caf[eé]|food|meal|bakery/i], ["stage", /stage|music|concert|band/i],
  ["toilet", /toilet|latrine|\bwc\b|\bloos?\b|washroom/i], ["tree", /\b(oak|tree|wood|forest|grove)/i],
];

/// What a form offers; any other word will do.
export const CATEGORIES = ["kitchen", "water", "first aid", "stage", "toilet", "exit"];

/// The kind that its author chose counts before its name.
export function kindOf(name, category = "") {
  const of = (text) => KINDS.find(([, words]) => words.test(text))?.[0];
  return of(category) ?? of(name) ?? "posts";
}

/// 0 for the place whose name is left out last.
export function rankOf(kind) {
  const at = KINDS.findIndex(([one]) => one === kind);
  return at < 0 ? KINDS.length : at;
}

/// `kitchen · 8 to 20`
export const kindAndHours = ({ category, hours }) => [category, hours].map((one) => oneLine(one ?? "")).filter(Boolean).join(" · ");

const isPlaceItem = (item) => item.kind === "place" && item.state === "shown" && item.lat !== undefined;

/// [{key, id, name, kind, category, hours, lat, lon, count}] of places that people made and of the names among items, each once. The map
/// leaves out the names at the end first. A name that only posts have is without an `id`; `count` is the number of items there.
export function placesOf(items, made = []) {
  const places = [];
  for (const item of [...made, ...items].filter(isPlaceItem)) {
    if (places.some(({ id }) => id === item.id)) continue;
    const { id, category, hours, lat, lon, pinned = false } = item;
    const name = oneLine(item.title ?? "");
    places.push({ key: id, id, name, kind: kindOf(name, category), category, hours, lat, lon, pinned, count: 0 });
  }
  for (const item of items) {
    const name = oneLine(item.place_name ?? "");
    if (name && isSomewhere(item) && !placeOf(item, places)) places.push({ key: item.id, name, kind: kindOf(name), lat: item.lat, lon: item.lon, count: 0 });
  }
  for (const item of items) {
    const place = placeOf(item, places);
    if (place) place.count += 1;
  }
  return places.sort((a, b) => rankOf(a.kind) - rankOf(b.kind));
}

/// What its author gave only roughly is at no place that one walks to.
const isSomewhere = (item) => item.kind !== "place" && item.lat !== undefined && item.blur === undefined;

/// The place where an item is: as its author says, else the one beside it.
export function placeOf(item, places) {
  if (!isSomewhere(item)) return null;
  const said = bare(oneLine(item.place_name ?? ""));
  return (item.at_place && places.find(({ id }) => id === item.at_place))
    || (said ? places.find((one) => bare(one.name) === said && distance(one, item) < SAME_METRES) ?? null : placeNear(places, item));
}

/// The nearest place within 30 m, or `null`.
export const placeNear = (places, point) => nearest(places, point, AT_METRES)[0] ?? null;

/// Those within this many metres, the nearest first.
export const nearest = (places, point, metres = Infinity) => places.map((place) => [distance(place, point), place])
  .filter(([away]) => away <= metres).sort(([a], [b]) => a - b).map(([, place]) => place);

/// As a list shows them: those that the card of the mesh names, then the nearest.
export function inList(places, here) {
  const ordered = here ? nearest(places, here) : places;
  return [...ordered.filter(({ pinned }) => pinned), ...ordered.filter(({ pinned }) => !pinned)];
}

/// The name of the nearest place within 30 m; empty if there is none.
export const nameNear = (places, point) => placeNear(places, point)?.name ?? "";

/// The name of the place where an item is: as its author says, else that of a place beside it.
export const nameOfPlace = (item, places) => placeOf(item, places)?.name ?? oneLine(item.place_name ?? "");

export const isAt = (item, place, places) => placeOf(item, places)?.key === place.key;

/// A point in words: {name, title, more}, from where the reader is, if that is known. `name` is empty where no place is beside it.
export function pointWords(point, here, places) {
  const name = nameNear(places, point);
  const seen = seenFrom(here, point);
  const away = here ? awayText(seen) : "";
  const isHere = away.startsWith("here");
  return { name, title: name ? `At ${name}` : isHere ? "Here ✓" : "Place chosen on the map", more: isHere ? (name ? "You are here" : "") : away };
}
