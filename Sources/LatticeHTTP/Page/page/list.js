// A list whose rows are kept while what they show changes, with one stop of the Tab key and the arrows inside.

import { make } from "./dom.js";

export class KeyedList {
  #rows = new Map();
  #items = [];
  #at = null;

  /// `create(item)` gives {element, link, dress(item)}; `link` takes the focus. `onAt(item)`: the keyboard or the pointer is
  /// there, or nowhere (`null`). `onKey(event, item)` may take further keys. `columns()`: how many stand beside each other, of
  /// a grid.
  constructor({ label, create, keyOf = (item) => item.id, className = "rows", onAt = () => {}, onKey = () => {}, columns }) {
    this.element = make("ol", { class: className, "aria-label": label });
    this.create = create;
    this.keyOf = keyOf;
    this.onAt = onAt;
    this.onKey = onKey;
    this.columns = columns;
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("focusin", (event) => this.#focused(event));
    this.element.addEventListener("pointerover", (event) => this.onAt(this.#itemOf(event.target)));
    this.element.addEventListener("pointerleave", () => this.onAt(null));
  }

  get items() { return this.#items; }

  /// While it is not known what stands in it.
  set waits(isSo) { this.element.classList.toggle("waits", isSo); }

  /// Adds, keeps and removes; rows of items that are the same values are not touched.
  show(items) {
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    const before = new Map(this.#items.map((item) => [this.keyOf(item), item]));
    const keys = new Set(items.map(this.keyOf));
    for (const [key, row] of this.#rows) {
      if (keys.has(key)) continue;
      if (focused && row.element.contains(focused)) this.#focusBeside(row.element);
      row.element.remove();
      this.#rows.delete(key);
    }
    items.forEach((item, index) => {
      const key = this.keyOf(item);
      let row = this.#rows.get(key);
      if (!row) {
        row = this.create(item);
        row.element.dataset.key = key;
        this.#rows.set(key, row);
        row.dress(item);
      } else if (before.get(key) !== item) row.dress(item);
      const there = this.element.children[index];
      if (there !== row.element) this.element.insertBefore(row.element, there ?? null);
    });
    this.#items = items;
    if (!keys.has(this.#at)) this.#at = items.length > 0 ? this.keyOf(items[0]) : null;
    this.#rove();
    // Moving an element takes the focus from it.
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
  }

  row(key) { return this.#rows.get(key)?.element; }

  /// Marks one row as the chosen one and brings it into sight.
  select(key) {
    for (const [other, { element }] of this.#rows) {
      if (other === key) element.setAttribute("aria-current", "true");
      else element.removeAttribute("aria-current");
    }
    if (!this.#rows.has(key)) return;
    this.#at = key;
    this.#rove();
    this.#rows.get(key).element.scrollIntoView({ block: "nearest" });
  }

  focus() { this.#rows.get(this.#at)?.link.focus(); }

  #focusBeside(element) {
    const beside = element.nextElementSibling ?? element.previousElementSibling;
    this.#rows.get(beside?.dataset.key)?.link.focus();
  }

  #rove() {
    for (const [key, { element, link }] of this.#rows) {
      const stop = key === this.#at ? "0" : "-1";
      for (const part of [link, ...element.querySelectorAll("button")]) {
        if (part.getAttribute("tabindex") !== stop) part.setAttribute("tabindex", stop);
      }
    }
  }

  #itemOf(target) {
    const key = target.closest?.("[data-key]")?.dataset.key;
    return key === undefined ? null : this.#items.find((item) => this.keyOf(item) === key) ?? null;
  }

  #focused(event) {
    const item = this.#itemOf(event.target);
    if (!item) return;
    this.#at = this.keyOf(item);
    this.#rove();
    this.onAt(item);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const item = this.#itemOf(event.target);
    if (!item) return;
    const at = this.#items.indexOf(item);
    const last = this.#items.length - 1;
    const down = this.columns?.() ?? 1;
    const beside = this.columns ? { ArrowRight: at + 1, ArrowLeft: at - 1 } : {};
    const to = { ...beside, ArrowDown: at + down, ArrowUp: at - down, j: at + 1, k: at - 1, Home: 0, End: last }[event.key];
    if (to === undefined) {
      this.onKey(event, item);
      return;
    }
    event.preventDefault();
    const next = this.#items[Math.max(0, Math.min(last, to))];
    const row = this.#rows.get(this.keyOf(next));
    row.link.focus();
    row.element.scrollIntoView({ block: "nearest" });
  }
}
