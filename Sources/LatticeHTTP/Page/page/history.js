// What a place was before: who made it, and who changed what.

import { make } from "./dom.js";
import { bearing, compass, distance, distanceText } from "./geo.js";
import { nameElement } from "./rows.js";
import { oneLine } from "./text.js";
import { timeElement } from "./time.js";

const WORDS = { title: "name", category: "kind", hours: "hours", text: "text" };

/// Nodes: what differs in `version` from the one before.
function changes(version, before) {
  const parts = Object.entries(WORDS).filter(([key]) => version[key] !== before[key]).map(([key, word]) =>
    (version[key] ? [`${word} `, make("bdi", {}, oneLine(version[key]))] : [`removed the ${word}`]));
  const metres = distance(before, version);
  if (metres > 0) parts.push([`moved ${distanceText(metres)} ${compass(bearing(before, version))}`]);
  return parts.length > 0 ? parts.flatMap((part, at) => (at > 0 ? [", ", ...part] : part)) : ["no change"];
}

/// Nothing for a place that nobody changed.
export function historyOf(versions, now) {
  if (!versions?.length) return null;
  return make("details", { class: "history" }, make("summary", {}, "History"), make("ul", {}, versions.map((version, at) => {
    const before = versions[at + 1];
    return make("li", {}, timeElement(version.at, now), " ", nameElement(version.by), ": ", version.original ? "made it" : before ? changes(version, before) : "changed it");
  })));
}
