// Names of people by their id, for what comes with ids alone.

import { oneLine, shortOf } from "./text.js";

/// Enough for a large camp. The oldest is forgotten first.
const NAMES_MAX = 4_096;

export class Names {
  #known = new Map();
  #hasAsked = false;

  /// `me()` is the person of this page. `ask()` gives everybody whom the node knows, and is called once, when a name is missing.
  /// `onLearned()`: names are known that were missing.
  constructor({ me, ask, onLearned }) {
    this.me = me;
    this.ask = ask;
    this.onLearned = onLearned;
  }

  learn(people) {
    for (const { id, name } of people) {
      if (!id || !oneLine(name)) continue;
      this.#known.delete(id);
      this.#known.set(id, oneLine(name));
      if (this.#known.size > NAMES_MAX) this.#known.delete(this.#known.keys().next().value);
    }
  }

  /// The name, else the short id; `you` for the person of this page.
  of(id) {
    if (id === this.me().id) return "you";
    if (!this.#known.has(id)) this.#askOnce();
    return this.#known.get(id) ?? `#${shortOf(id)}`;
  }

  async #askOnce() {
    if (this.#hasAsked) return;
    this.#hasAsked = true;
    try {
      this.learn(await this.ask());
      this.onLearned();
    } catch {
      // Short ids stay where names are missing.
      this.#hasAsked = false;
    }
  }
}
