// The words of a named place, as they are written: for a new one and for one that is changed.

import { labelled, line } from "./compose.js";
import { make, setAttribute } from "./dom.js";
import { CATEGORIES, kindOf } from "./places.js";
import { icon } from "./rows.js";

const NAME_MAX = 100;
const WORDS_MAX = 140;

export class PlaceForm {
  /// `place`: {title, category, hours} as they are.
  constructor(place) {
    this.name = line("place-title", place.title, NAME_MAX);
    this.kind = line("place-kind", place.category, WORDS_MAX);
    this.hours = line("place-hours", place.hours, WORDS_MAX);
    this.kind.placeholder = "Another kind";
    this.chips = make("div", { class: "chips", role: "group", "aria-label": "Known kinds" }, CATEGORIES.map((one) =>
      make("button", { class: "chip", onclick: () => this.#choose(one) }, icon(kindOf(one)), one)));
    this.kind.addEventListener("input", () => this.#draw());
    this.elements = [
      labelled("Name of the place", this.name),
      make("div", { class: "field" }, make("label", { for: "place-kind" }, "Kind (optional)"), this.chips, this.kind),
      labelled("Hours (optional)", this.hours),
    ];
    this.#draw();
  }

  /// As the node takes them.
  get value() {
    const [name, kind, hours] = [this.name, this.kind, this.hours].map(({ value }) => value.trim());
    return { name, kind, hours };
  }

  #choose(one) {
    this.kind.value = this.value.kind === one ? "" : one;
    this.#draw();
    this.kind.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #draw() {
    for (const chip of this.chips.children) setAttribute(chip, "aria-pressed", String(chip.textContent === this.value.kind));
  }
}
