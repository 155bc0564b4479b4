// Photos of posts, events and people: thumbnails wherever they are listed, and the whole one.

import { queryText } from "./api.js";
import { make, setAttribute, setText } from "./dom.js";
import { load } from "./picture.js";
import { notNear, whenNear } from "./sight.js";
import { plain } from "./text.js";

/// Of at most 8 KiB each.
const THUMBNAILS_MAX = 256;
/// A thumbnail has 86 × 86; that of somebody else's program may be another.
const THUMBNAIL_PIXELS_MAX = 65_536;
const AGAIN_MS = 5_000;
const UNSAID = "Photo";

const photoOf = (one) => ((one.state ?? "shown") === "shown" ? one.photo : undefined);

export class Photos {
  /// {path and size of the photo: a promise of an address}; what was asked for last stands last.
  #known = new Map();

  constructor(app) { this.app = app; }

  /// Puts the thumbnail of an item, or with `isPerson` of a person, into an element, if there is one.
  dress(element, one, isPerson = false) {
    const photo = photoOf(one);
    let image = element.querySelector(":scope > img");
    if (!photo) image?.remove();
    if (!photo) return;
    if (!image) element.append(image = make("img", { class: "thumbnail" }));
    setAttribute(image, "alt", isPerson ? "" : plain(photo.alt || UNSAID));
    const key = photo.url ?? `${this.path(one, "thumbnail", isPerson)} ${photo.size}`;
    if (image.dataset.photo === key) return;
    image.dataset.photo = key;
    image.removeAttribute("src");
    image.hidden = false;
    if (photo.url) image.src = key;
    else whenNear(image, () => this.#load(image, key));
  }

  /// Who may only look reads from a place of their own.
  get place() {
    const { here, me } = this.app;
    return here && !me.writable ? { lat: here.lat, lon: here.lon } : {};
  }

  path(one, which, isPerson = false) {
    return `/${isPerson ? "people" : "items"}/${one.id}/${which}${queryText(isPerson ? {} : this.place)}`;
  }

  async #load(image, key) {
    const isSame = () => image.dataset.photo === key;
    try {
      const url = await this.#url(key);
      if (!isSame()) return;
      image.onload = () => { if (image.naturalWidth * image.naturalHeight > THUMBNAIL_PIXELS_MAX) image.hidden = true; };
      image.onerror = () => { image.hidden = true; };
      image.src = url;
    } catch (error) {
      if (!isSame()) return;
      if (error.status !== 0) image.hidden = true;
      // The node is away.
      else setTimeout(() => { if (image.isConnected && isSame()) whenNear(image, () => this.#load(image, key)); }, AGAIN_MS);
    }
  }

  #url(key) {
    const url = this.#known.get(key) ?? this.#ask(key);
    this.#known.delete(key);
    this.#known.set(key, url);
    if (this.#known.size > THUMBNAILS_MAX) {
      const [[oldest, old]] = this.#known;
      this.#known.delete(oldest);
      // What is shown by now stays.
      old.then((address) => URL.revokeObjectURL(address), () => {});
    }
    return url;
  }

  async #ask(key) {
    try {
      return URL.createObjectURL(await (await this.app.api.bytes(key.split(" ")[0])).blob());
    } catch (error) {
      this.#known.delete(key);
      throw error;
    }
  }
}

/// The whole photo of an item. Its place has the right size before it comes.
export class PhotoFrame {
  #url = null;
  #stop = null;

  constructor(photos, item) {
    const { width, height, alt } = item.photo;
    Object.assign(this, { photos, item });
    this.image = make("img", { hidden: true, width, height, alt: plain(alt || UNSAID) });
    this.words = make("p", { role: "status" });
    this.again = make("button", { class: "button small", hidden: true, onclick: () => this.#load() }, "Try again");
    this.missing = make("div", { class: "photo-missing" }, this.words, this.again);
    const frame = make("div", { class: "photo-frame" }, this.image, this.missing);
    frame.style.aspectRatio = `${width} / ${height}`;
    frame.style.maxWidth = `max(${width}px, 15rem)`;
    this.caption = make("figcaption", { class: "soft small-text", dir: "auto" }, plain(alt ?? ""));
    this.element = make("figure", { class: "photo", tabindex: "-1" }, frame, alt ? this.caption : null);
    whenNear(this.element, () => this.#load());
  }

  async #load() {
    const stop = new AbortController();
    this.#stop = stop;
    if (document.activeElement === this.again) this.element.focus({ preventScroll: true });
    this.again.hidden = true;
    setText(this.words, "Fetching the photo…");
    try {
      this.#url = await load(this.photos.app.api, this.photos.path(this.item, "photo"), this.image, stop.signal);
      // Who listens hears the description as that of the picture.
      setAttribute(this.caption, "aria-hidden", "true");
      this.image.hidden = false;
      this.missing.hidden = true;
    } catch (error) {
      if (stop.signal.aborted) return;
      setText(this.words, error.message);
      this.again.hidden = false;
      if (document.activeElement === this.element) this.again.focus({ preventScroll: true });
    }
  }

  clear() {
    notNear(this.element);
    this.#stop?.abort();
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = null;
  }
}
