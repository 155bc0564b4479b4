// A place to be said: where one is, pointed at on the map, or typed. It is shown by its name.

import { make, setAttribute, setText } from "./dom.js";
import { parsePlace, placeText } from "./geo.js";
import { kindOf, pointWords } from "./places.js";
import { icon, optionRow } from "./rows.js";

export class PlaceField {
  /// `onChange(point)`: another place, or `null` while what stands there is none.
  constructor(app, { label, point, onChange }) {
    this.app = app;
    this.onChange = onChange;
    this.input = make("input", {
      type: "text", id: "place", autocomplete: "off", spellcheck: "false", placeholder: "40.7128, -74.0060", dir: "ltr",
      "aria-describedby": "place-hint place-fault",
    });
    this.fault = make("p", { class: "fault", id: "place-fault", role: "alert" });
    this.input.addEventListener("input", () => this.#typed());
    this.input.addEventListener("change", () => { if (this.input.value.trim() !== "") this.take(); });
    const buttons = make("div", { class: "inline" },
      app.here ? make("button", { class: "button small", onclick: () => this.set(app.here) }, "My place") : null,
      make("button", { class: "button small wide-button", onclick: () => { if (app.map.middle) this.set(app.map.middle); } },
        "Middle of the map"),
      make("a", { class: "button small narrow-button", href: "#/map" }, "Choose on the map"));
    this.row = optionRow("", "", "", make("span", { class: "option-act" }, "Change"), "summary");
    this.element = make("details", { class: "place-field", open: !point }, this.row,
      make("div", { class: "field" }, buttons, make("label", { for: "place" }, label), this.input, this.fault,
        make("p", { class: "hint", id: "place-hint" }, "Choose a point on the map, or type latitude and longitude.")));
    if (point) this.input.value = placeText(point);
    this.#become(point ?? null);
  }

  set(point) {
    this.input.value = placeText(point);
    this.#say("");
    this.#become({ lat: Number(point.lat.toFixed(6)), lon: Number(point.lon.toFixed(6)) });
    this.onChange(this.point);
  }

  /// The place, or `null` with a word why there is none.
  take() {
    if (!this.point) {
      this.element.open = true;
      this.#say(this.input.value.trim() === "" ? "A place is missing. Choose a point on the map, or type it."
        : "That is not a place. Write it like 40.7128, -74.0060.");
    }
    return this.point;
  }

  #typed() {
    this.#become(parsePlace(this.input.value));
    if (this.point) this.#say("");
    this.onChange(this.point);
  }

  #become(point) {
    this.point = point;
    this.draw();
  }

  /// Again, when other places have a name.
  draw() {
    const { point, app: { here, posts } } = this;
    const { name, title, more } = point ? pointWords(point, here, posts.store.state.places)
      : { name: "", title: "No place yet", more: "" };
    const [sign, words] = this.row.children;
    sign.replaceChildren(icon(kindOf(name)));
    setText(words.firstElementChild, title);
    setText(words.lastElementChild, more);
  }

  #say(words) {
    setText(this.fault, words);
    setAttribute(this.input, "aria-invalid", words ? "true" : null);
  }
}
