// Files that a person shares in a room: chosen, dropped onto the conversation or pasted, and sent one after the other.

import { alarm, note, say } from "./announce.js";
import { errorOf, queryText, unreachable } from "./api.js";
import { Pace, pastedName, percent } from "./bytes.js";
import { make, put, setText } from "./dom.js";
import { Card, dressUpload } from "./filecard.js";
import { icon } from "./rows.js";
import { oneLine } from "./text.js";

/// How often a person who listens hears how far a file is.
const SAID_MS = 10_000;
const IN_PRIVATE = "Files can be shared in public rooms only.";
const FOLDER = "It cannot be read. A folder can be shared in a terminal: lattice file share FOLDER";

export class Attach {
  #room = null;
  #isPublic = false;
  /// {file, name, type, size, room, state, sent, speed, fault, card}; the first that is no failure is on its way.
  #uploads = [];
  #request = null;

  /// `files.learn(file)` gets what the node made of a file.
  constructor(app, files) {
    Object.assign(this, { app, files });
    this.input = make("input", { type: "file", multiple: true, hidden: true, tabindex: "-1", "aria-label": "Files to share" });
    this.input.addEventListener("change", () => {
      this.#add([...this.input.files]);
      this.input.value = "";
    });
    this.button = make("button", {
      type: "button", class: "attach-act", "aria-label": "Attach files", title: "Attach files", onclick: () => this.input.click(),
    }, icon("attach"));
    this.cards = make("ul", { class: "uploads", "aria-label": "Files on their way", hidden: true });
    this.target = make("p", { class: "drop-words", hidden: true });
    this.controls = [this.input, this.button];
    addEventListener("beforeunload", (event) => { if (this.#request) event.preventDefault(); });
  }

  /// - Parameter isPublic: `null` if that is not known yet.
  show(room, isPublic) {
    this.#room = room;
    this.#isPublic = isPublic === true;
    this.button.hidden = isPublic === false || !this.app.me.writable;
    this.button.disabled = !this.#isPublic;
    this.#draw();
  }

  /// Takes what is dropped onto an element or pasted there.
  listen(element) {
    if (!this.app.me.writable) return;
    const hasFiles = ({ dataTransfer }) => Boolean(this.#room) && dataTransfer?.types.includes("Files");
    const over = (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = this.#isPublic ? "copy" : "none";
      setText(this.target, this.#isPublic ? `Drop to share in ${oneLine(this.#room)}` : IN_PRIVATE);
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
      this.#add(files, (file) => (/^(image\.\w+)?$/.test(file.name) ? pastedName(file.type, new Date(this.app.now())) : file.name));
    });
  }

  #add(files, nameOf = (file) => file.name) {
    if (files.length === 0) return;
    if (!this.#isPublic) {
      note(IN_PRIVATE, { bad: true });
      return;
    }
    for (const file of files) {
      const upload = {
        file, name: oneLine(nameOf(file)) || "file", given: nameOf(file), type: file.type, size: file.size, room: this.#room,
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
    for (const upload of this.#uploads) dressUpload(upload.card, upload, this.#room);
  }

  #next() {
    if (this.#request) return;
    const upload = this.#uploads.find((one) => one.state === "waiting");
    if (!upload) return;
    upload.state = "going";
    say(`Uploading ${upload.name}.`);
    this.#send(upload);
    this.#draw();
  }

  #send(upload) {
    const request = new XMLHttpRequest();
    const pace = new Pace();
    let said = performance.now();
    this.#request = request;
    request.open("POST", `/v1/files${queryText({ name: upload.given, room: upload.room })}`);
    for (const [name, value] of Object.entries(this.app.api.headers)) request.setRequestHeader(name, value);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.addEventListener("progress", ({ loaded }) => {
      const now = performance.now();
      Object.assign(upload, { sent: loaded, speed: pace.take(loaded, now) });
      dressUpload(upload.card, upload, this.#room);
      if (now - said < SAID_MS) return;
      said = now;
      say(`Uploading ${upload.name}, ${percent(loaded, upload.size)} percent.`);
    });
    request.addEventListener("load", () => this.#answered(upload, request));
    request.addEventListener("error", () => this.#broke(upload));
    request.addEventListener("abort", () => this.#over());
    request.send(upload.file);
  }

  #answered(upload, request) {
    let answer = {};
    try {
      answer = JSON.parse(request.responseText);
    } catch {
      // The status says enough.
    }
    if (request.status !== 201) {
      this.#fail(upload, errorOf(request.status, answer).message);
      return;
    }
    this.files.learn(answer);
    this.#remove(upload);
    say(`${upload.name} is shared in ${oneLine(upload.room)}.`);
    this.#over();
  }

  /// A browser does not say whether the file or the node is the reason.
  async #broke(upload) {
    let words = unreachable().message;
    try {
      await upload.file.slice(0, 1).arrayBuffer();
    } catch {
      words = FOLDER;
    }
    this.#fail(upload, words);
  }

  #fail(upload, fault) {
    Object.assign(upload, { state: "failed", fault, sent: 0 });
    alarm(`${upload.name} is not shared. ${fault}`);
    this.#over();
  }

  #over() {
    this.#request = null;
    this.#draw();
    this.#next();
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
    if (state === "going") this.#request?.abort();
  }

  #remove(upload) {
    this.#uploads = this.#uploads.filter((one) => one !== upload);
    upload.row.remove();
    this.#draw();
  }
}
