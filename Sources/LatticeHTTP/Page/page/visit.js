// Who is at this browser, and the sheet that asks for a name where people may come in without a token.

import { note, noteFault } from "./announce.js";
import { ApiError } from "./api.js";
import { labelled, line } from "./compose.js";
import { make, put, replace, setAttribute, setText } from "./dom.js";
import { VISIT_KEY, keep, kept } from "./kept.js";
import { Latest, gathered } from "./latest.js";
import { isSeenBy } from "./offline.js";
import { icon } from "./rows.js";
import { counted, nameOf, oneLine } from "./text.js";

const TYPED_MAX = 64;
/// Key files have less than a kilobyte.
const KEY_BYTES_MAX = 4_096;
export const COME_BACK = "Come back from another phone.";
export const WRITE_DOWN = "Write this code down. Anyone who has it is you.";

/// {me, visit}. Somebody who only looks around is nobody: what belongs to the owner of the node is not theirs.
export async function whoIsThere(api) {
  const [me, visit] = await Promise.all([api.get("/me"), api.get("/visit")]);
  api.isLooking = visit.open && !me.writable;
  if (visit.you && !visit.owner) keep(VISIT_KEY, visit.you.id);
  await isSeenBy(me.writable ? me.id : "");
  return { visit, me: api.isLooking ? { ...me, id: "", short: "", name: "" } : me };
}

/// Somebody came in with this browser, and the node lets nobody in any more.
export const isForgotten = ({ visit, me }) => !visit.open && !me.writable && kept(VISIT_KEY) !== null;

/// A recovery code, chosen as a whole with one click.
export const codeCard = (code) => make("p", { class: "code-card" }, make("code", {}, code));

export class NameSheet {
  /// {ask, resolve, reject}: what is written once somebody has a name.
  #waiting = [];
  #latest = new Latest();
  #isIn = false;
  /// Whether the person chooses their place after coming in.
  #isPlaceWanted = false;

  constructor(app) {
    this.app = app;
    this.element = make("dialog", { class: "sheet", "aria-labelledby": "sheet-title", onclose: () => this.#closed() });
    put(document.body, this.element);
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
    this.element.showModal();
    this.#askName();
  }

  #closed() {
    this.#latest.drop();
    // No code stays behind.
    replace(this.element);
    if (this.#isIn) return;
    for (const { reject } of this.#waiting.splice(0)) reject(new ApiError(401, "nameNeeded", "Come in under a name first."));
    this.app.lookAround();
  }

  #draw(title, ...parts) {
    const { people } = this.app.visit;
    replace(this.element, make("div", { class: "item-head" }, make("img", { src: "/page/icon.svg", alt: "", width: 44 }),
      make("div", {}, make("h2", { id: "sheet-title" }, make("bdi", {}, title)),
        make("p", { class: "soft" }, `Works without internet. ${counted(people, "person is", "people are")} here.`))), ...parts);
  }

  /// A field, a button that comes in, and `other`: what else can be done, as {words: act}. `parts` stand below the field.
  #step(label, come, other, ...parts) {
    this.#latest.drop();
    const field = line("visit-field", "", TYPED_MAX);
    const fault = make("p", { class: "fault", role: "alert" });
    const button = make("button", { class: "button primary wide", type: "submit" }, "Come in");
    const send = async (event) => {
      event.preventDefault();
      button.disabled = true;
      try {
        await come();
      } catch (error) {
        setText(fault, error.message);
      }
      button.disabled = false;
    };
    this.#draw(oneLine(this.app.visit.mesh), make("form", { class: "stack", onsubmit: send }, labelled(label, field), fault, ...parts, button),
      make("div", { class: "bar" }, Object.entries({ ...other, "Just look around": () => this.element.close() }).map(([words, onclick]) =>
        make("button", { class: "button quiet", onclick }, words))));
    field.focus();
    return { field, fault, button };
  }

