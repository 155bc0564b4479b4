// What is urgent: a bar on top with who said it, until it is dismissed in any program of this person, and a sound where the
// person allowed one.

import { alarm, noteFault } from "./announce.js";
import { byId, make, replace, setAttribute } from "./dom.js";
import { SOUND_KEY, forget, keep, kept } from "./kept.js";
import { gathered } from "./latest.js";
import { icon, nameElement, wordsOf } from "./rows.js";
import { nameOf, oneLine } from "./text.js";
import { timeElement } from "./time.js";

/// Of something that was meant to be urgent.
export const AS_USUAL = "Sent as a usual message: you already sent three urgent ones in the last 24 hours.";
/// Between two sounds.
const QUIET_MS = 10_000;
/// As many as the node lists.
export const SHOWN_MAX = 3;

/// Newest first, without what is listed twice.
export const withNew = (shown, one) => [one, ...shown.filter((other) => other.record !== one.record)].slice(0, SHOWN_MAX);
export const without = (shown, ids) => shown.filter((one) => !ids.includes(one.record));

/// Two short tones. A browser plays them only once somebody has pressed something on the page.
export class Chime {
  #context = null;

  get isAllowed() { return kept(SOUND_KEY) === "on"; }

  allow(isAllowed) {
    if (isAllowed) keep(SOUND_KEY, "on");
    else forget(SOUND_KEY);
    if (isAllowed) this.play();
  }

  play() {
    if (!this.isAllowed || typeof AudioContext === "undefined") return;
    this.#context ??= new AudioContext();
    this.#context.resume().then(() => [0, 0.25].forEach((wait) => this.#tone(wait))).catch(() => {});
  }

  #tone(wait) {
    const start = this.#context.currentTime + wait;
    const [tone, volume] = [this.#context.createOscillator(), this.#context.createGain()];
    tone.frequency.value = 880;
    volume.gain.setValueAtTime(0.2, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.2);
    tone.connect(volume).connect(this.#context.destination);
    tone.start(start);
    tone.stop(start + 0.2);
  }
}

export class Urgent {
  #shown = [];
  #heardAt = 0;
  chime = new Chime();

  constructor(app) {
    this.app = app;
    this.refresh = gathered(() => this.#load());
  }

  async #load() {
    if (!this.app.me.writable) return;
    try {
      this.#show((await this.app.api.get("/urgent")).items);
    } catch {
      // The bar stays as it was.
    }
  }

  heard(one) {
    this.#show(withNew(this.#shown, one));
    this.refresh();
    // Many at once are one sound.
    if (this.app.now() - this.#heardAt > QUIET_MS) this.chime.play();
    this.#heardAt = this.app.now();
    alarm(`Urgent, by ${nameOf(one.by)}: ${oneLine(words(one))}`);
  }

  /// Dismissed in any program, or deleted by its author.
  went(ids) {
    this.#show(without(this.#shown, ids));
    this.refresh();
  }

  /// Something that is shown may have been edited or deleted.
  changed() { if (this.#shown.length > 0) this.refresh(); }

  async #dismiss(one) {
    try {
      await this.app.api.post("/urgent/dismissed", { record: one.record });
      this.went([one.record]);
    } catch (error) {
      noteFault(error);
    }
  }

  #show(shown) {
    this.#shown = shown;
    const bar = byId("urgent-bar");
    bar.hidden = shown.length === 0;
    replace(bar, shown.map((one) => this.#row(one)));
  }

  #row(one) {
    const close = make("button", { class: "button small", onclick: () => this.#dismiss(one) }, "Got it");
    setAttribute(close, "aria-label", `Got it: what ${nameOf(one.by)} said`);
    return make("div", { class: "urgent-row" }, icon("warn"),
      make("div", { class: "grow" }, make("a", { href: target(one) }, make("span", { class: "unseen" }, "Urgent: "), make("bdi", {}, oneLine(words(one)))),
        make("p", { class: "by-line" }, nameElement(one.by), one.room ? ` in ${oneLine(one.room)}, ` : ", ", timeElement(one.at, this.app.now()))),
      close);
  }
}

const words = (one) => (one.item ? wordsOf(one.item) : one.text ?? "");
const target = (one) => (one.item ? `#/item/${one.item.id}` : `#/rooms/${encodeURIComponent((one.room ?? "").slice(1))}`);
