// Files that a person and the person of this page sent each other.

import { Attach } from "./attach.js";
import { make, replace } from "./dom.js";
import { FileCard } from "./filecard.js";
import { Files } from "./files.js";
import { PictureView } from "./picture.js";
import { nameElement } from "./rows.js";
import { nameOf } from "./text.js";
import { timeElement } from "./time.js";

const SECRET = "Only you two can read this";

export class PersonFiles {
  #person = null;
  #items = [];
  /// {id: {row, card}}
  #drawn = new Map();

  constructor(app) {
    this.app = app;
    this.files = new Files(app, () => this.#items.map(({ id }) => id).reverse(), (items) => this.#show(items));
    this.pictures = new PictureView(app.api);
    this.attach = new Attach(app, { learn: (file) => {
      this.files.learn(file);
      this.load();
    } });
    this.list = make("ul", { class: "stack person-files", "aria-label": "Files" });
    this.element = make("section", { class: "stack", "aria-label": "Files" },
      make("div", { class: "bar" }, make("div", { class: "grow" }, make("h3", {}, "Files"),
        make("p", { class: "soft small-text" }, `🔒 ${SECRET}`)), this.attach.controls),
      this.attach.target, this.attach.cards, this.list);
    this.attach.listen(this.element);
  }

  /// - Returns: what is shown of a person.
  show(person) {
    if (person.id === this.#person?.id) return this.element;
    this.#person = person;
    this.#show([]);
    this.attach.show({ query: { person: person.id }, to: `with ${nameOf(person)}`, secret: SECRET });
    this.load();
    return this.element;
  }

  load() { this.files.open({ person: this.#person.id }); }

  #show(items) {
    this.#items = items;
    const ids = new Set(items.map(({ id }) => id));
    for (const [id, { card }] of this.#drawn) {
      if (ids.has(id)) continue;
      card.gone();
      this.#drawn.delete(id);
    }
    const focused = document.activeElement;
    replace(this.list, items.map((file) => this.#row(file)));
    if (this.list.contains(focused)) focused.focus({ preventScroll: true });
  }

  #row(file) {
    if (!this.#drawn.has(file.id)) {
      const card = new FileCard({ file: file.id, at: file.at }, { files: this.files, on: {
        keep: (change) => change(), look: (picture) => this.pictures.open(picture, this.files.pictures),
      } });
      const by = file.by.id === this.app.me.id ? "You" : nameElement(file.by);
      this.#drawn.set(file.id, { card, row: make("li", {},
        make("p", { class: "meta" }, by, timeElement(file.at, this.app.now())), card.element) });
    }
    return this.#drawn.get(file.id).row;
  }
}
