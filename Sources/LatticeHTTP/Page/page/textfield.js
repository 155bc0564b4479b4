// A text to be written, with a counter that counts as readers do.

import { make, setAttribute, setText } from "./dom.js";
import { clusters, counted } from "./text.js";

let fields = 0;

export class TextField {
  constructor({ label, max, rows = 4, value = "", placeholder = "", isHidden = false }) {
    const id = `text-${(fields += 1)}`;
    this.max = max;
    this.input = make("textarea", { id, rows, placeholder, dir: "auto", "aria-describedby": `${id}-count ${id}-fault` });
    this.input.value = value;
    this.counter = make("span", { class: "counter", id: `${id}-count` });
    this.fault = make("p", { class: "fault", id: `${id}-fault`, role: "alert" });
    this.element = make("div", { class: "field" }, make("label", { for: id, class: isHidden ? "unseen" : null }, label),
      this.input, this.counter, this.fault);
    this.input.addEventListener("input", () => this.#count());
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.input.form?.requestSubmit();
    });
    this.#count();
  }

  get value() { return this.input.value; }
  set value(text) {
    this.input.value = text;
    this.#count();
  }

  /// The text, or `null` with a word why it cannot be sent.
  take() {
    const text = this.input.value.trim().normalize("NFC");
    const over = clusters(text) - this.max;
    this.say(text === "" ? "Write something first." : over > 0 ? `${counted(over, "character")} too many. Make it shorter.` : "");
    if (this.fault.textContent) this.input.focus();
    return this.fault.textContent ? null : text;
  }

  say(words) {
    setText(this.fault, words);
    setAttribute(this.input, "aria-invalid", words ? "true" : null);
  }

  clear() {
    this.value = "";
    this.say("");
  }

  focus() { this.input.focus(); }

  #count() {
    const left = this.max - clusters(this.input.value.trim());
    setText(this.counter, left >= 0 ? `${left} left` : `${-left} too many`);
    this.counter.classList.toggle("near", left >= 0 && left <= this.max / 5);
    this.counter.classList.toggle("over", left < 0);
    if (left >= 0 && this.fault.textContent) this.say("");
  }
}
