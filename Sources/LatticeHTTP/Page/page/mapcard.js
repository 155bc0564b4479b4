// The card on the map: what can be done at a place that was pointed at, and on a narrow screen the post of the chosen pin.

import { noteFault, note } from "./announce.js";
import { byId, make, replace } from "./dom.js";
import { distance, distanceText, placeText } from "./geo.js";
import { itemRow } from "./rows.js";

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
    const away = app.here ? `, ${distanceText(distance(app.here, point))} from you` : "";
    const to = (words, hash, primary = "") => make("button", { class: `button small ${primary}`, onclick: () => {
      app.draft.point = point;
      this.close();
      app.go(hash);
    } }, words);
    replace(this.element, make("p", {}, `${placeText(point)}${away}`), make("div", { class: "actions" },
      app.mayWrite ? to("Post here", "#/new", "primary") : null,
      app.mayWrite ? to("Event here", "#/new/event") : null,
      make("button", { class: "button small", onclick: () => this.#here() }, "I am here"),
      make("button", { class: "button small quiet", onclick: () => this.close() }, "Close")));
    this.element.classList.remove("peeks");
    this.element.hidden = false;
  }

  /// The item of the chosen pin, where the list is out of sight.
  peek(item) {
    if (!item || !matchMedia("(max-width: 699px)").matches || document.body.dataset.side !== "stage") {
      if (this.element.classList.contains("peeks")) this.close();
      return;
    }
    const row = itemRow(item, this.app, false);
    row.dress(item);
    replace(this.element, make("ol", { class: "peek rows" }, row.element));
    this.element.classList.add("peeks");
    this.element.hidden = false;
  }

  close() {
    if (this.#point) this.app.map.setMark(null);
    this.#point = null;
    if (this.element.contains(document.activeElement)) byId("map").focus();
    this.element.hidden = true;
    this.element.classList.remove("peeks");
  }

  async #here() {
    const point = this.#point;
    this.close();
    try {
      await this.app.setHere(point);
      note(`You are at ${placeText(point)}.`);
    } catch (error) {
      noteFault(error);
    }
  }
}
