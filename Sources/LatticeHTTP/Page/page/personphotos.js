// The photos of one person's posts and events: a grid of thumbnails, each of which opens what it belongs to.

import { noteFault } from "./announce.js";
import { make, setAttribute } from "./dom.js";
import { Latest } from "./latest.js";
import { KeyedList } from "./list.js";
import { oneLine } from "./text.js";
import { wordsOf } from "./rows.js";

const PAGE = 30;
/// No more are given at once.
const PAGE_MAX = 100;

export class PersonPhotos {
  #latest = new Latest();
  #items = [];
  #next = undefined;

  constructor(app, id) {
    Object.assign(this, { app, id });
    this.list = new KeyedList({
      label: "Photos", className: "photo-grid", create: () => this.#cell(), columns: () => this.#columns(),
    });
    this.more = make("button", { class: "button", hidden: true, onclick: () => this.#more() }, "Show more");
    this.element = make("section", { class: "stack", "aria-label": "Photos", hidden: true },
      make("h3", {}, "Photos"), this.list.element, this.more);
  }

  async load() {
    try {
      const found = await this.#latest.run((signal) => this.#ask(undefined, Math.max(PAGE, this.#items.length), signal));
      if (found) this.#show(found.answer.items, found.answer.next);
    } catch {
      // The banner says that the node is away. What is shown stays.
    }
  }

  drop() { this.#latest.drop(); }

  #ask(after, limit, signal) {
    const query = { person: this.id, photos: true, limit: Math.min(PAGE_MAX, limit), after, ...this.app.photos.place };
    return this.app.api.get("/timeline", query, signal);
  }

  async #more() {
    const first = this.#items.length;
    try {
      const found = await this.#latest.run((signal) => this.#ask(this.#next, PAGE, signal));
      if (!found) return;
      this.#show([...this.#items, ...found.answer.items], found.answer.next);
      const next = this.#items[first];
      if (next) this.list.row(next.id)?.querySelector("a")?.focus();
    } catch (error) {
      noteFault(error);
    }
  }

  #show(items, next) {
    this.#items = [...new Map(items.map((item) => [item.id, item])).values()];
    this.#next = next;
    this.list.show(this.#items);
    this.more.hidden = !next;
    this.element.hidden = this.#items.length === 0 && !next;
  }

  #columns() { return getComputedStyle(this.list.element).gridTemplateColumns.split(" ").length; }

  #cell() {
    const link = make("a", {});
    const element = make("li", {}, link);
    return { element, link, dress: (item) => {
      setAttribute(link, "href", `#/item/${item.id}`);
      // Without a description, the words of the post say which photo it is.
      const words = oneLine(item.title ?? wordsOf(item));
      setAttribute(link, "title", words);
      setAttribute(link, "aria-label", item.photo.alt ? null : `Photo: ${words}`);
      this.app.photos.dress(link, item);
    } };
  }
}
