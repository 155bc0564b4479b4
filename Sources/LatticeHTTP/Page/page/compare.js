// Whether a person is who they say: both see the same number, made of both their keys, unless somebody stands between them.

import { noteFault, say } from "./announce.js";
import { make, replace, setText } from "./dom.js";
import { icon } from "./rows.js";
import { nameOf } from "./text.js";

const SAME = "Stand next to each other. Both screens must show the same number.";

/// A card for one person. `show(person)` draws it; it asks for the number once.
export class CompareCard {
  #number = null;
  #isDifferent = false;
  /// Whether the number of a person who is verified is shown once more.
  #isOpen = false;
  #hasWords = false;

  constructor(app, person) {
    Object.assign(this, { app, person });
    this.title = make("h3");
    this.words = make("p", { class: "hint" });
    this.number = make("p", { class: "compare-number", dir: "ltr" });
    this.form = make("button", { class: "button small", onclick: () => {
      this.#hasWords = !this.#hasWords;
      this.#draw();
    } });
    this.acts = make("div", { class: "inline" },
      make("button", { class: "button primary", onclick: () => this.#answer(true) }, "It’s the same"),
      make("button", { class: "button", onclick: () => this.#answer(false) }, "It’s different"));
    this.again = make("button", { class: "button small", onclick: () => {
      this.#isOpen = true;
      this.#draw();
    } }, "Compare again");
    this.warning = make("p", { class: "fault", role: "alert", hidden: true });
    this.element = make("section", { class: "compare", hidden: true }, make("div", { class: "compare-head" }, icon("shield"),
      make("div", {}, this.title, this.words)), this.number, this.form, this.acts, this.again, this.warning);
    this.#ask();
  }

  async #ask() {
    try {
      this.#number = await this.app.api.get(`/people/${this.person.id}/number`);
      this.#draw();
    } catch {
      // Without the number there is nothing to compare.
    }
  }

  show(person) {
    this.person = person;
    this.#draw();
  }

  #draw() {
    this.element.hidden = this.#number === null;
    if (this.element.hidden) return;
    const name = nameOf(this.person);
    const isVerified = this.app.marks.isVerified(this.person.id);
    const isShown = !isVerified || this.#isOpen;
    setText(this.title, isVerified ? `You verified ${name}` : `Is this really ${name}?`);
    setText(this.words, isShown ? SAME : "You compared your numbers, and they were the same.");
    const shown = this.#hasWords ? this.#number.words : this.#number.groups;
    replace(this.number, shown.flatMap((group) => [make("span", {}, group), " "]));
    this.number.classList.toggle("words", this.#hasWords);
    setText(this.form, this.#hasWords ? "Show the number" : "Show words instead");
    for (const part of [this.number, this.form, this.acts]) part.hidden = !isShown;
    this.again.hidden = isShown;
    this.warning.hidden = !this.#isDifferent;
    setText(this.warning, this.#isDifferent ? `Do not trust this name. Ask ${name} for their code.` : "");
  }

  async #answer(isSame) {
    const { marks } = this.app;
    const { id } = this.person;
    try {
      if (isSame || marks.isVerified(id)) await marks.verify(id, isSame);
      this.#isDifferent = !isSame;
      this.#isOpen = false;
      if (isSame) say(`You verified ${nameOf(this.person)}.`);
    } catch (error) {
      noteFault(error);
    }
    this.#draw();
  }
}
