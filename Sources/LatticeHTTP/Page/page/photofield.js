// A photo that is added to what one writes, or takes the place of another: seen at once, and made ready by the node while one writes on.

import { say } from "./announce.js";
import { percent, sizeText } from "./bytes.js";
import { make, setAttribute, setText } from "./dom.js";
import { icon } from "./rows.js";

const TYPES = "image/jpeg,image/png,image/webp";
const BYTES_MAX = 64 * 1_048_576;
const ALT_BYTES_MAX = 1_000;
const ALT = "Describe the photo (optional)";
const GOES = "The photo is removed when you save.";
let fields = 0;

export class PhotoField {
  /// `none`, `kept`, `going`, `ready` or `failed`.
  state = "none";
  #file = null;
  #url = null;
  #sent = 0;
  /// Ends the upload, from the moment at which a file is chosen.
  #going = null;
  /// {upload, photo}, as the node made it.
  #made = null;
  /// {button, words, act}: what waits for the photo.
  #waiting = null;

  /// `kept`: {alt, element} of the photo that is there already. `hasOriginal`: the picture itself may be shared, too.
  constructor(api, kept = null, hasOriginal = false) {
    Object.assign(this, { api, kept });
    const id = `photo-${(fields += 1)}`;
    this.original = make("input", { type: "checkbox", id: `${id}-original` });
    this.originalWords = make("span");
    this.originalField = hasOriginal
      ? make("label", { class: "tick", for: `${id}-original` }, this.original, this.originalWords) : null;
    const input = (more) => make("input", {
      type: "file", accept: TYPES, hidden: true, tabindex: "-1", "aria-label": "Photo", ...more,
      onchange: ({ target }) => {
        const [file] = target.files;
        target.value = "";
        if (file) this.#choose(file);
      },
    });
    const button = (kind, name, onclick) => {
      const words = make("span");
      const made = make("button", { class: `button ${kind}`, onclick }, icon(name), words);
      return Object.assign(made, { words });
    };
    const [library, camera] = [input(), input({ capture: "environment" })];
    this.pick = button("", "photo", () => library.click());
    this.snap = button("takes-photo", "camera", () => camera.click());
    this.image = make("img", { class: "preview", alt: "Preview", onerror: () => { this.image.hidden = true; } });
    this.words = make("span", { class: "preview-words" });
    this.bar = make("progress", { class: "file-bar", max: "100", "aria-label": "Upload of the photo" });
    this.stop = make("button", { class: "full-act preview-stop", onclick: () => this.#remove() }, icon("close"));
    this.fault = make("p", { class: "fault", role: "alert" });
    this.again = make("button", { class: "button small", onclick: () => this.#send() }, "Try again");
    this.alt = make("input", { type: "text", id, maxlength: String(ALT_BYTES_MAX), dir: "auto", autocomplete: "off", placeholder: ALT });
    this.chosen = make("div", { class: "stack" },
      make("div", { class: "preview-frame" }, kept?.element, this.image, this.words, this.stop), this.bar, this.fault,
      make("label", { for: id, class: "unseen" }, ALT), this.alt,
      this.originalField);
    this.gone = make("p", { class: "soft small-text" }, GOES);
    this.element = make("div", { class: "stack", role: "group", "aria-label": "Photo" }, library, camera, this.chosen, this.gone,
      this.again, make("div", { class: "halves" }, this.snap, this.pick));
    this.#restore();
  }

  /// What the node is given: {upload, alt, original}. `undefined` without a photo, `null` with a word why it cannot be sent.
  value() {
    if (this.state === "none") return undefined;
    if (this.state !== "ready") {
      this.again.focus();
      return null;
    }
    const alt = this.#words();
    return alt === null ? null
      : { upload: this.#made.upload, ...(alt ? { alt } : {}), ...(this.original.checked ? { original: true } : {}) };
  }

  #words() {
    const alt = this.alt.value.trim().normalize("NFC");
    const isLong = new TextEncoder().encode(alt).length > ALT_BYTES_MAX;
    setText(this.fault, isLong ? "The description is too long. Make it shorter." : "");
    if (!isLong) return alt;
    this.alt.focus();
    return null;
  }

  /// What becomes another, as the node is given it: {photo}, empty if nothing does. `null` with a word why it cannot be sent.
  change() {
    if (this.state === "none") return this.kept ? { photo: null } : {};
    const photo = this.state === "kept" ? this.#words() : this.value();
    if (photo === null) return null;
    if (this.state !== "kept") return { photo };
    return photo === (this.kept.alt ?? "") ? {} : { photo: { alt: photo } };
  }

  /// As it looks until the node lists it.
  get shown() { return this.state === "ready" ? { ...this.#made.photo, alt: this.alt.value, url: this.#url } : undefined; }

  /// Does `act` now, or as soon as the photo is there; `button` says meanwhile that it waits.
  whenReady(button, act) {
    if (this.state !== "going") act();
    else if (!this.#waiting) {
      this.#waiting = { button, words: button.textContent, act };
      setText(button, "Waiting for the photo…");
      setAttribute(button, "aria-disabled", "true");
      say("Waiting for the photo.");
    }
  }

  /// - Returns: whether something waited for the photo.
  stopWaiting() {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) {
      setText(waiting.button, waiting.words);
      setAttribute(waiting.button, "aria-disabled", null);
    }
    return waiting;
  }

  /// The node does not keep it either.
  drop() {
    const stop = this.#going;
    this.#going = null;
    // What is sent is answered, and taken back then.
    if (this.#sent < this.#file?.size) stop?.abort();
    if (this.#made) this.#takeBack(this.#made);
    this.clear();
  }

  /// As it was at the beginning.
  #restore() {
    if (!this.kept) return this.#become("none");
    this.alt.value = this.kept.alt ?? "";
    return this.#become("kept");
  }

  /// It is used.
  clear() {
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.image.removeAttribute("src");
    this.alt.value = "";
    this.original.checked = false;
    this.#file = this.#url = this.#made = null;
    this.#become("none");
  }

  /// What it was for was not done: the node may have forgotten the photo since.
  refused(error) { if (this.state === "ready" && error.status === 404) this.#fail("The photo is no longer ready. Try again."); }

  #fail(words) { this.#become("failed", words); }

  async #takeBack({ upload }) {
    try {
      await this.api.delete(`/uploads/${upload}`);
    } catch {
      // The node forgets it by itself.
    }
  }

  #choose(file) {
    // The description of the one before is not that of this one.
    const alt = this.state === "kept" && this.alt.value === (this.kept.alt ?? "") ? "" : this.alt.value;
    this.drop();
    this.alt.value = alt;
    this.#file = file;
    this.#url = URL.createObjectURL(file);
    this.image.hidden = false;
    this.image.src = this.#url;
    this.#send();
    // On a telephone a keyboard would open.
    if (matchMedia("(hover: hover)").matches) this.alt.focus({ preventScroll: true });
  }

  #remove() {
    const { state } = this;
    this.drop();
    if (state !== "kept") this.#restore();
    this.pick.focus();
    say(state === "going" ? "The upload is cancelled." : state === "kept" ? GOES : "The photo is removed.");
  }

  async #send() {
    const hadFocus = document.activeElement === this.again;
    const stop = new AbortController();
    this.#going = stop;
    this.#made = null;
    this.#sent = 0;
    this.#become("going");
    if (hadFocus) this.stop.focus();
    if (this.#file.size > BYTES_MAX) {
      this.#fail("This photo is larger than 64 MiB. Choose a smaller one.");
      return;
    }
    say("Uploading the photo.");
    const onProgress = (sent) => {
      if (stop !== this.#going) return;
      this.#sent = sent;
      this.#draw();
    };
    try {
      const made = await this.api.upload("/uploads", this.#file, { onProgress, signal: stop.signal });
      if (stop !== this.#going) {
        this.#takeBack(made);
        return;
      }
      this.#made = made;
      say("The photo is ready.");
      this.#become("ready");
    } catch (error) {
      if (stop === this.#going) this.#fail(error.code === "unreadable" ? "This photo cannot be read. Choose another one." : error.message);
    }
  }

  #become(state, fault = "") {
    this.state = state;
    setText(this.fault, fault);
    this.#draw();
    if (state === "going") return;
    const waited = this.stopWaiting();
    if (state === "ready") waited?.act();
  }

  #draw() {
    const { state } = this;
    const isNone = state === "none";
    const share = percent(this.#sent, this.#file?.size ?? 0);
    this.chosen.hidden = isNone;
    this.gone.hidden = !isNone || !this.kept;
    const isKept = state === "kept";
    if (this.kept) this.kept.element.hidden = !isKept;
    if (isKept) this.image.hidden = true;
    this.words.hidden = isKept;
    if (this.originalField) this.originalField.hidden = isKept;
    setText(this.originalWords, `Share the picture itself, too (${sizeText(this.#file?.size ?? 0)}, without its location)`);
    this.bar.hidden = state !== "going";
    this.bar.value = share;
    this.again.hidden = state !== "failed";
    setText(this.pick.words, isNone ? "Photo" : "Choose");
    setText(this.snap.words, isNone ? "Take a photo" : "Take another");
    const stop = state === "going" ? "Cancel the upload" : "Remove the photo";
    setAttribute(this.stop, "aria-label", stop);
    setAttribute(this.stop, "title", stop);
    this.words.classList.toggle("ready", state === "ready");
    setText(this.words, state === "going" ? `Preparing, ${share}%`
      : state === "ready" ? `Ready, ${sizeText(this.#made.photo.size)}, no location inside` : "Not uploaded");
  }
}
