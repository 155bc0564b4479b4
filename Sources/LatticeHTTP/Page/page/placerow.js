// One named place in the list.

import { make, setText } from "./dom.js";
import { seenFrom, whereText } from "./geo.js";
import { kindAndHours } from "./places.js";
import { icon } from "./rows.js";
import { counted } from "./text.js";

export function placeRow(first, { here, onPlace }) {
  const square = make("span", { class: "place-square", "aria-hidden": "true" });
  const name = make("bdi", { class: "name" });
  const where = make("span", { class: "soft" });
  const link = make("button", { class: "row-link" }, name, where);
  let place = first;
  link.addEventListener("click", () => onPlace(place));
  return { element: make("li", { class: "row place-row" }, square, link), link, dress(news) {
    place = news;
    square.dataset.kind = place.kind;
    square.replaceChildren(icon(place.kind));
    setText(name, place.name);
    const seen = here() ? whereText(seenFrom(here(), place)) : "";
    setText(where, [place.pinned ? "pinned" : "", kindAndHours(place), seen, place.count > 0 ? counted(place.count, "post") : ""].filter(Boolean).join(" · "));
  } };
}
