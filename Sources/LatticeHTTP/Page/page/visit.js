// Who is at this browser, and the sheet that asks for a name where people may come in without a token.

import { note, noteFault } from "./announce.js";
import { ApiError } from "./api.js";
import { line } from "./compose.js";
import { make, replace, setAttribute, setText } from "./dom.js";
import { VISIT_KEY, keep, kept } from "./kept.js";
import { Latest, gathered } from "./latest.js";
import { icon } from "./rows.js";
import { counted, nameOf, oneLine } from "./text.js";

const NAME_MAX = 63;
const CODE_MAX = 64;
const WRITE_DOWN = "Come back from another phone. Write this code down. Anyone who has it is you.";
const nameNeeded = () => new ApiError(401, "nameNeeded", "Come in under a name first.");

/// {me, visit}. Who only looks around is nobody: what belongs to the owner of the node is not theirs.
export async function whoIsThere(api) {
  const [me, visit] = await Promise.all([api.get("/me"), api.get("/visit")]);
  api.isLooking = visit.open && !me.writable;
  if (visit.you) keep(VISIT_KEY, visit.you.id);
  return { visit, me: api.isLooking ? { ...me, id: "", short: "", name: "" } : me };
}

/// Somebody came in with this browser, and the node lets nobody in any more.
export const isForgotten = ({ visit, me }) => !visit.open && !me.writable && kept(VISIT_KEY) !== null;

/// A recovery code, and a way to copy it where the browser allows that.
export function codeCard(code) {
  const words = make("code", { class: "code" }, code);
  const copy = make("button", { class: "button small", onclick: async () => {
    await navigator.clipboard.writeText(code);
    note("Copied.");
  } }, "Copy");
  return make("div", { class: "code-card" }, words, navigator.clipboard ? copy : null);
}

export const codeWords = () => make("p", { class: "soft" }, WRITE_DOWN);

export class NameSheet {
  /// {ask, resolve, reject}: what is written once somebody has a name.
  #waiting = [];
  #latest = new Latest();
  #isIn = false;

