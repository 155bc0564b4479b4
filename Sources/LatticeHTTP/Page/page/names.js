// Who people are by their id, for what comes with ids alone: their names, and with that pictures and colours.

import { gathered } from "./latest.js";
import { oneLine, shortOf } from "./text.js";

/// Enough for a large camp. The oldest is forgotten first.
const PEOPLE_MAX = 4_096;

export class Names {
  #known = new Map();
  #hasAsked = false;

  /// `me()` is the person of this page. `ask()` gives everybody whom the node knows, and is called when somebody is missing, once,
  /// and when `refresh` says that they may be others. `onLearned()`: people are known that were missing.
  constructor({ me, ask, onLearned }) {
    this.me = me;
    this.ask = ask;
    this.onLearned = onLearned;
    this.refresh = gathered(() => {
      this.#hasAsked = false;
      this.askOnce();
    }, 1_000, 5_000);
  }

  /// A person without a picture or a colour keeps the known ones.
  learn(people) {
    for (const { id, name, ...more } of people) {
      if (!id || !oneLine(name)) continue;
      const known = this.#known.get(id);
      this.#known.delete(id);
      this.#known.set(id, { ...known, ...more, id, name: oneLine(name) });
      if (this.#known.size > PEOPLE_MAX) this.#known.delete(this.#known.keys().next().value);
    }
  }

  /// The name, else the short id; `you` for the person of this page.
  of(id) {
    if (id === this.me().id) return "you";
    if (!this.#known.has(id)) this.askOnce();
    return this.#known.get(id)?.name ?? `#${shortOf(id)}`;
  }

  /// With picture and colour, as far as they are known.
  person(one) { return { ...this.#known.get(one.id), ...one }; }

  async askOnce() {
    if (this.#hasAsked) return;
    this.#hasAsked = true;
    try {
      const people = await this.ask();
      // A picture or a colour may be gone.
      for (const { id, photo, colour } of people) this.#known.set(id, { ...this.#known.get(id), photo, colour });
      this.learn(people);
      this.onLearned();
    } catch {
      // Short ids stay where names are missing.
      this.#hasAsked = false;
    }
  }
}
