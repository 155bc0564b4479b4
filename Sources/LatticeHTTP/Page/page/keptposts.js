// Posts that one has kept and not published, below the form for a new one. The node keeps them: they are there on every phone of this
// person, and nobody else gets them.

import { note, noteFault } from "./announce.js";
import { make, replace, setText } from "./dom.js";
import { seenFrom, whereText } from "./geo.js";
import { Latest } from "./latest.js";
import { KeyedList } from "./list.js";
import { counted, oneLine, plain } from "./text.js";
import { timeElement } from "./time.js";

/// Keeps what was written. The form is empty again, and the draft stands below it.
export async function keepPost(app, body) {
  const { draft } = app;
  try {
    await app.api.post("/drafts", body);
  } catch (error) {
    noteFault(error, "It was not kept.");
    draft.photo.refused(error);
    return;
  }
  draft.photo.clear();
  app.draft = {};
  note("Kept as a draft. Only you see it.");
  if (app.route.name === "newPost") app.show();
}

export class KeptPosts {
  #latest = new Latest();
  #drafts = [];
  /// Deleted here; the node hears of it when the note about it goes.
  #gone = new Set();
  #isPublishing = false;

  constructor(app) {
    this.app = app;
    this.heading = make("h3", { tabindex: "-1" }, "Your drafts");
    this.list = new KeyedList({ label: "Your drafts", keyOf: ({ number }) => number, create: (first) => this.#row(first) });
    this.all = make("button", { class: "button", onclick: () => this.#publish(this.#shown) }, "Publish all");
    this.element = make("section", { class: "stack kept-posts", hidden: true }, this.heading, this.list.element, make("div", {}, this.all));
  }

  async load() {
    try {
      const found = await this.#latest.run((signal) => this.app.api.get("/drafts", {}, signal));
      if (!found) return;
      this.#drafts = found.answer.drafts;
      this.#draw();
    } catch {
      // They are there the next time.
    }
  }

  leave() { this.#latest.drop(); }

  get #shown() { return this.#drafts.filter(({ number }) => !this.#gone.has(number)); }

  #draw() {
    const hadFocus = this.element.contains(document.activeElement);
    const shown = this.#shown;
    this.list.show(shown);
    this.element.hidden = shown.length === 0;
    this.all.parentElement.hidden = shown.length < 2;
    if (hadFocus && !this.element.contains(document.activeElement)) this.heading.focus({ preventScroll: true });
  }

  async #publish(drafts) {
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    try {
      const { items, failed } = await this.app.api.post("/drafts/publish", { numbers: drafts.map(({ number }) => number) });
      if (items.length > 0) this.app.posts.refresh();
      if (failed.length > 0) noteFault({ message: failed[0].detail }, failed.length > 1 ? `${failed.length} drafts stay.` : "It was not posted.");
      else note(items.length === 1 ? "Posted." : `Posted ${counted(items.length, "draft")}.`);
    } catch (error) {
      noteFault(error, "It was not posted.");
    }
    this.#isPublishing = false;
    await this.load();
  }

  #delete({ number }) {
    const set = (isGone) => {
      if (isGone) this.#gone.add(number);
      else this.#gone.delete(number);
      this.#draw();
    };
    set(true);
    note("Draft deleted.", { act: { words: "Undo", do: () => set(false) }, gone: async () => {
      try {
        await this.app.api.delete(`/drafts/${number}`);
      } catch (error) {
        noteFault(error, "It was not deleted.");
      }
      await this.load();
      this.#gone.delete(number);
      this.#draw();
    } });
  }

  #row(first) {
    let draft = first;
    const words = make("p", { class: "words", tabindex: "-1", dir: "auto" });
    const meta = make("p", { class: "meta" });
    const publish = make("button", { class: "button edged", onclick: () => this.#publish([draft]) }, "Publish");
    const remove = make("button", { class: "button edged danger", onclick: () => this.#delete(draft) }, "Delete");
    const element = make("li", { class: "row kept" }, make("div", { class: "main" }, words, meta, make("div", { class: "acts" }, publish, remove)));
    return { element, link: words, dress: (news) => {
      draft = news;
      setText(words, plain(draft.text));
      const where = whereText(seenFrom(this.app.here, draft), oneLine(draft.place_name ?? ""));
      replace(meta, make("span", {}, "Written ", timeElement(draft.written_at, this.app.now())), where ? make("span", {}, where) : null,
        draft.photo ? make("span", {}, "with a photo") : null);
    } };
  }
}
