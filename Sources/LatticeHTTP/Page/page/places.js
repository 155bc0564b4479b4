// Places that have a name, because somebody named them where they posted.

import { awayText, distance, seenFrom } from "./geo.js";
import { oneLine } from "./text.js";

/// Metres within which a thing is at a named place.
const AT_METRES = 30;
/// Metres within which the same name is the same place.
const SAME_METRES = 250;

/// In the order in which their words stay on the map when it is crowded.
const KINDS = [
  ["aid", /first.?aid|medic|nurse|doctor/i], ["water", /\bwater\b|\bwell\b|\btap\b|spring/i], ["gate", /exit|gate|entrance/i],
  ["pot", /kitchen|soup|canteen|caf[eé]|food|meal/i], ["stage", /stage|music|concert|band/i], ["tree", /\b(oak|tree|wood|forest|grove)/i],
];

export const kindOf = (name) => KINDS.find(([, words]) => words.test(name))?.[0] ?? "posts";

/// 0 for the place whose name is left out last.
export function rankOf(kind) {
  const at = KINDS.findIndex(([one]) => one === kind);
  return at < 0 ? KINDS.length : at;
}

/// [{key, name, kind, lat, lon, count}] of items, each place once; those whose words stay longest first.
export function placesOf(items) {
  const places = [];
  for (const item of items) {
    const name = oneLine(item.place_name ?? "");
    // A place that its author gave only roughly is no place to walk to.
    if (!name || item.lat === undefined || item.blur !== undefined) continue;
    const same = places.find((one) => one.name.toLowerCase() === name.toLowerCase() && distance(one, item) < SAME_METRES);
    if (same) same.count += 1;
    else places.push({ key: item.id, name, kind: kindOf(name), lat: item.lat, lon: item.lon, count: 1 });
  }
  return places.sort((a, b) => rankOf(a.kind) - rankOf(b.kind));
}

/// The name of the nearest place within 30 m; empty if there is none.
export function nameNear(places, point) {
  let best = null;
  for (const place of places) {
    const metres = distance(place, point);
    if (metres <= AT_METRES && (best === null || metres < best.metres)) best = { metres, name: place.name };
  }
  return best?.name ?? "";
}

/// The name of the place where an item is: as its author says, else that of a place beside it.
export function nameOfPlace(item, places) {
  if (item.place_name) return oneLine(item.place_name);
  return item.lat === undefined || item.blur !== undefined ? "" : nameNear(places, item);
}

/// A point in words: {name, title, more}, from where the reader is, if that is known. `name` is empty where no place is beside it.
export function pointWords(point, here, places) {
  const name = nameNear(places, point);
  const seen = seenFrom(here, point);
  const away = here ? awayText(seen) : "";
  const isHere = away.startsWith("here");
  return { name, title: name ? `At ${name}` : isHere ? "Here ✓" : "Place chosen on the map", more: isHere ? (name ? "You are here" : "") : away };
}
