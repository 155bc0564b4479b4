// The lines of a room: the last one stays in sight while one reads there, and what one looks at stays where it is while
// earlier lines come and others change. One stop of the Tab key, and the arrows inside.

import { make, setAttribute, setText } from "./dom.js";
import { LineRow } from "./line.js";
import { listenToDrags } from "./linedrag.js";
import { LineMenu } from "./linemenu.js";
import { counted } from "./text.js";
import { dayWords } from "./time.js";

/// Pixels from the end at which one still reads the end.
const END = 120;
/// Lines of one person within this stand together.
const TOGETHER_MS = 5 * 60_000;
/// How long a finger has to be held on a line to open its menu.
const HOLD_MS = 450;
const HOLD_PIXELS = 10;

const keyOf = (line) => line.key ?? line.id;

const makeRule = (count) => ({
  element: make("div", { class: "rule", role: "separator", "aria-label": `${count} new messages` }, make("span", {}, `${count} new`)),
});

/// A file is shared in a line of that kind.
const isAct = (line) => line.style === "acts" && !line.file;

/// Whether a line stands below one of the same person, without a name of its own.
export const follows = (line, before) => before !== null && before.from.id === line.from.id && !isAct(line) && !isAct(before)
  && Math.abs(Date.parse(line.at) - Date.parse(before.at)) < TOGETHER_MS && !line.reply;

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
  #ruleCount = 0;
  /// The line above which the rule was shown.
  #ruled = null;
  /// Whether the newest line stays in sight.
  #sticks = true;
  /// The number of lines that came since then.
  #came = 0;
  /// `scrollTop` when it was last looked at or set.
  #top = 0;

  /// `acts`: as the `on` of a row, without `jump`, `opened` and `more`. `onScroll()`: another part is in sight.
  constructor({ names, files, photos, acts, isWritable, onEarlier, onScroll, onFar }) {
    Object.assign(this, { names, files, photos, isWritable, onFar });
    this.on = {
      ...acts, jump: (id) => this.jump(id), opened: (row) => this.#opened(row), keep: (change) => this.#keep(change),
      more: (row, button) => this.menu.open(row, button),
    };
    this.menu = new LineMenu(this.on);
    this.earlier = make("button", { class: "button small", hidden: true, onclick: onEarlier }, "Earlier messages");
    this.words = make("p", { class: "empty", hidden: true });
    this.list = make("div", { class: "lines-in" });
    this.below = make("button", { class: "to-end", hidden: true, onclick: () => {
      this.#goToEnd();
      this.#look();
    } });
    this.element = make("div", { class: "lines", role: "log", "aria-label": "Messages", "aria-live": "off" }, this.earlier,
      this.words, this.list, make("div", { class: "to-end-at" }, this.below));
    this.element.addEventListener("scroll", () => {
      this.#look();
      onScroll();
    }, { passive: true });
    // What is opened below, such as a keyboard, does not hide the newest line.
    new ResizeObserver(() => { if (this.#sticks) this.#settle(); }).observe(this.element);
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("focusin", (event) => this.#focused(event));
    this.list.addEventListener("click", (event) => this.#tapped(event));
    this.list.addEventListener("pointerdown", (event) => this.#held(event));
    listenToDrags(this.list, (target) => this.#rowAt(target), acts.reply);
  }

  /// Whether the newest line is in sight.
  get isAtEnd() { return this.element.scrollHeight - this.element.scrollTop - this.element.clientHeight < END; }

  /// Ids of the files that the lines share.
  get fileIds() { return this.#lines.filter((line) => line.file && !line.deleted).map((line) => line.file); }

  clear() {
    this.menu.element.close();
    for (const { row } of this.#drawn.values()) row?.gone();
    this.#drawn.clear();
    this.#lines = [];
    this.#at = this.#stop = this.#open = this.#rule = this.#ruled = null;
    this.#came = 0;
    this.list.textContent = "";
    this.words.hidden = true;
  }

  fail(words) {
    this.list.classList.remove("waits");
    setText(this.words, words);
    this.words.hidden = false;
  }

  show(room) {
    this.#rule = room.rule;
    this.#ruleCount = room.ruleCount;
    const before = this.#lines.at(-1);
    this.#keep(() => {
      this.earlier.hidden = !room.more;
      this.list.classList.toggle("waits", !room.isLoaded);
      setText(this.words, "No messages yet. Say hello.");
      this.words.hidden = !room.isLoaded || room.lines.length > 0;
      this.#lay(room.lines);
    });
    const at = before && !this.#sticks ? room.lines.findIndex((line) => line.id === before.id) : -1;
    if (at >= 0) this.#came += room.lines.slice(at + 1).filter((line) => !line.mine).length;
    this.#drawBelow();
  }

  /// Lines that came while the person reads further up.
  #drawBelow() {
    if (this.#sticks) this.#came = 0;
    this.below.hidden = this.#sticks;
    setText(this.below, this.#came > 0 ? String(this.#came) : "↓");
    setAttribute(this.below, "aria-label", this.#came > 0 ? `${counted(this.#came, "new message")} below` : "To the newest message");
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
    this.#drawBelow();
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
    wanted.forEach(([key, build, value, isFollowing], index) => {
      let drawn = this.#drawn.get(key);
      if (!drawn) {
        drawn = build();
        this.#drawn.set(key, drawn);
      } else if (drawn.value !== value) drawn.row?.dress(value);
      drawn.value = value;
      drawn.element.classList.toggle("follows", isFollowing === true);
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
    let before = null;
    for (const line of lines) {
      const date = Date.parse(line.at);
      const its = new Date(date).toDateString();
      if (its !== day) {
        wanted.push([`day ${its} ${keyOf(line)}`, () => ({ element: make("div", { class: "day" }, dayWords(date, Date.now())) }), its]);
        before = null;
      }
      day = its;
      if (line.id === this.#rule) {
        wanted.push(["rule", () => makeRule(this.#ruleCount), its]);
        before = null;
      }
      wanted.push([keyOf(line), () => this.#made(line), line, follows(line, before)]);
      before = line;
    }
    return wanted;
  }

  #made(line) {
    const row = new LineRow(line, { on: this.on, names: this.names, files: this.files, photos: this.photos, isWritable: this.isWritable });
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
    if (this.#open !== row) this.#open?.closeMenu();
    this.#open = row;
  }

  #tapped({ target }) {
    const row = this.#rowAt(target);
    // A mouse shows the actions as it comes.
    if (!row?.can.reply || matchMedia("(hover: hover)").matches || target.closest("button, a, input, .face, .line-menu")) return;
    this.menu.open(row);
  }

  #held({ target, pointerType, clientX, clientY }) {
    const row = this.#rowAt(target);
    if (pointerType !== "touch" || !row?.can.reply) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      stop.abort();
      this.menu.open(row);
    }, HOLD_MS);
    const end = () => {
      clearTimeout(timer);
      stop.abort();
    };
    const { signal } = stop;
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, { signal });
    addEventListener("pointermove", (event) => {
      if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > HOLD_PIXELS) end();
    }, { signal });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const row = this.#rowAt(event.target);
    if (!row) return;
    if (event.key === "Escape" && row.isOpen) {
      row.closeMenu();
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
    else if (key === "Delete" && can.delete) this.on.remove(row.line);
    else return false;
    return true;
  }
}
