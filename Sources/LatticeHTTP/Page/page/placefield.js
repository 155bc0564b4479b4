// A place to be said: where one is, pointed at on the map, or typed. It is shown by its name.

import { make, replace, setAttribute, setText } from "./dom.js";
import { parsePlace, placeText, seenFrom, whereText } from "./geo.js";
import { nearest, placeNear, pointWords } from "./places.js";
import { icon, optionRow } from "./rows.js";

/// Named places that are offered, and how far away one may be in metres.
const OFFERED = 4;
const OFFERED_METRES = 2_000;

export class PlaceField {
  /// `onChange(point)`: another place, or `null` while what stands there is none. `onPlace(place)`: one with a name was chosen.
  /// `at`: what stands before its name.
  constructor(app, { label, point, onChange, onPlace = (place) => this.set(place), at = "At" }) {
    Object.assign(this, { app, onChange, onPlace, at });
    this.offers = make("div", { class: "chips", role: "group", "aria-label": "Places near you" });
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
    this.details = make("details", { open: !point }, this.row,
      make("div", { class: "field" }, buttons, make("label", { for: "place" }, label), this.input, this.fault,
        make("p", { class: "hint", id: "place-hint" }, "Choose a point on the map, or type latitude and longitude.")));
    this.element = make("div", { class: "place-field" }, this.offers, this.details);
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
      this.details.open = true;
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

  /// The id of the named place that it is at, if somebody made that place.
  get id() { return this.point ? placeNear(this.app.posts.store.state.places.filter(({ id }) => id), this.point)?.id : undefined; }

  /// The nearest first; which are near is not known without a place of the reader.
  #offer() {
    const { here, posts } = this.app;
    const { places } = posts.store.state;
    const offered = (here ? nearest(places, here, OFFERED_METRES) : places).slice(0, OFFERED);
    const key = offered.map(({ key, name }) => `${key} ${name}`).join();
    this.offers.hidden = offered.length === 0;
    if (key === this.offers.dataset.key) return;
    this.offers.dataset.key = key;
    replace(this.offers, offered.map((place) => make("button", {
      class: "chip", title: whereText(seenFrom(here, place), place.name), onclick: () => this.onPlace(place),
    }, icon(place.kind), make("bdi", {}, `${this.at} ${place.name}`))));
  }

  /// Again, when other places have a name.
  draw() {
    const { point, app: { here, posts } } = this;
    this.#offer();
    const { title, more } = point ? pointWords(point, here, posts.store.state.places)
      : { title: "No place yet", more: "" };
    const [sign, words] = this.row.children;
    sign.replaceChildren(icon((point && placeNear(posts.store.state.places, point)?.kind) ?? "posts"));
    setText(words.firstElementChild, title);
    setText(words.lastElementChild, more);
  }

  #say(words) {
    setText(this.fault, words);
    setAttribute(this.input, "aria-invalid", words ? "true" : null);
  }
}
