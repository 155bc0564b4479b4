// What somebody began to write in each room and has not sent, kept in this browser.

import { DRAFTS_KEY, forget, keep, kept } from "./kept.js";

/// The oldest goes first.
const DRAFTS_MAX = 50;

export class Drafts {
  #texts;

  constructor() {
    try {
      this.#texts = new Map(JSON.parse(kept(DRAFTS_KEY) ?? "[]"));
    } catch {
      this.#texts = new Map();
    }
  }

  of(room) { return this.#texts.get(room) ?? ""; }

  set(room, text) {
    if (this.of(room) === text) return;
    this.#texts.delete(room);
    if (text !== "") this.#texts.set(room, text);
    if (this.#texts.size > DRAFTS_MAX) this.#texts.delete(this.#texts.keys().next().value);
    if (this.#texts.size === 0) forget(DRAFTS_KEY);
    else keep(DRAFTS_KEY, JSON.stringify([...this.#texts]));
  }
}
