// Server-Sent Events out of pieces of text, after the HTML standard, section 9.2.6.

/// Characters of one event; what is longer is not ours and is dropped.
const EVENT_MAX = 1_000_000;

export class EventParser {
  #rest = "";
  #event = "";
  #data = [];
  #size = 0;
  lastId = "";

  /// Takes the next piece, which may end anywhere, and gives the events that it completes: {name, data, id}.
  take(piece) {
    this.#rest += piece;
    const events = [];
    for (;;) {
      const end = this.#rest.search(/[\r\n]/);
      if (end < 0) break;
      // Whether a line feed belongs to it shows only with the next piece.
      if (this.#rest[end] === "\r" && end === this.#rest.length - 1) break;
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(this.#rest.startsWith("\r\n", end) ? end + 2 : end + 1);
      const event = this.#line(line);
      if (event) events.push(event);
    }
    if (this.#rest.length > EVENT_MAX) this.#rest = "";
    return events;
  }

  #line(line) {
    if (line === "") return this.#complete();
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    if (field === "id" && !value.includes("\0")) this.lastId = value;
    if (field === "data" && (this.#size += value.length) <= EVENT_MAX) this.#data.push(value);
    return null;
  }

  #complete() {
    const event = this.#data.length > 0 ? { name: this.#event || "message", data: this.#data.join("\n"), id: this.lastId } : null;
    this.#event = "";
    this.#data = [];
    this.#size = 0;
    return event;
  }
}
