// The pins at the top of a room. Each person has at most one, a line or a text, and can remove their own.

import { noteFault, say } from "./announce.js";
import { make, put, replace, setAttribute } from "./dom.js";
import { gathered } from "./latest.js";
import { icon, nameElement } from "./rows.js";
import { nameOf, oneLine } from "./text.js";

/// `pathOf(room)`: the path of the room in the API.
export class RoomPins {
  #room = null;
  #asked = 0;
  #shown = [];

  constructor(app, pathOf, onJump) {
    Object.assign(this, { app, pathOf, onJump });
    this.refresh = gathered(() => this.#load());
    this.element = make("ul", { class: "room-pins", "aria-label": "Pinned", hidden: true });
  }

  /// - Parameter room: `null` if none is open.
  open(room) {
    this.#room = room;
    this.#show([]);
    return this.#load();
  }

  async #load() {
    const room = this.#room;
    if (!room) return;
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const { items } = await this.app.api.get(`${this.pathOf(room)}/pins`);
      if (asked === this.#asked && room === this.#room) this.#show(items);
    } catch {
      // The pins that are shown stay.
    }
  }

  /// A line was edited or deleted.
  changed(line) { if (this.#shown.some((pin) => pin.line?.id === line.id)) this.refresh(); }

  heard({ room, by, pin }) {
    if (room !== this.#room) return;
    if (pin && by.id !== this.app.me.id) say(`${nameOf(by)} pinned: ${oneLine(pin.text)}`);
    this.refresh();
  }

  pin(line) { return this.#change((api, path) => api.put(path, { line: line.id }), "The message was not pinned."); }

  pinText(text) { return this.#change((api, path) => api.put(path, { text }), "The message was not pinned."); }

  unpin() { return this.#change((api, path) => api.delete(path), "Your pin was not removed."); }

  /// - Returns: whether the change succeeded.
  async #change(ask, undoneWords) {
    const room = this.#room;
    if (!room) return false;
    try {
      const { items } = await ask(this.app.api, `${this.pathOf(room)}/pins`);
      this.#asked += 1;
      if (room === this.#room) this.#show(items);
      return true;
    } catch (error) {
      noteFault(error, undoneWords);
      return false;
    }
  }

  #show(pins) {
    this.#shown = pins;
    this.element.hidden = pins.length === 0;
    replace(this.element, pins.map((pin) => this.#row(pin)));
    if (pins.length < 2) this.element.classList.remove("all");
    else put(this.element.firstElementChild, this.#count(pins.length));
  }

  /// The newest stands there; this shows the others, too.
  #count(count) {
    const isAll = () => this.element.classList.contains("all");
    const button = make("button", { class: "button small quiet", "aria-expanded": String(isAll()), onclick: () => {
      this.element.classList.toggle("all");
      setAttribute(button, "aria-expanded", String(isAll()));
    } }, `1 of ${count}`);
    return button;
  }

  #row({ by, text, line }) {
    const words = make("bdi", { class: "grow" }, oneLine(text));
    const row = make("li", { class: "room-pin" }, icon("tack"), nameElement(by),
      line ? make("button", { class: "pin-text grow", title: "Show this message", onclick: () => this.onJump(line.id) },
        words) : words);
    if (by.id === this.app.me.id && this.app.me.writable) {
      const close = make("button", { class: "button small quiet", onclick: () => this.unpin() }, "Unpin");
      setAttribute(close, "aria-label", `Unpin: ${oneLine(text)}`);
      put(row, close);
    }
    return row;
  }
}
