// The picture that a photo was made of, as a file below it. Only who may fetch files here sees it.

import { make, replace } from "./dom.js";
import { FileCard } from "./filecard.js";
import { Files } from "./files.js";
import { PictureView } from "./picture.js";

export class OriginalCard {
  #id = null;
  #card = null;

  constructor(app) {
    this.app = app;
    this.files = new Files(app, () => (this.#id ? [this.#id] : []));
    this.pictures = new PictureView(app.api);
    this.element = make("div", { class: "stack", hidden: true });
  }

  /// `original`: {id}, if there is one. `at`: when it was shared.
  show(original, at) {
    const id = this.app.me.writable ? original?.id ?? null : null;
    if (id === this.#id) return;
    this.clear();
    this.#id = id;
    this.element.hidden = !id;
    if (!id) return;
    this.#card = new FileCard({ file: id, at }, { files: this.files, on: {
      keep: (change) => change(), look: (picture) => this.pictures.open(picture, this.files.pictures),
    } });
    replace(this.element, make("h3", {}, "Original"), this.#card.element);
  }

  clear() {
    this.#card?.gone();
    this.#card = this.#id = null;
    this.element.hidden = true;
    replace(this.element);
  }
}
