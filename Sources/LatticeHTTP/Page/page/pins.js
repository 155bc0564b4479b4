// The pins on the map: one element an item. When results change, those that stay are not touched.

import { make, setAttribute, setText } from "./dom.js";
import { whereText } from "./geo.js";
import { project } from "./projection.js";
import { colourOf, initial, inkOn, nameOf, oneLine } from "./text.js";
import { difference } from "./poststate.js";

export class Pins {
  #pins = new Map();
  #items = [];
  #selected = null;
  #raised = null;

  /// `onSelect(id)` when one is chosen, `onOpen(id)` when one that is chosen is chosen again.
  constructor(layer, { onSelect, onOpen, photos }) {
    Object.assign(this, { layer, onSelect, onOpen, photos });
    layer.addEventListener("keydown", (event) => this.#key(event));
  }

  show(items, view) {
    const shown = items.filter((item) => item.lat !== undefined && !item.state.startsWith("deleted"));
    const { added, changed, removed } = difference(this.#items, shown);
    for (const item of removed) {
      const { element } = this.#pins.get(item.id);
      // Who stands on a pin that goes stands on the map then, not nowhere.
      if (element === document.activeElement) this.layer.closest("[tabindex]")?.focus();
      element.remove();
      this.#pins.delete(item.id);
    }
    for (const item of added) this.#add(item, view);
    for (const item of changed) {
      const pin = this.#pins.get(item.id);
      const hasMoved = pin.item.lat !== item.lat || pin.item.lon !== item.lon;
      pin.item = item;
      this.#dress(pin);
      if (hasMoved) this.#move(pin, view);
    }
    this.#items = shown;
    this.#rove();
  }

  /// The view is another one: all of them stand elsewhere.
  moveAll(view) {
    for (const pin of this.#pins.values()) this.#move(pin, view);
  }

  select(id) {
    if (id === this.#selected) return;
    this.#mark(this.#selected, "selected", false);
    this.#selected = id;
    this.#mark(id, "selected", true);
    this.#rove();
  }

  /// The pin whose row the pointer or the keyboard is at.
  raise(id) {
    if (id === this.#raised) return;
    this.#mark(this.#raised, "raised", false);
    this.#raised = id;
    this.#mark(id, "raised", true);
  }

  #mark(id, name, isOn) {
    const pin = this.#pins.get(id);
    if (!pin) return;
    pin.element.classList.toggle(name, isOn);
    if (name === "selected") setAttribute(pin.element, "aria-pressed", String(isOn));
  }

  #add(item, view) {
    const letter = make("span", { class: "pin-letter", "aria-hidden": "true" });
    const element = make("button", { class: "pin", "aria-pressed": "false", tabindex: "-1" }, letter);
    element.dataset.id = item.id;
    element.addEventListener("click", (event) => {
      event.stopPropagation();
      if (this.#selected === item.id) this.onOpen(item.id);
      else this.onSelect(item.id);
    });
    const pin = { element, letter, item };
    this.#pins.set(item.id, pin);
    this.#dress(pin);
    this.#move(pin, view);
    if (item.id === this.#selected) this.#mark(item.id, "selected", true);
    this.layer.append(element);
  }

  #dress({ element, letter, item }) {
    const colour = colourOf(item.author);
    element.classList.toggle("far", item.state === "too_far");
    element.classList.toggle("event", item.kind === "event");
    element.classList.toggle("blurred", item.blur !== undefined);
    element.style.setProperty("--pin", colour);
    element.style.setProperty("--pin-ink", inkOn(colour));
    this.photos.dress(element, item);
    setText(letter, item.kind === "event" ? "★" : initial(item.author.name));
    setAttribute(element, "aria-label", pinLabel(item));
    setAttribute(element, "title", pinLabel(item));
  }

  #move({ element, item }, view) {
    const { x, y } = project(view, item);
    // Far outside they need not be drawn, and a browser draws what is hidden by `overflow` all the same.
    const isNear = x > -60 && y > -60 && x < view.width + 60 && y < view.height + 60;
    element.classList.toggle("away", !isNear);
    if (isNear) element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  /// One stop of the Tab key for all of them: the chosen one, else the first.
  #rove() {
    const stop = this.#pins.has(this.#selected) ? this.#selected : this.#items[0]?.id;
    for (const [id, { element }] of this.#pins) setAttribute(element, "tabindex", id === stop ? "0" : "-1");
  }

  #key(event) {
    const at = this.#items.findIndex((item) => item.id === event.target.dataset?.id);
    if (at < 0) return;
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.#items[(at + steps + this.#items.length) % this.#items.length];
    this.onSelect(next.id);
    this.#pins.get(next.id).element.focus({ preventScroll: true });
  }
}

function pinLabel(item) {
  const words = item.state === "too_far" ? "too far to read" : oneLine(item.title ?? item.text ?? "").slice(0, 80);
  return [nameOf(item.author), whereText(item), words].filter(Boolean).join(", ");
}
