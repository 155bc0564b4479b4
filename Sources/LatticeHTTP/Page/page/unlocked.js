// What a reader who moves can read now and could not before.

import { note } from "./announce.js";
import { readable } from "./poststate.js";

export class Unlocked {
  /// Ids of what could not be read before the reader moved.
  #wereFar = null;

  /// `onShow(item)`: shows the first one.
  constructor(onShow) { this.onShow = onShow; }

  moves(items) { this.#wereFar = new Set(items.filter(({ state }) => state === "too_far").map(({ id }) => id)); }

  /// The list is that of the new place.
  say(items) {
    if (!this.#wereFar) return;
    const now = readable(items, this.#wereFar);
    this.#wereFar = null;
    if (now.length === 0) return;
    note(`You can read ${now.length} more ${now.length === 1 ? "post" : "posts"} now.`, { act: { words: "Show", do: () => this.onShow(now[0]) } });
  }
}
