// Where a person writes in a room: a new line, an answer, or another text for a line of their own.

import { say } from "./announce.js";
import { make, setAttribute, setText } from "./dom.js";
import { icon } from "./rows.js";
import { nameOf, oneLine } from "./text.js";

/// Lines of text that the field shows before it scrolls.
const ROWS_MAX = 6;
const PHONE = matchMedia("(hover: none)");

export class Speaker {
  /// {kind: "answer" or "edit", line}, or `null`.
  #mode = null;
  /// What stood in the field before a line was edited.
  #draft = "";
  #room = null;

  /// `send(text, mode)` gets what was written. `lastOwn()`: the line that the arrow up edits, or `null`. `controls` stand
  /// before the field. `drafts`: what was begun in each room.
  constructor({ send, lastOwn, drafts, controls = [] }) {
    Object.assign(this, { send, lastOwn, drafts });
    this.words = make("bdi", { class: "grow", id: "say-mode" });
    this.stop = make("button", { class: "icon-button", onclick: () => this.cancel() }, icon("close"));
    this.bar = make("div", { class: "say-mode", hidden: true }, this.words, this.stop);
    this.input = make("textarea", { rows: 1, dir: "auto", "aria-label": "Message", placeholder: "Message" });
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("input", () => this.#written());
    this.button = make("button", { type: "submit", class: "send", "aria-label": "Send", title: "Send" }, icon("send"));
    this.hint = make("span", { class: "say-hint has-keys", "aria-hidden": "true" }, "Enter sends, Shift + Enter adds a line");
    this.element = make("form", { class: "say", onsubmit: (event) => { event.preventDefault(); this.#send(); } },
      this.bar, make("div", { class: "say-in" }, controls, this.input, this.hint, this.button));
  }

  /// Writes in another room: what was begun there comes back. An answer belongs to its room.
  enter(room, name) {
    setAttribute(this.input, "placeholder", `Message ${oneLine(name)}`);
    if (room === this.#room) return;
    this.cancel();
    this.#room = room;
    this.#set(room ? this.drafts.of(room) : "");
  }

  #set(text) {
    this.input.value = text;
    this.#written();
  }

  #written() {
    const { style } = this.input;
    style.height = "auto";
    // Not shown yet, it has no height.
    if (this.input.scrollHeight > 0) style.height = `${this.input.scrollHeight + this.input.offsetHeight - this.input.clientHeight}px`;
    style.maxHeight = `${ROWS_MAX * 1.375 + 1.25}rem`;
    this.button.classList.toggle("off", this.input.value.trim() === "");
    this.hint.hidden = this.input.value !== "";
    if (this.#room && this.#mode?.kind !== "edit") this.drafts.set(this.#room, this.input.value);
  }

  answer(line) {
    this.cancel();
    this.#begin({ kind: "answer", line }, `Answering ${nameOf(line.from)}: ${oneLine(line.text)}`, "Stop answering");
  }

  edit(line) {
    this.cancel();
    this.#draft = this.input.value;
    this.#begin({ kind: "edit", line }, "Editing your message", "Stop editing");
    this.#set(line.text);
    this.input.setSelectionRange(line.text.length, line.text.length);
  }

  /// Writes a new line again. What was written before an edit comes back.
  cancel() {
    const before = this.#mode?.kind === "edit" ? this.#draft : null;
    this.#end();
    if (before !== null) this.#set(before);
  }

  /// What was refused comes back to where it was written, unless something else is written there by now.
  restore(text, mode) {
    if (this.input.value !== "" || this.#mode) return;
    if (mode?.kind === "answer") this.answer(mode.line);
    if (mode?.kind === "edit") this.edit(mode.line);
    this.#set(text);
  }

  #begin(mode, words, stop) {
    this.#mode = mode;
    setText(this.words, words);
    setAttribute(this.stop, "aria-label", stop);
    setAttribute(this.stop, "title", stop);
    setAttribute(this.input, "aria-describedby", "say-mode");
    setAttribute(this.button, "aria-label", mode.kind === "edit" ? "Save" : "Send");
    this.bar.hidden = false;
    this.input.focus();
    say(words);
  }

  #end() {
    this.#mode = null;
    this.#draft = "";
    this.bar.hidden = true;
    setAttribute(this.input, "aria-describedby", null);
    setAttribute(this.button, "aria-label", "Send");
  }

  #send() {
    const typed = this.input.value.trim();
    const mode = this.#mode;
    if (typed === "") return;
    this.#set("");
    this.cancel();
    this.send(typed, mode);
  }

  #key(event) {
    if (event.isComposing) return;
    if (event.key === "Escape" && this.#mode) this.cancel();
    // A keyboard on a screen has no Shift+Enter: there a button sends.
    else if (event.key === "Enter" && !event.shiftKey && !PHONE.matches) this.#send();
    else if (event.key === "ArrowUp" && this.input.value === "" && !this.#mode && this.lastOwn()) this.edit(this.lastOwn());
    else return;
    event.preventDefault();
  }
}
