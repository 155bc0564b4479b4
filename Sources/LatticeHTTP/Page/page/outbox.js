// Lines that were written while the node could not be reached. The browser keeps them, also over a restart, and sends them in
// their order. Each has a key, so that one whose answer was lost is not said twice while the node runs.

import { OUTBOX_KEY, forget, keep, kept } from "./kept.js";

export const WAITING_MAX = 200;

export class Outbox {
  #lines;
  #sending = null;

  /// - who: id of the person who writes: what somebody else left in this browser is dropped.
  /// - send(line): the node's answer. onSent(line, answer), onRefused(line, error): what became of a line.
  constructor({ who, send, onSent, onRefused, store = { keep, kept, forget } }) {
    Object.assign(this, { who, send, onSent, onRefused, store });
    this.#lines = this.#read();
  }

  /// In the order in which they were written: {key, room, body, typed, at}.
  get lines() { return this.#lines; }

  #read() {
    try {
      const found = JSON.parse(this.store.kept(OUTBOX_KEY) ?? "null");
      return found?.who === this.who && Array.isArray(found.lines) ? found.lines.slice(0, WAITING_MAX) : [];
    } catch {
      return [];
    }
  }

  #write(lines) {
    this.#lines = lines;
    if (lines.length === 0) this.store.forget(OUTBOX_KEY);
    else this.store.keep(OUTBOX_KEY, JSON.stringify({ who: this.who, lines }));
  }

  /// - Returns: whether it was added.
  add(line) {
    // Another tab may have written since.
    const lines = this.#read();
    if (lines.length >= WAITING_MAX) return false;
    this.#write([...lines, line]);
    return true;
  }

  remove(key) { this.#write(this.#read().filter((line) => line.key !== key)); }

  /// Sends what waits, until all is sent or the node cannot take it now. One tab at a time.
  ///
  /// - Returns: how many lines were sent.
  flush() {
    const { locks } = globalThis.navigator ?? {};
    this.#sending ??= (locks ? locks.request(OUTBOX_KEY, () => this.#flush()) : this.#flush()).finally(() => { this.#sending = null; });
    return this.#sending;
  }

  async #flush() {
    let count = 0;
    // Another tab may have sent or removed some.
    for (this.#lines = this.#read(); this.#lines.length > 0;) {
      const [line] = this.#lines;
      let answer;
      try {
        answer = await this.send(line);
      } catch (error) {
        if (isAway(error)) return count;
        this.remove(line.key);
        if (error.code !== "alreadyDone") this.onRefused(line, error);
        continue;
      }
      this.remove(line.key);
      this.onSent(line, answer);
      count += 1;
    }
    return count;
  }
}

/// Whether the same line may be sent later: the node was not reached, has a fault or too much to do, or still answers the first
/// try; or the person has to come in first.
export const isAway = ({ status, code }) => status === 0 || status === 401 || status === 429 || status >= 500 || code === "stillRunning";

/// A key of 128 random bits; `randomUUID` is only for pages over HTTPS.
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
