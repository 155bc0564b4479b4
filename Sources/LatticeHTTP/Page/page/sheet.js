// On a phone the list is a sheet over the map: a part of it, half of it, or all but the top. It is pulled by its head or moved by a button.

import { make, setAttribute } from "./dom.js";

/// Pixels of the list that are always seen, and of the map above it when it is whole.
const PEEK = 212;
const ABOVE = 72;
/// Movement in pixels that still counts as a press.
const SHAKE = 6;
/// How far ahead of a finger the sheet goes on, in milliseconds of its speed, and at most in pixels.
const AHEAD_MS = 160;
const AHEAD_MAX = 100;
const STOPS = ["peek", "half", "whole"];
const WORDS = { peek: "Show more of the list", half: "Show the whole list", whole: "Show the map" };

/// The pixels of each stop, from those that the map and the list have together.
export const stopsOf = (height) => {
  const whole = Math.max(PEEK, height - ABOVE);
  return { peek: Math.min(PEEK, whole), half: Math.min(whole, Math.max(PEEK, Math.round(height / 2))), whole };
};

/// Where a sheet that is let go of comes to rest: the stop nearest to where it would roll, `speed` in pixels a millisecond.
export function restOf(height, at, speed) {
  const stops = stopsOf(height);
  const goal = at + Math.max(-AHEAD_MAX, Math.min(AHEAD_MAX, speed * AHEAD_MS));
  return STOPS.reduce((best, name) => (Math.abs(stops[name] - goal) < Math.abs(stops[best] - goal) ? name : best));
}

export class Sheet {
  #stop = "peek";
  /// {y, height, last, time, speed} while a finger is on it.
  #pull = null;
  #hasPulled = false;

  /// `panel` is what moves over `stage`; `onStop(pixels)`: so much of the map lies under it.
  constructor({ panel, stage, onStop }) {
    Object.assign(this, { panel, stage, onStop });
    this.handle = make("button", { class: "sheet-handle", "aria-controls": "panel" });
    this.handle.addEventListener("click", () => this.#pressed());
    this.handle.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#apply()).observe(stage);
    // A quick finger leaves the head before the sheet follows.
    addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, (event) => this.#up(event));
    this.#apply();
  }

  get stop() { return this.#stop; }

  to(stop) {
    this.#stop = stop;
    if (stop !== "whole") this.panel.scrollTop = 0;
    this.#apply();
  }

  /// `head` pulls it, but for what can be pressed in it.
  pullBy(head) {
    head.append(this.handle);
    head.addEventListener("pointerdown", (event) => this.#down(event));
  }

  #apply() {
    const { height } = this.stage.getBoundingClientRect();
    if (height < 1) return;
    const stops = stopsOf(height);
    this.panel.style.setProperty("--sheet", `${stops[this.#stop]}px`);
    this.panel.dataset.stop = this.#stop;
    setAttribute(this.handle, "aria-label", WORDS[this.#stop]);
    setAttribute(this.handle, "aria-expanded", String(this.#stop === "whole"));
    // Under the whole list nothing of the map is seen: it stays as it was.
    this.onStop(this.isSheet ? Math.min(stops[this.#stop], stops.half) : 0);
  }

  /// Whether the list lies over the map at all.
  get isSheet() { return this.handle.checkVisibility(); }

  /// The stage is shown, or its width is another one.
  refresh() { this.#apply(); }

  #pressed() {
    if (this.#hasPulled) return;
    this.to(STOPS[(STOPS.indexOf(this.#stop) + 1) % STOPS.length]);
  }

  #key(event) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const next = STOPS[STOPS.indexOf(this.#stop) + (step ?? 0)];
    if (!step) return;
    event.preventDefault();
    if (next) this.to(next);
  }

  #down(event) {
    this.#hasPulled = false;
    if (!this.isSheet || event.button !== 0 || event.target.closest("a, input, select, label, button:not(.sheet-handle)")) return;
    const { height } = this.panel.getBoundingClientRect();
    this.#pull = { y: event.clientY, height, last: event.clientY, time: event.timeStamp, speed: 0 };
  }

  #move(event) {
    const pull = this.#pull;
    if (!pull) return;
    const up = pull.y - event.clientY;
    if (!this.#hasPulled && Math.abs(up) < SHAKE) return;
    this.#hasPulled = true;
    pull.speed = (pull.last - event.clientY) / Math.max(1, event.timeStamp - pull.time);
    Object.assign(pull, { last: event.clientY, time: event.timeStamp });
    const stops = stopsOf(this.stage.getBoundingClientRect().height);
    this.panel.dataset.pulled = "";
    this.panel.style.setProperty("--sheet", `${Math.max(stops.peek, Math.min(stops.whole, pull.height + up))}px`);
  }

  #up(event) {
    const pull = this.#pull;
    this.#pull = null;
    delete this.panel.dataset.pulled;
    if (!pull || !this.#hasPulled) return;
    const rested = event.timeStamp - pull.time > 100 ? 0 : pull.speed;
    this.to(restOf(this.stage.getBoundingClientRect().height, pull.height + pull.y - event.clientY, rested));
  }
}
