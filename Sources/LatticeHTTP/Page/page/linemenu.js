// What can be done with a message: a sheet at the bottom of a phone, a small menu beside its button elsewhere.

import { note } from "./announce.js";
import { make, put, replace, setAttribute, setText } from "./dom.js";
import { icon } from "./rows.js";
import { isEmoji, oneLine, plain } from "./text.js";

export const USUAL = ["👍", "❤️", "😂", "🔥", "🙏", "🎉"];
const MENU_WIDTH = 264;
const EDGE = 8;

/// The usual emoji and a field for another one. `chosen(emoji, holds)`. `holds(emoji)`: whether the person gave it. `isFolded`: the
/// field comes when it is asked for.
export class EmojiPicker {
  constructor({ holds, chosen, isFolded = false }) {
    this.holds = holds;
    const fault = make("p", { class: "fault", role: "alert" });
    const field = make("input", {
      type: "text", class: "another-emoji", "aria-label": "Another emoji", placeholder: "Another", autocomplete: "off", maxlength: "16",
    });
    const other = make("form", { class: "inline", onsubmit: (event) => {
      event.preventDefault();
      const emoji = field.value.trim();
      const isOne = isEmoji(emoji);
      setText(fault, isOne ? "" : `${emoji === "" ? "That" : `“${oneLine(emoji)}”`} is not one emoji. Give one, such as 👍.`);
      setAttribute(field, "aria-invalid", isOne ? null : "true");
      if (isOne) chosen(emoji, true);
      else field.focus();
    } }, field, make("button", { type: "submit", class: "button small" }, "Add"));
    this.usual = USUAL.map((emoji) => [emoji, make("button", { class: "usual", onclick: () => chosen(emoji, !holds(emoji)) }, emoji)]);
    other.hidden = isFolded;
    const more = isFolded ? make("button", { class: "usual", "aria-label": "Another emoji", onclick: () => {
      other.hidden = false;
      field.focus();
    } }, icon("plus")) : null;
    this.element = make("div", { class: "emojis" }, make("div", { class: "usuals" }, this.usual.map(([, button]) => button), more), other, fault);
    this.dress();
  }

  dress() { for (const [emoji, button] of this.usual) setAttribute(button, "aria-pressed", String(this.holds(emoji))); }
  focus() { this.usual[0][1].focus({ preventScroll: true }); }
}

export class LineMenu {
  #row = null;

  /// `on`: as that of a row.
  constructor(on) {
    this.on = on;
    this.element = make("dialog", { class: "line-sheet", "aria-label": "Actions for this message" });
    this.element.addEventListener("close", () => this.#closed());
    // The menu opens beside the button.
    this.element.addEventListener("click", ({ target }) => { if (target === this.element) this.element.close(); });
    put(document.body, this.element);
  }

  /// - Parameter button: beside which it opens; `null` at the bottom of the screen.
  open(row, button = null) {
    this.#row = row;
    const { line, can } = row;
    const picker = button ? null : new EmojiPicker({ isFolded: true, holds: (emoji) => row.holds(emoji), chosen: (emoji, holds) => {
      this.element.close();
      this.on.react(line, emoji, holds);
    } });
    replace(this.element, can.react ? picker?.element : null, make("ul", {}, [
      can.reply ? this.#item("reply", "Reply", () => this.on.reply(line)) : null,
      line.deleted ? null : this.#item("copy", "Copy text", () => copy(line.text)),
      can.pin ? this.#item("tack", "Pin for everybody", () => this.on.pin(line)) : null,
      can.edit ? this.#item("edit", "Edit", () => this.on.edit(line)) : null,
      can.delete ? this.#item("delete", "Delete for everybody", () => this.on.remove(line)) : null,
    ]));
    this.element.classList.toggle("beside", Boolean(button));
    row.element.classList.add("open");
    this.element.showModal();
    this.#place(button);
  }

  #item(name, words, act) {
    return make("li", {}, make("button", { class: name === "delete" ? "danger" : null, onclick: () => {
      this.element.close();
      act();
    } }, icon(name), words));
  }

  /// Below the button, or above it where there is no room.
  #place(button) {
    const { style } = this.element;
    style.left = style.top = "";
    if (!button) return;
    const at = button.getBoundingClientRect();
    const height = this.element.offsetHeight;
    style.left = `${Math.max(EDGE, Math.min(at.right - MENU_WIDTH, innerWidth - MENU_WIDTH - EDGE))}px`;
    style.top = `${at.bottom + height + EDGE < innerHeight ? at.bottom + 4 : Math.max(EDGE, at.top - height - 4)}px`;
  }

  #closed() {
    this.#row?.element.classList.remove("open");
    this.#row = null;
    replace(this.element);
  }
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(plain(text));
    note("Copied.");
  } catch {
    note("This browser copies only on HTTPS pages. Mark the text to copy it.");
  }
}
