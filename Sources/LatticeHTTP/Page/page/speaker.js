// Where a person writes in a room: a new line, an answer, or another text for a line of their own.

import { say } from "./announce.js";
import { make, setAttribute, setText } from "./dom.js";
import { icon } from "./rows.js";
import { nameOf, oneLine } from "./text.js";

export class Speaker {
  /// {kind: "answer" or "edit", line}, or `null`.
  #mode = null;
  /// What stood in the field before a line was edited.
  #draft = "";

  /// `send(text, mode)` gets what was written. `lastOwn()`: the line that the arrow up edits, or `null`. `controls` stand
  /// before the field.
  constructor({ send, lastOwn, controls = [] }) {
    Object.assign(this, { send, lastOwn });
    this.words = make("bdi", { class: "grow", id: "say-mode" });
    this.stop = make("button", { class: "line-act", onclick: () => this.cancel() }, icon("close"));
    this.bar = make("div", { class: "say-mode", hidden: true }, this.words, this.stop);
    this.input = make("textarea", { rows: 1, dir: "auto", "aria-label": "Message", placeholder: "Message" });
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.button = make("button", { type: "submit", class: "button primary" }, "Send");
    this.element = make("form", { class: "say", onsubmit: (event) => { event.preventDefault(); this.#send(); } },
      this.bar, make("div", { class: "say-in" }, controls, this.input, this.button));
  }

  set room(name) {
    setAttribute(this.input, "placeholder", `Message ${oneLine(name)}`);
  }

  answer(line) {
    this.cancel();
    this.#begin({ kind: "answer", line }, `Answering ${nameOf(line.from)}: ${oneLine(line.text)}`, "Stop answering");
  }

  edit(line) {
    this.cancel();
    this.#draft = this.input.value;
    this.input.value = line.text;
    this.#begin({ kind: "edit", line }, "Editing your message", "Stop editing");
    this.input.setSelectionRange(line.text.length, line.text.length);
  }

  /// Writes a new line again. What was written before an edit comes back.
  cancel() {
    if (this.#mode?.kind === "edit") this.input.value = this.#draft;
    this.#end();
  }

  /// What was refused comes back to where it was written, unless something else is written there by now.
  restore(text, mode) {
    if (this.input.value !== "" || this.#mode) return;
    if (mode?.kind === "answer") this.answer(mode.line);
    if (mode?.kind === "edit") this.edit(mode.line);
    this.input.value = text;
  }

  #begin(mode, words, stop) {
    this.#mode = mode;
    setText(this.words, words);
    setAttribute(this.stop, "aria-label", stop);
    setAttribute(this.stop, "title", `${stop} (Esc)`);
    setAttribute(this.input, "aria-describedby", "say-mode");
    setText(this.button, mode.kind === "edit" ? "Save" : "Send");
    this.bar.hidden = false;
    this.input.focus();
    say(words);
  }

  #end() {
    this.#mode = null;
    this.#draft = "";
    this.bar.hidden = true;
    setAttribute(this.input, "aria-describedby", null);
    setText(this.button, "Send");
  }

  #send() {
    const typed = this.input.value.trim();
    const mode = this.#mode;
    if (typed === "") return;
    this.input.value = "";
    this.cancel();
    this.send(typed, mode);
  }

  #key(event) {
    if (event.isComposing) return;
    if (event.key === "Escape" && this.#mode) this.cancel();
    else if (event.key === "Enter" && !event.shiftKey) this.#send();
    else if (event.key === "ArrowUp" && this.input.value === "" && !this.#mode && this.lastOwn()) this.edit(this.lastOwn());
    else return;
    event.preventDefault();
  }
}