  #askName() {
    const { api } = this.app;
    const state = make("span", { class: "free", role: "status" });
    const others = make("div", { class: "inline" });
    this.#isPlaceWanted = false;
    let proposed;
    const { field, fault, button } = this.#step("What’s your name?", async () => {
      try {
        const { you, code } = await api.post("/visit", { name: proposed ?? field.value });
        this.#showCode(you, code);
        await this.#cameIn();
      } catch (error) {
        if (error.code !== "nameTaken") throw error;
        show(false, error.errors.map(({ reason }) => reason));
      }
    }, { "I’ve been here before": () => this.#askCode() }, others, this.#placeChoice());
    put(field.parentElement, state);

    function show(isFree, proposals = []) {
      [proposed] = proposals;
      replace(state, isFree ? [icon("check"), "Free"] : "");
      setText(fault, proposed ? `There is already a ${oneLine(field.value)} here.` : "");
      setAttribute(field, "aria-invalid", proposed ? "true" : null);
      setText(button, proposed ? `Come in as ${proposed}` : "Come in");
      replace(others, proposals.map((name) => make("button", { class: "button", onclick: () => {
        field.value = name;
        show(true);
        button.focus();
      } }, `Use ${name}`)));
    }

    const check = gathered(async () => {
      const name = field.value;
      if (name.trim() === "") return;
      try {
        const latest = await this.#latest.run((signal) => api.get("/visit/name", { name }, signal));
        if (latest && field.value === name) show(latest.answer.free, latest.answer.proposals);
      } catch (error) {
        setText(fault, error.message);
      }
    });
    field.addEventListener("input", () => {
      show(false);
      check();
    });
  }

  #askCode() {
    const { field } = this.#step("Type your recovery code.", async () => {
      const { you } = await this.app.api.post("/visit/return", { code: field.value });
      await this.#cameIn();
      this.element.close();
      note(`Welcome back, ${nameOf(you)}.`);
    }, { "I’m new here": () => this.#askName(), "I have a password": () => this.#askPassword(), "I have a key": () => this.#askKey() });
  }

  #askPassword() {
    const password = make("input", { type: "password", id: "visit-password", autocomplete: "current-password" });
    const { field } = this.#step("Your name", async () => {
      const { you } = await this.app.api.post("/visit/return", { name: field.value.trim(), password: password.value });
      await this.#cameIn();
      this.element.close();
      note(`Welcome back, ${nameOf(you)}.`);
    }, { "I have a code": () => this.#askCode() }, labelled("Your password", password));
  }

  /// The key file of another camp or a laptop. Whose key is here already needs no name.
  #askKey() {
    const file = make("input", { type: "file", id: "visit-key" });
    const passphrase = make("input", { type: "password", id: "visit-passphrase", autocomplete: "off" });
    const { field } = this.#step("Your name here", async () => {
      const [chosen] = file.files;
      if (!chosen || chosen.size > KEY_BYTES_MAX) throw new ApiError(0, "noKey", "Choose the file with your key.");
      const name = field.value.trim();
      const { you, code } = await this.app.api.post("/visit/import", {
        key: await chosen.text(), passphrase: passphrase.value, ...(name ? { name } : {}),
      });
      if (code) this.#showCode(you, code);
      await this.#cameIn();
      if (code) return;
      this.element.close();
      note(`Welcome back, ${nameOf(you)}.`);
    }, { "I have a code": () => this.#askCode() }, labelled("The file with your key", file), labelled("Its passphrase", passphrase));
  }

  /// Where somebody is, they say once they are in: the place stays in this browser.
  #placeChoice() {
    const choice = (words, isWanted) => make("label", {}, make("input", {
      type: "radio", name: "visit-place", checked: !isWanted, onchange: () => { this.#isPlaceWanted = isWanted; },
    }), make("span", {}, words));
    return make("fieldset", { class: "choice-set" }, make("legend", {}, "Where are you?"), make("p", { class: "hint" }, "Stays on this phone"),
      make("div", { class: "choice" }, choice("Choose next", true), choice("Skip", false)));
  }

  #showCode(you, code) {
    const done = make("button", { class: "button primary wide", onclick: () => {
      this.element.close();
      if (this.#isPlaceWanted) this.app.go("#/here");
    } }, "I wrote it down");
    this.#draw(nameOf(you), make("p", {}, `${COME_BACK} ${WRITE_DOWN}`), codeCard(code), done);
    done.focus();
  }

  /// What waited is written first, so that the page shows it.
  async #cameIn() {
    this.#isIn = true;
    this.app.api.isLooking = false;
    await Promise.all(this.#waiting.splice(0).map(({ ask, resolve, reject }) => ask().then(resolve, reject)));
    await this.app.become().catch(noteFault);
  }
}
