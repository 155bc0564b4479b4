// Files that a person shares in a room or with one person: chosen, dropped onto the conversation or pasted, and sent one after the other.

import { alarm, say } from "./announce.js";
import { queryText } from "./api.js";
import { Pace, pastedName, percent } from "./bytes.js";
import { make, put, setAttribute, setText } from "./dom.js";
import { Card, dressUpload } from "./filecard.js";
import { redrawn } from "./redraw.js";
import { icon } from "./rows.js";
import { oneLine } from "./text.js";

/// How often a person who listens hears how far a file is.
const SAID_MS = 10_000;
const FOLDER = "A folder can be shared in a terminal: lattice file share FOLDER";
const stay = (event) => event.preventDefault();

export class Attach {
  /// Where files go: {query, to, secret}. `query`: {room} or {person}. `to`: such as `in #kitchen`. `secret`: who alone can read
  /// them, as a sentence; empty in public.
  #place = null;
  /// {file, name, type, size, place, state, sent, speed, fault, card}; the first that is no failure is on its way.
  #uploads = [];
  /// Ends what is on its way.
  #going = null;

  /// `files.learn(file)` gets what the node made of a file.
  constructor(app, files) {
    Object.assign(this, { app, files });
    this.input = make("input", { type: "file", multiple: true, hidden: true, tabindex: "-1", "aria-label": "Files to share" });
    this.input.addEventListener("change", () => {
      const files = [...this.input.files];
      if (this.input.hasAttribute("capture")) this.#addPhotos(files);
      else this.#add(files);
      this.input.value = "";
    });
    const ask = (isPhoto) => {
      setAttribute(this.input, "accept", isPhoto ? "image/*" : null);
      setAttribute(this.input, "capture", isPhoto ? "environment" : null);
      this.input.click();
    };
    this.button = make("button", { class: "icon-button", onclick: () => ask(false) }, icon("plus"));
    this.camera = make("button", { class: "icon-button takes-photo", "aria-label": "Take a photo", onclick: () => ask(true) }, icon("camera"));
    this.cards = make("ul", { class: "uploads", "aria-label": "Files on their way", hidden: true });
    this.target = make("p", { class: "drop-words", hidden: true });
    this.controls = [this.input, this.button, this.camera];
  }

  /// - Parameter place: `null` if there is none.
  show(place) {
    this.#place = place;
    this.button.hidden = this.camera.hidden = !place || !this.app.me.writable;
    const words = ["Attach files", place?.secret].filter(Boolean).join(". ");
    setAttribute(this.button, "aria-label", words);
    setAttribute(this.button, "title", words);
    this.#draw();
  }

  /// Takes what is dropped onto an element or pasted there.
  listen(element) {
    if (!this.app.me.writable) return;
    const hasFiles = ({ dataTransfer }) => Boolean(this.#place) && dataTransfer?.types.includes("Files");
    const over = (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setText(this.target, [`Drop to share ${this.#place.to}`, this.#place.secret].filter(Boolean).join(". "));
      this.target.hidden = false;
    };
    element.addEventListener("dragenter", over);
    element.addEventListener("dragover", over);
    element.addEventListener("dragleave", ({ relatedTarget }) => { if (!element.contains(relatedTarget)) this.target.hidden = true; });
    element.addEventListener("drop", (event) => {
      this.target.hidden = true;
      if (!hasFiles(event)) return;
      event.preventDefault();
      this.#add([...event.dataTransfer.files]);
    });
    element.addEventListener("paste", (event) => {
      const files = [...event.clipboardData?.files ?? []];
      // Office programs add a picture of the text.
      if (files.length === 0 || event.clipboardData.types.includes("text/plain")) return;
      event.preventDefault();
      this.#add(files, (file) => (/^(image\.\w+)?$/.test(file.name) ? this.#pastedName(file) : file.name));
    });
  }

  /// Phones call all photos that they take alike.
  async #addPhotos(files) {
    for (const file of files) {
      try {
        this.#add([await redrawn(file)], (photo) => this.#pastedName(photo));
      } catch {
        alarm("This photo cannot be read. Choose a JPEG, PNG or WebP.");
      }
    }
  }

  #pastedName({ type }) { return pastedName(type, new Date(this.app.now())); }

  #add(files, nameOf = (file) => file.name) {
    if (!this.#place) return;
    for (const file of files) {
      const upload = {
        file, name: oneLine(nameOf(file)) || "file", given: nameOf(file), type: file.type, size: file.size, place: this.#place,
        state: "waiting", sent: 0, speed: 0,
      };
      upload.card = new Card({ onAct: () => this.#again(upload), onStop: () => this.#cancel(upload) });
      upload.row = make("li", {}, upload.card.element);
      put(this.cards, upload.row);
      this.#uploads.push(upload);
    }
    this.#draw();
    this.#next();
  }

  #draw() {
    this.cards.hidden = this.#uploads.length === 0;
    for (const upload of this.#uploads) dressUpload(upload.card, upload, this.#place);
  }

  #next() {
    if (this.#going) return;
    const upload = this.#uploads.find((one) => one.state === "waiting");
    if (!upload) return;
    upload.state = "going";
    addEventListener("beforeunload", stay);
    say(`Uploading ${upload.name}.`);
    this.#send(upload);
    this.#draw();
  }

  async #send(upload) {
    const pace = new Pace();
    const stop = new AbortController();
    let said = performance.now();
    this.#going = stop;
    const onProgress = (sent) => {
      const now = performance.now();
      Object.assign(upload, { sent, speed: pace.take(sent, now) });
      dressUpload(upload.card, upload, this.#place);
      if (now - said < SAID_MS) return;
      said = now;
      say(`Uploading ${upload.name}, ${percent(sent, upload.size)} percent.`);
    };
    try {
      const path = `/files${queryText({ name: upload.given, ...upload.place.query })}`;
      this.files.learn(await this.app.api.upload(path, upload.file, { onProgress, signal: stop.signal }));
      this.#remove(upload);
      say(`${upload.name} is shared ${upload.place.to}.`);
    } catch (error) {
      if (!stop.signal.aborted) this.#fail(upload, error.code === "unreadable" ? `${error.message} ${FOLDER}` : error.message);
    }
    this.#going = null;
    removeEventListener("beforeunload", stay);
    this.#draw();
    this.#next();
  }

  #fail(upload, fault) {
    Object.assign(upload, { state: "failed", fault, sent: 0 });
    alarm(`${upload.name} is not shared. ${fault}`);
  }

  #again(upload) {
    Object.assign(upload, { state: "waiting", sent: 0, speed: 0, fault: "" });
    this.#draw();
    this.#next();
  }

  #cancel(upload) {
    const hadFocus = upload.row.contains(document.activeElement);
    const { state } = upload;
    this.#remove(upload);
    if (hadFocus) (this.cards.querySelector("button:not([hidden])") ?? this.button).focus();
    if (state !== "failed") say(`${upload.name} is not shared.`);
    if (state === "going") this.#going?.abort();
  }

  #remove(upload) {
    this.#uploads = this.#uploads.filter((one) => one !== upload);
    upload.row.remove();
    this.#draw();
  }
}
