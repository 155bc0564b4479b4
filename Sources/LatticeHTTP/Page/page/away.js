// Being away: a bar at the top with the away text and a button to come back.

import { note, noteFault } from "./announce.js";
import { byId, make, replace } from "./dom.js";
import { oneLine } from "./text.js";

export class Away {
  #shown = null;

  constructor(app) { this.app = app; }

  /// Called when `app.me` has changed.
  draw() {
    const { away, writable } = this.app.me;
    const shown = writable && away !== undefined ? away : null;
    if (shown === this.#shown) return;
    this.#shown = shown;
    const bar = byId("away-bar");
    bar.hidden = shown === null;
    replace(bar, shown === null ? [] : [
      make("span", { class: "grow" }, make("bdi", {}, shown === "" ? "You are away." : `You are away: ${oneLine(shown)}`)),
      make("button", { class: "button small", onclick: () => this.end() }, "I am back"),
    ]);
  }

  /// - Parameter text: the reason, which may be empty.
  async begin(text) {
    try {
      await this.app.api.put("/away", { text });
      this.app.loadMe();
      return true;
    } catch (error) {
      noteFault(error);
      return false;
    }
  }

  async end() {
    try {
      const { missed } = await this.app.api.delete("/away");
      this.app.loadMe();
      note(`You are back.${missed > 0 ? ` ${missed} ${missed === 1 ? "notification" : "notifications"} came while you were away.` : ""}`);
      return true;
    } catch (error) {
      noteFault(error);
      return false;
    }
  }
}
