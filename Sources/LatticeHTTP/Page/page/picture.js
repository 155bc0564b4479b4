// Pictures that people share: in a line, and one at a time over the whole page.

import { make, put, setAttribute, setText } from "./dom.js";
import { icon } from "./rows.js";
import { save } from "./save.js";
import { notNear, whenNear } from "./sight.js";
import { nameOf } from "./text.js";

/// More than any camera makes; a small file can unfold into more than a machine holds.
const PIXELS_MAX = 64_000_000;
/// When a picture is asked for again after the node was not reached.
const AGAIN_MS = 5_000;

/// Loads a picture into `image` and decodes it, so that it is there at once when it is shown.
///
/// - Returns: its address; the caller revokes it.
export async function load(api, path, image, signal, name = "This photo") {
  const response = await api.bytes(path, signal);
  const url = URL.createObjectURL(await response.blob());
  try {
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = () => reject(new Error(`${name} cannot be shown.`));
      image.src = url;
    });
    if (image.naturalWidth * image.naturalHeight > PIXELS_MAX) throw new Error(`${name} is too large to be shown.`);
    await image.decode();
    if (signal.aborted) throw signal.reason;
  } catch (error) {
    image.removeAttribute("src");
    URL.revokeObjectURL(url);
    throw error;
  }
  return url;
}

const loadFile = (api, file, image, signal) => load(api, `/files/${file.id}/content`, image, signal, file.name);

/// A picture in a line. Its height is always the same, so nothing moves when it comes.
export class PictureFrame {
  #file = null;
  #url = null;
  #stop = null;
  #again = null;

  constructor(api, { onPress, onBroken }) {
    Object.assign(this, { api, onBroken });
    this.image = make("img", { class: "picture", hidden: true });
    this.element = make("button", { class: "picture-frame", onclick: onPress }, this.image);
  }

  /// Loaded once it comes near to what is seen.
  show(file) {
    if (this.#file) return;
    this.#file = file;
    setAttribute(this.image, "alt", file.name);
    setAttribute(this.element, "aria-label", `Show the picture ${file.name}`);
    this.#await();
  }

  #await() { whenNear(this.element, () => this.#load()); }

  async #load() {
    if (this.#stop) return;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    try {
      this.#url = await loadFile(this.api, this.#file, this.image, signal);
      this.image.hidden = false;
    } catch (error) {
      if (signal.aborted) return;
      // The node is away. Else the card of the file takes its place: there the file can still be saved.
      if (error.status === 0) this.#again = setTimeout(() => this.#retry(), AGAIN_MS);
      else this.onBroken();
    }
  }

  #retry() {
    this.#stop = null;
    this.#await();
  }

  clear() {
    notNear(this.element);
    clearTimeout(this.#again);
    this.#stop?.abort();
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = null;
  }
}

/// One picture over the whole page; the arrows go to the others of the room.
export class PictureView {
  #pictures = [];
  #at = 0;
  #url = null;
  #stop = null;

  constructor(api) { this.api = api; }

  /// `pictures`: all of the room, in order.
  open(file, pictures) {
    if (!this.dialog) this.#build();
    this.#pictures = pictures;
    this.#at = Math.max(0, pictures.findIndex((one) => one.id === file.id));
    this.dialog.showModal();
    this.#show();
  }

  #build() {
    const button = (name, words, onclick) => {
      const made = make("button", { class: `full-act ${name}`, "aria-label": words, title: words, onclick });
      put(made, icon(name));
      return made;
    };
    this.image = make("img", { class: "full-picture", alt: "" });
    this.name = make("bdi", { class: "full-name" });
    this.by = make("span", { class: "full-by" });
    this.close = button("close", "Close", () => this.dialog.close());
    this.before = button("before", "Previous picture", () => this.#go(-1));
    this.after = button("after", "Next picture", () => this.#go(1));
    this.saver = make("button", { class: "full-act", onclick: () => save(this.api, this.#file) }, "Save");
    this.dialog = make("dialog", { class: "full", "aria-label": "Picture" },
      make("div", { class: "full-head" }, make("p", { class: "full-words", role: "status" }, this.name, this.by), this.saver, this.close),
      make("div", { class: "full-in", onclick: ({ target, currentTarget }) => { if (target === currentTarget) this.dialog.close(); } },
        this.image), this.before, this.after);
    this.dialog.addEventListener("keydown", (event) => this.#key(event));
    this.dialog.addEventListener("close", () => this.#clear());
    put(document.body, this.dialog);
  }

  get #file() { return this.#pictures[this.#at]; }

  #key(event) {
    // The keys of the page mean nothing here.
    event.stopPropagation();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.#go(step);
  }

  #go(step) {
    const next = this.#at + step;
    if (next < 0 || next >= this.#pictures.length) return;
    this.#at = next;
    this.#show();
  }

  async #show() {
    this.#clear();
    const file = this.#file;
    const count = this.#pictures.length;
    setText(this.name, file.name);
    setText(this.by, ` from ${nameOf(file.by)}${count > 1 ? `, ${this.#at + 1} of ${count}` : ""}`);
    setAttribute(this.image, "alt", file.name);
    this.before.hidden = this.after.hidden = count < 2;
    setAttribute(this.before, "aria-disabled", this.#at === 0 ? "true" : null);
    setAttribute(this.after, "aria-disabled", this.#at === count - 1 ? "true" : null);
    const stop = new AbortController();
    this.#stop = stop;
    try {
      const url = await loadFile(this.api, file, this.image, stop.signal);
      this.#url = url;
    } catch (error) {
      if (!stop.signal.aborted) setText(this.by, ` – ${error.message}`);
    }
  }

  #clear() {
    this.#stop?.abort();
    this.image.removeAttribute("src");
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = null;
  }
}
