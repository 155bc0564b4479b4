// The lines of a room: the last one stays in sight while one reads there, and what one looks at stays where it is while
// earlier lines come.

import { make, setText } from "./dom.js";
import { colourOf, nameOf, plain } from "./text.js";
import { clock, exact, weekday } from "./time.js";

/// Pixels from the end at which one still reads the end.
const END = 60;

export class LineList {
  #drawn = new Map();

  constructor({ app, onEarlier }) {
    this.app = app;
    this.earlier = make("button", { type: "button", class: "button small", hidden: true, onclick: onEarlier }, "Earlier messages");
    this.words = make("p", { class: "empty", hidden: true });
    this.list = make("div", { class: "lines-in" });
    this.element = make("div",
      { class: "lines", role: "log", "aria-label": "Messages", tabindex: "0", "aria-live": "off" }, this.earlier,
      this.words, this.list);
  }

  clear() {
    this.#drawn.clear();
    this.list.textContent = "";
    this.words.hidden = true;
  }

  fail(words) {
    setText(this.words, words);
    this.words.hidden = false;
  }

  show(room) {
    const isAtEnd = this.element.scrollHeight - this.element.scrollTop - this.element.clientHeight < END;
    const first = this.list.querySelector(".line");
    const before = first?.getBoundingClientRect().top ?? 0;
    this.earlier.hidden = !room.more;
    setText(this.words, room.isLoaded ? "No messages yet. Say hello." : "Loading…");
    this.words.hidden = room.lines.length > 0;
    this.#lay(room.lines);
    if (isAtEnd) this.element.scrollTop = this.element.scrollHeight;
    else if (first?.isConnected) this.element.scrollTop += first.getBoundingClientRect().top - before;
  }

  #lay(lines) {
    const wanted = [];
    let day = "";
    for (const line of lines) {
      const date = Date.parse(line.at);
      const its = new Date(date).toDateString();
      if (its !== day) wanted.push([
        `day ${its} ${line.key ?? line.id}`, () => make("div", { class: "day" }, weekday(date)), its,
      ]);
      day = its;
      wanted.push([line.key ?? line.id, () => this.#make(line), line]);
    }
    const keys = new Set(wanted.map(([key]) => key));
    for (const [key, { element }] of this.#drawn) {
      if (keys.has(key)) continue;
      element.remove();
      this.#drawn.delete(key);
    }
    wanted.forEach(([key, build, value], index) => {
      let drawn = this.#drawn.get(key);
      if (drawn?.value !== value) {
        const element = build();
        drawn?.element.replaceWith(element);
        drawn = { element, value };
        this.#drawn.set(key, drawn);
      }
      const there = this.list.children[index];
      if (there !== drawn.element) this.list.insertBefore(drawn.element, there ?? null);
    });
  }

  #make(line) {
    const date = Date.parse(line.at);
    const dot = make("span", { class: "dot", "aria-hidden": "true" });
    dot.style.setProperty("--pin", colourOf(line.from));
    const tags = [
      line.ticket === undefined ? "" : "sending", line.waiting ? "not sent yet" : "", line.late ? "late" : "",
      line.private ? "members only" : "",
    ].filter(Boolean).map((words) => make("span", { class: words === "not sent yet" ? "tag waiting" : "tag" }, words));
    return make("div", { class: `line ${line.style === "acts" ? "acts" : ""} ${line.ticket !== undefined ? "sending" : ""}` },
      make("time", { datetime: line.at, title: exact(date) }, clock(date)),
      make("p", { class: "said" }, dot,
        make("bdi", { class: "by", title: line.from.short ? `#${line.from.short}` : null }, nameOf(line.from)),
        make("bdi", { class: "text" }, plain(line.text)), tags.length > 0 ? " " : null, tags));
  }
}
