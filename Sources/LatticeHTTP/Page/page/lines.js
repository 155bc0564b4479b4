// The lines of a room: the last one stays in sight while one reads there, and what one looks at stays where it is while
// earlier lines come and others change. One stop of the Tab key, and the arrows inside.

import { make, setText } from "./dom.js";
import { LineRow } from "./line.js";
import { weekday } from "./time.js";

/// Pixels from the end at which one still reads the end.
const END = 60;

const keyOf = (line) => line.key ?? line.id;

const makeRule = () => ({ element: make("div", { class: "rule", role: "separator", "aria-label": "New messages" }, make("span", {}, "new")) });

export class LineList {
  /// By key, in the order in which they stand: rows of lines, and days without one.
  #drawn = new Map();
  #lines = [];
  /// The line at which the Tab key stops; `null` is the last one.
  #at = null;
  #stop = null;
  #open = null;
  /// The first line that was unread; a rule stands above it.
  #rule = null;
  /// The line above which the rule was shown.
  #ruled = null;
  /// Whether the newest line stays in sight.
  #sticks = true;
  /// `scrollTop` when it was last looked at or set.
  #top = 0;

  /// `acts`: as the `on` of a row, without `jump` and `opened`. `onScroll()`: another part is in sight.
  constructor({ names, files, acts, isWritable, onEarlier, onScroll, onFar }) {
    Object.assign(this, { names, files, isWritable, onFar });
    this.on = {
      ...acts, jump: (id) => this.jump(id), opened: (row) => this.#opened(row), keep: (change) => this.#keep(change),
    };
    this.earlier = make("button", { class: "button small", hidden: true, onclick: onEarlier }, "Earlier messages");
    this.words = make("p", { class: "empty", hidden: true });
    this.list = make("div", { class: "lines-in" });
    this.element = make("div", { class: "lines", role: "log", "aria-label": "Messages", "aria-live": "off" }, this.earlier,
      this.words, this.list);
    this.element.addEventListener("scroll", () => {
      this.#look();
      onScroll();
    }, { passive: true });
    // What is opened below, such as a keyboard, does not hide the newest line.
    new ResizeObserver(() => { if (this.#sticks) this.#settle(); }).observe(this.element);
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("focusin", (event) => this.#focused(event));
    this.list.addEventListener("click", (event) => this.#tapped(event));
  }

  /// Whether the newest line is in sight.
  get isAtEnd() { return this.element.scrollHeight - this.element.scrollTop - this.element.clientHeight < END; }

  /// Ids of the files that the lines share.
  get fileIds() { return this.#lines.filter((line) => line.file && !line.deleted).map((line) => line.file); }

  clear() {
    for (const { row } of this.#drawn.values()) row?.gone();
    this.#drawn.clear();
    this.#lines = [];
    this.#at = this.#stop = this.#open = this.#rule = this.#ruled = null;
    this.list.textContent = "";
    this.words.hidden = true;
  }

  fail(words) {
    setText(this.words, words);
    this.words.hidden = false;
  }

  show(room) {
    this.#rule = room.rule;
    this.#keep(() => {
      this.earlier.hidden = !room.more;
      setText(this.words, room.isLoaded ? "No messages yet. Say hello." : "Loading…");
      this.words.hidden = room.lines.length > 0;
      this.#lay(room.lines);
    });
  }

  /// What one looks at stays where it is while heights change.
  #keep(change) {
    // The event of a scroll may come later.
    this.#look();
    const sticks = this.#sticks;
    const first = this.#firstInSight();
    const before = first?.getBoundingClientRect().top ?? 0;
    change();
    if (sticks) {
      this.#settle();
      return;
    }
    this.#ruled = this.#rule;
    if (first?.isConnected) this.element.scrollTop += first.getBoundingClientRect().top - before;
  }

  /// Stays at the newest line; but a rule that was just drawn is gone to, as soon as there is a height to place it in.
  #settle() {
    this.#goToEnd();
    if (!this.#drawn.has("rule") || this.#rule === this.#ruled || this.element.clientHeight === 0) return;
    this.#ruled = this.#rule;
    this.#goToRule();
  }

  /// Scrolling up lets go of the end; lines that grow do not.
  #look() {
    const top = this.element.scrollTop;
    if (this.isAtEnd) this.#sticks = true;
    else if (top < this.#top) this.#sticks = false;
    this.#top = top;
  }

  #goToEnd() {
    this.element.scrollTop = this.element.scrollHeight;
    this.#top = this.element.scrollTop;
  }

  /// If not all unread lines fit in, the first of them stands at a third of the height.
  #goToRule() {
    const rule = this.#drawn.get("rule")?.element;
    if (!rule) return;
    const box = this.element.getBoundingClientRect();
    const over = box.top + box.height / 3 - rule.getBoundingClientRect().top;
    if (rule.getBoundingClientRect().top < box.top) this.element.scrollTop -= over;
    this.#sticks = this.isAtEnd;
    this.#top = this.element.scrollTop;
  }

  /// Draws all lines again: names are known that were not.
  redraw() {
    for (const { row } of this.#drawn.values()) row?.dress(row.line);
    if (this.#sticks) this.#goToEnd();
  }

  /// The last line that fits, if there is one.
  last(fits) { return this.#lines.findLast(fits) ?? null; }

  /// Goes to a line; it is marked until the focus goes on.
  jump(id) {
    const row = this.#rowOf(this.#lines.find((line) => line.id === id));
    if (!row) {
      this.onFar();
      return;
    }
    row.element.scrollIntoView({ block: "center" });
    row.element.focus({ preventScroll: true });
    row.element.classList.add("found");
  }

  focus(line) { this.#rowOf(line)?.element.focus({ preventScroll: true }); }

  #rowOf(line) { return line ? this.#drawn.get(keyOf(line))?.row : undefined; }

  /// Lines stand below each other, so half of the rest is left out at each step.
  #firstInSight() {
    const top = this.element.getBoundingClientRect().top;
    const all = this.list.children;
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle].getBoundingClientRect().bottom > top) high = middle;
      else low = middle + 1;
    }
    // Days and the rule come and go.
    while (low < all.length && !all[low].matches(".line")) low += 1;
    return all[low];
  }

  #lay(lines) {
    this.#lines = lines;
    const focused = this.list.contains(document.activeElement) ? document.activeElement : null;
    const wanted = this.#wanted(lines);
    const keys = new Set(wanted.map(([key]) => key));
    for (const [key, { element, row }] of this.#drawn) {
      if (keys.has(key)) continue;
      row?.gone();
      element.remove();
      this.#drawn.delete(key);
    }
    wanted.forEach(([key, build, value], index) => {
      let drawn = this.#drawn.get(key);
      if (!drawn) {
        drawn = build();
        this.#drawn.set(key, drawn);
      } else if (drawn.value !== value) drawn.row?.dress(value);
      drawn.value = value;
      const there = this.list.children[index];
      if (there !== drawn.element) this.list.insertBefore(drawn.element, there ?? null);
    });
    this.#rove();
    // Moving an element takes the focus from it.
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
  }

  #wanted(lines) {
    const wanted = [];
    let day = "";
    for (const line of lines) {
      const date = Date.parse(line.at);
      const its = new Date(date).toDateString();
      if (its !== day) {
        wanted.push([`day ${its} ${keyOf(line)}`, () => ({ element: make("div", { class: "day" }, weekday(date)) }), its]);
      }
      day = its;
      if (line.id === this.#rule) wanted.push(["rule", makeRule, its]);
      wanted.push([keyOf(line), () => this.#made(line), line]);
    }
    return wanted;
  }

  #made(line) {
    const row = new LineRow(line, { on: this.on, names: this.names, files: this.files, isWritable: this.isWritable });
    row.element.dataset.key = keyOf(line);
    return { row, element: row.element };
  }

  // By keyboard and by touch.

  #rove() {
    const last = this.#lines.at(-1);
    const row = this.#drawn.get(this.#at)?.row ?? this.#rowOf(last) ?? null;
    if (row === this.#stop) return;
    if (this.#stop) this.#stop.stop = "-1";
    if (row) row.stop = "0";
    this.#stop = row;
  }

  #rowAt(target) {
    const key = target.closest?.(".line")?.dataset.key;
    return key === undefined ? undefined : this.#drawn.get(key)?.row;
  }

  #focused(event) {
    const row = this.#rowAt(event.target);
    if (!row) return;
    this.#at = keyOf(row.line);
    this.#rove();
  }

  #opened(row) {
    if (this.#open !== row) this.#open?.close();
    this.#open = row;
  }

  #tapped({ target }) {
    const row = this.#rowAt(target);
    // A mouse shows the actions as it comes.
    if (!row?.can.reply || matchMedia("(hover: hover)").matches || target.closest("button, a, input, .line-menu, .line-bar")) return;
    if (getSelection()?.isCollapsed === false) return;
    row.toggle();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const row = this.#rowAt(event.target);
    if (!row) return;
    if (event.key === "Escape" && row.isOpen) {
      row.close();
      row.element.focus({ preventScroll: true });
    } else if (event.target.matches("input") || !this.#act(event.key, row)) return;
    event.preventDefault();
  }

  /// Whether the key means something here.
  #act(key, row) {
    const at = this.#lines.findIndex((line) => keyOf(line) === keyOf(row.line));
    const last = this.#lines.length - 1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[key];
    if (to !== undefined) {
      const element = this.#rowOf(this.#lines[Math.max(0, Math.min(last, to))])?.element;
      element?.focus({ preventScroll: true });
      element?.scrollIntoView({ block: "nearest" });
      return true;
    }
    const { can } = row;
    if (key === "r" && can.reply) this.on.reply(row.line);
    else if (key === "e" && can.react) row.openReact();
    else if (key === "Delete" && can.delete) row.openDelete();
    else return false;
    return true;
  }
}
