// What a person does to an item: shown at once, taken back with a word why if the node does not agree.

import { note, noteFault } from "./announce.js";
import { attending, deleting, editing, liking } from "./poststate.js";

let tickets = 0;
export const nextTicket = () => (tickets += 1);

/// `stores()` gives those that show items now: a view that was opened meanwhile hears of it, too.
export class ItemActs {
  /// `onGone`: somebody took it back meanwhile.
  constructor(api, stores, onGone) {
    this.api = api;
    this.stores = stores;
    this.onGone = onGone;
  }

  like(item, liked) {
    return this.#do(item, liking(liked), liked ? "Your like was not saved." : "Your like was not removed.", () =>
      liked ? this.api.put(`/items/${item.id}/like`) : this.api.delete(`/items/${item.id}/like`));
  }

  attend(item, comes) {
    return this.#do(item, attending(comes), comes ? "You are not marked as going." : "You are still marked as going.", () =>
      comes ? this.api.put(`/items/${item.id}/attendance`) : this.api.delete(`/items/${item.id}/attendance`));
  }

  /// The item goes at once. The node hears of it when the note about it goes, so that until then it can be taken back.
  remove(item) {
    const ticket = this.#begin(item, deleting());
    note("Deleted.", {
      act: { words: "Undo", do: () => this.#tell({ type: "undone", ticket }) },
      gone: () => this.#finish(ticket, "It was not deleted.", () => this.api.delete(`/items/${item.id}`)),
    });
  }

  /// `change`: {text, photo}, and of a place {name, kind, hours}, as the node is given them, `shown` as they look.
  edit(item, change, shown) {
    return this.#do(item, editing(shown), "Your changes were not saved.", () => this.#send(item, change));
  }

  async #send({ id, kind }, change) {
    if (kind !== "place") return this.api.patch(`/items/${id}`, change);
    const { photo, ...words } = change;
    // Only the author of a place takes its photo away, or tells anew what it shows.
    const made = photo?.upload || Object.keys(words).length > 0
      ? await this.api.patch(`/places/${id}`, photo?.upload ? change : words) : null;
    return photo === undefined || photo?.upload ? made : this.api.patch(`/items/${id}`, { photo });
  }

  #do(item, change, undoneWords, ask) { return this.#finish(this.#begin(item, change), undoneWords, ask); }

  #tell(action) { for (const store of this.stores()) store.dispatch(action); }

  #begin({ id }, change) {
    const ticket = nextTicket();
    this.#tell({ type: "began", ticket, id, change });
    return ticket;
  }

  /// - Returns: why it was not done.
  async #finish(ticket, undoneWords, ask) {
    try {
      this.#tell({ type: "settled", ticket, item: await ask() });
      return null;
    } catch (error) {
      this.#tell({ type: "undone", ticket });
      noteFault(error, undoneWords);
      if (error.code === "takenBack") this.onGone();
      return error;
    }
  }
}

/// Your own item as it looks until the node has it.
export const draftItem = (app, ticket, more) => ({
  id: `draft-${ticket}`, state: "shown", isDraft: true, mine: true, author: app.me, at: new Date(app.now()).toISOString(),
  likes: 0, comments: 0, attendees: 0, ...more,
});
