// The card on the map: what can be done at a place that was pointed at.

import { noteFault, note } from "./announce.js";
import { byId, make, replace } from "./dom.js";
import { seenFrom, whereText } from "./geo.js";
import { placeWords } from "./here.js";
import { coordinates } from "./rows.js";

export class MapCard {
  #point = null;

  constructor(app) {
    this.app = app;
    this.element = byId("map-card");
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  get isOpen() { return !this.element.hidden; }

  /// A place was pointed at while nothing is being written that it belongs to.
  point(point) {
    const { app } = this;
    this.#point = point;
    app.map.setMark(point);
    const name = app.posts.nameAt(point);
    const words = app.here || name ? whereText(seenFrom(app.here, point), name) : "Place chosen on the map";
    const to = (words, hash, primary = "") => make("button", { class: `button small ${primary}`, onclick: () => {
      app.draft.point = point;
      this.close();
      app.go(hash);
    } }, words);
    replace(this.element, make("p", { class: "name" }, words), coordinates(point), make("div", { class: "actions" },
      app.mayWrite ? to("Post here", "#/new", "primary") : null,
      app.mayWrite ? to("Event here", "#/new/event") : null,
      app.mayWrite ? to("Name this place", "#/new/place") : null,
      make("button", { class: "button small", onclick: () => this.#here() }, "I am here"),
      make("button", { class: "button small quiet", onclick: () => this.close() }, "Close")));
    this.element.hidden = false;
  }

  close() {
    if (this.#point) this.app.map.setMark(null);
    this.#point = null;
    if (this.element.contains(document.activeElement)) byId("map").focus();
    this.element.hidden = true;
  }

  async #here() {
    const point = this.#point;
    this.close();
    try {
      await this.app.setHere(point);
      note(placeWords(this.app, point));
    } catch (error) {
      noteFault(error);
    }
  }
}