  constructor(app) {
    this.app = app;
    this.element = make("dialog", { class: "sheet", "aria-labelledby": "sheet-title", onclose: () => this.#closed() });
    document.body.append(this.element);
  }

  /// Does what `ask` asks for; without a name, after somebody came in.
  async write(ask) {
    if (!this.app.api.isLooking) {
      try {
        return await ask();
      } catch (error) {
        if (error.code !== "nameNeeded") throw error;
      }
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ask, resolve, reject });
      this.open();
    });
  }

  open() {
    if (this.element.open) return;
    this.#isIn = false;
    this.#drawName();
    this.element.showModal();
    this.element.querySelector("input").focus();
  }

  #closed() {
    this.#latest.drop();
    // No code stays behind.
    replace(this.element);
    if (this.#isIn) return;
    for (const { reject } of this.#waiting.splice(0)) reject(nameNeeded());
    this.app.lookAround();
  }

  #draw(title, ...parts) {
    replace(this.element, make("div", { class: "sheet-head" }, make("img", { src: "/page/icon.svg", alt: "", width: 44, height: 44 }),
      make("div", {}, make("h2", { id: "sheet-title" }, title), this.#about())), ...parts);
  }

  #about() {
    const { people } = this.app.visit;
    const here = people > 0 ? ` ${counted(people, "person is", "people are")} here.` : "";
    return make("p", { class: "soft" }, `Works without internet.${here}`);
  }

  get #camp() { return make("bdi", {}, oneLine(this.app.visit.mesh)); }

  #drawName() {
    const name = line("visit-name", "", NAME_MAX);
    const state = make("span", { class: "free", role: "status" });
    const fault = make("p", { class: "fault", id: "visit-fault", role: "alert" });
    const others = make("div", { class: "inline" });
    const button = make("button", { type: "submit", class: "button primary wide" }, "Come in");
    let proposed = null;
    const free = (isFree) => replace(state, isFree ? [icon("check"), "Free"] : "");
    const taken = (proposals) => {
      proposed = proposals[0] ?? null;
      const words = proposed === null ? "" : `There is already a ${oneLine(name.value)} here.`;
      setText(fault, words);
      setAttribute(name, "aria-invalid", words ? "true" : null);
      replace(others, proposals.map((one) => make("button", { class: "button", onclick: () => {
        name.value = one;
        taken([]);
        free(true);
        button.focus();
      } }, `Use ${one}`)));
      setText(button, proposed === null ? "Come in" : `Come in as ${proposed}`);
    };
    const check = gathered(async () => {
      const typed = name.value.trim();
      if (typed === "") return;
      try {
        const latest = await this.#latest.run((signal) => this.app.api.get("/visit/name", { name: typed }, signal));
        if (!latest || name.value.trim() !== typed) return;
        free(latest.answer.free);
        taken(latest.answer.proposals);
      } catch (error) {
        setText(fault, error.message);
      }
    }, 250);
    name.addEventListener("input", () => {
      taken([]);
      free(false);
      check();
    });
    const come = async () => {
      const wanted = proposed ?? name.value.trim();
      if (wanted === "") {
        setText(fault, "Type a name.");
        name.focus();
        return;
      }
      await this.#busy(button, fault, async () => {
        try {
          const { you, code } = await this.app.api.post("/visit", { name: wanted });
          this.#drawCode(you, code);
          await this.#cameIn();
        } catch (error) {
          if (error.code !== "nameTaken") throw error;
          name.value = wanted;
          free(false);
          taken(error.errors.map(({ reason }) => reason));
        }
      });
    };
    setAttribute(name, "aria-describedby", "visit-fault");
    this.#draw(this.#camp, this.#form(come, make("div", { class: "field" }, make("label", { for: name.id }, "What’s your name?"),
      make("div", { class: "with-state" }, name, state)), fault, others, button),
    this.#foot(["I’ve been here before", () => this.#drawReturn()]));
  }

  #drawReturn() {
    this.#latest.drop();
    const code = line("visit-code", "", CODE_MAX);
    for (const [name, value] of [["autocapitalize", "none"], ["spellcheck", "false"]]) setAttribute(code, name, value);
    const fault = make("p", { class: "fault", role: "alert" });
    const button = make("button", { type: "submit", class: "button primary wide" }, "Come in");
    const come = () => this.#busy(button, fault, async () => {
      const { you } = await this.app.api.post("/visit/return", { code: code.value });
      await this.#cameIn();
      this.element.close();
      note(`Welcome back, ${nameOf(you)}.`);
    });
    this.#draw(this.#camp, this.#form(come, make("div", { class: "field" },
      make("label", { for: code.id }, "Type your recovery code."), code), fault, button),
    this.#foot(["I’m new here", () => {
      this.#drawName();
      this.element.querySelector("input").focus();
    }]));
    code.focus();
  }

  #drawCode(you, code) {
    const done = make("button", { class: "button primary wide", onclick: () => this.element.close() }, "I wrote it down");
    this.#draw(make("bdi", {}, nameOf(you)), codeWords(), codeCard(code), done);
    done.focus();
  }

  #form(onsubmit, ...parts) {
    return make("form", { class: "stack", novalidate: true, onsubmit: (event) => { event.preventDefault(); onsubmit(); } }, ...parts);
  }

  #foot([words, onclick]) {
    return make("div", { class: "sheet-foot" }, make("button", { class: "button quiet", onclick }, words),
      make("button", { class: "button quiet", onclick: () => this.element.close() }, "Just look around"));
  }

  async #busy(button, fault, act) {
    if (button.disabled) return;
    button.disabled = true;
    setText(fault, "");
    try {
      await act();
    } catch (error) {
      setText(fault, error.message);
    }
    button.disabled = false;
  }

  /// What waited is written first: what is shown afterwards has it.
  async #cameIn() {
    this.#isIn = true;
    this.app.api.isLooking = false;
    await Promise.all(this.#waiting.splice(0).map(({ ask, resolve, reject }) => ask().then(resolve, reject)));
    try {
      await this.app.become();
    } catch (error) {
      noteFault(error);
    }
  }
}
