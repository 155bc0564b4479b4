// What a person does to a line: shown at once, taken back with a word why if the node does not agree.

import { nextTicket } from "./acts.js";
import { note, noteFault } from "./announce.js";
import { lineOf } from "./conversations.js";
import { deletingLine, editingLine, reacting } from "./linechanges.js";

export class LineActs {
  constructor(app, store) {
    this.app = app;
    this.store = store;
  }

  react(line, emoji, holds) {
    const path = `/lines/${line.id}/reactions/${encodeURIComponent(emoji)}`;
    return this.#do(line, reacting(emoji, this.app.me.id, holds),
      holds ? "Your reaction was not saved." : "Your reaction was not removed.",
      (api) => (holds ? api.put(path) : api.delete(path)));
  }

  edit(line, text) {
    return this.#do(line, editingLine(text), "The text was not changed.", (api) => api.patch(`/lines/${line.id}`, { text }));
  }

  /// The line goes at once. The node hears of it when the note about it goes, so that until then it can be taken back.
  remove(line) {
    const ticket = this.#begin(line, deletingLine());
    note("Message deleted.", {
      act: { words: "Undo", do: () => this.store.dispatch({ type: "undone", ticket }) },
      gone: () => this.#finish(ticket, "It was not deleted.", (api) => api.delete(`/lines/${line.id}`)),
    });
  }

  #do(line, change, undoneWords, ask) { return this.#finish(this.#begin(line, change), undoneWords, ask); }

  #begin({ id, room }, change) {
    const ticket = nextTicket();
    this.store.dispatch({ type: "began", ticket, id, room, change });
    return ticket;
  }

  /// Whether it was done.
  async #finish(ticket, undoneWords, ask) {
    try {
      const line = await ask(this.app.api);
      this.store.dispatch({ type: "settled", ticket, line: lineOf(line, this.app.me) });
      return true;
    } catch (error) {
      this.store.dispatch({ type: "undone", ticket });
      noteFault(error, undoneWords);
      return false;
    }
  }
}
