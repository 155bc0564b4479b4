// One line of a room: its parts are made once and dressed anew when it changes, so that the focus stays where it is.

import { make, put, replace, setAttribute, setText } from "./dom.js";
import { deliveryText, isDirect, peerOf } from "./conversations.js";
import { FileCard } from "./filecard.js";
import { icon } from "./rows.js";
import { colourOf, isEmoji, nameOf, namesText, oneLine, plain } from "./text.js";
import { clock, exact } from "./time.js";

const USUAL = ["👍", "❤️", "😂", "🔥", "🙏", "🎉"];
/// Kinds of emoji that are shown at once.
const CHIPS_MAX = 8;

const tag = (words) => make("span", { class: words === "not sent yet" ? "tag waiting" : "tag" }, words);

export class LineRow {
  /// What is open below the line: `react`, `delete` or nothing.
  #menu = null;
  #areAllShown = false;
  #stop = "-1";
  #chips = new Map();

  /// `on`: {react(line, emoji, holds), reply(line), pin(line), edit(line), remove(line), jump(id), opened(row), keep(change),
  /// look(file)}. `names.of(id)`, `names.me()`. `isWritable`: whether one may do more than look.
  constructor(line, { on, names, files, isWritable }) {
    Object.assign(this, { on, names, files, isWritable });
    this.#build();
    this.dress(line);
  }

  #build() {
    this.time = make("time");
    this.by = make("bdi", { class: "by" });
    this.text = make("bdi", { class: "text" });
    this.tags = make("span", { class: "tags" });
    this.dot = make("span", { class: "dot", "aria-hidden": "true" });
    this.quoteBy = make("bdi", { class: "quote-by" });
    this.quoteText = make("bdi", { class: "quote-text" });
    this.quote = make("button", { class: "quote", onclick: () => this.on.jump(this.line.reply.id) },
      icon("reply"), this.quoteBy, this.quoteText);
    this.chips = make("ul", { class: "chips", "aria-label": "Reactions" });
    this.bar = make("div", { class: "line-bar", role: "group", "aria-label": "Actions" });
    this.acts = {
      react: this.#act("react", "React", () => this.openReact()), reply: this.#act("reply", "Reply", () => this.#write(this.on.reply)),
      pin: this.#act("tack", "Pin", () => this.#write(this.on.pin)),
      edit: this.#act("edit", "Edit", () => this.#write(this.on.edit)), delete: this.#act("delete", "Delete", () => this.openDelete()),
    };
    put(this.bar, Object.values(this.acts));
    this.more = make("button", {
      class: "line-more", "aria-label": "Actions", "aria-expanded": "false", onclick: () => this.toggle(),
    }, icon("more"));
    this.menu = make("div", { class: "line-menu", hidden: true });
    this.element = make("div", { class: "line", role: "article", tabindex: "-1" }, this.time,
      make("div", { class: "line-in" }, this.quote, make("p", { class: "said" }, this.dot, this.by, this.text, this.tags),
        this.chips, this.menu),
      this.isWritable ? [this.more, this.bar] : null);
  }

  #act(name, words, onclick) {
    return make("button", { class: `line-act ${name}`, title: words, onclick }, icon(name),
      make("span", { class: "act-words" }, words));
  }

  dress(line) {
    this.line = line;
    const date = Date.parse(line.at);
    setAttribute(this.time, "datetime", line.at);
    setAttribute(this.time, "title", exact(date));
    setText(this.time, clock(date));
    this.dot.style.setProperty("--pin", colourOf(line.from));
    setAttribute(this.by, "title", line.from.short ? `#${line.from.short}` : null);
    setText(this.by, nameOf(line.from));
    setText(this.text, line.deleted ? "Deleted by its author" : plain(line.text));
    replace(this.tags, [...this.#tags()]);
    const { classList } = this.element;
    classList.toggle("acts", line.style === "acts" && !line.deleted);
    classList.toggle("mine", Boolean(line.mine));
    classList.toggle("sending", line.ticket !== undefined);
    classList.toggle("deleted", Boolean(line.deleted));
    this.#dressQuote(line.reply);
    this.#dressFile(line);
    this.#dressChips();
    const edited = line.edited && !line.deleted ? ", edited" : "";
    setAttribute(this.element, "aria-label",
      `${nameOf(line.from)}, ${clock(date)}${edited}: ${line.deleted ? "deleted by its author" : oneLine(line.text)}`);
    const can = this.can;
    for (const [name, button] of Object.entries(this.acts)) button.hidden = !can[name];
    this.bar.hidden = this.more.hidden = !can.reply;
    if (this.#menu === "react" && can.react) this.#dressUsual();
    else if (this.#menu && !can[this.#menu]) this.closeMenu();
    this.stop = this.#stop;
  }

  /// What the person may do.
  get can() {
    const { deleted, mine, ticket } = this.line;
    const reply = this.isWritable && !deleted && ticket === undefined && !this.line.isBare;
    return { reply, react: reply, pin: reply && !isDirect(this.line.room), edit: reply && Boolean(mine), delete: reply && Boolean(mine) };
  }

  /// "0" if the Tab key stops at this line and what is in it.
  set stop(stop) {
    this.#stop = stop;
    setAttribute(this.element, "tabindex", stop);
    for (const part of this.element.querySelectorAll("button, input")) setAttribute(part, "tabindex", stop);
  }

  * #tags() {
    const { line } = this;
    if (line.urgent && !line.deleted) yield make("span", { class: "urgent-mark" }, " (urgent)");
    if (line.edited && !line.deleted) yield make("span", { class: "edited" }, " (edited)");
    const words = [line.ticket === undefined ? "" : "sending", line.waiting ? "not sent yet" : "", line.late ? "late" : "",
      line.private ? "members only" : ""].filter(Boolean);
    for (const one of words) {
      yield " ";
      yield tag(one);
    }
    if (!line.mine || !line.state) return;
    yield " ";
    const kind = line.state === "delivered" ? "delivery done" : "delivery";
    yield make("span", { class: kind }, deliveryText(line, this.names.of(peerOf(line.room))));
  }

  #dressQuote(reply) {
    this.quote.hidden = !reply || Boolean(this.line.deleted);
    if (this.quote.hidden) return;
    const isHere = Boolean(reply.from);
    this.quote.disabled = !isHere;
    const name = isHere ? oneLine(reply.name) : "";
    const text = !isHere ? "a message that is not here" : reply.text === "" ? "deleted by its author" : oneLine(reply.text);
    this.quote.classList.toggle("gone", !isHere || reply.text === "");
    setText(this.quoteBy, name);
    setText(this.quoteText, text);
    setAttribute(this.quote, "aria-label", `Answers ${[name, text].filter(Boolean).join(": ")}`);
    setAttribute(this.quote, "title", isHere ? "Show this message" : null);
  }

  #dressFile(line) {
    const id = line.deleted || !this.files.isOpen ? undefined : line.file;
    if (this.card?.id === id) return;
    this.gone();
    this.card = id ? new FileCard(line, this) : null;
    if (this.card) this.chips.before(this.card.element);
  }

  /// The line is shown no more.
  gone() {
    this.card?.gone();
    this.card?.element.remove();
    this.card = null;
  }

  // Reactions.

  #mine(emoji) {
    const reaction = this.line.reactions?.find((one) => one.emoji === emoji);
    return reaction?.by.includes(this.names.me().id) ?? false;
  }

  #dressChips() {
    const all = this.line.deleted ? [] : this.line.reactions ?? [];
    const shown = this.#areAllShown ? all : all.slice(0, CHIPS_MAX);
    const hadFocus = this.chips.contains(document.activeElement) ? document.activeElement : null;
    const keys = new Set(shown.map(({ emoji }) => emoji));
    for (const [emoji, { item }] of this.#chips) {
      if (keys.has(emoji)) continue;
      item.remove();
      this.#chips.delete(emoji);
    }
    shown.forEach((reaction, index) => {
      const chip = this.#chips.get(reaction.emoji) ?? this.#makeChip(reaction.emoji);
      this.#dressChip(chip, reaction);
      const there = this.chips.children[index];
      if (there !== chip.item) this.chips.insertBefore(chip.item, there ?? null);
    });
    this.#dressRest(all.length - shown.length);
    this.chips.hidden = all.length === 0;
    if (!hadFocus || document.activeElement === hadFocus) return;
    if (hadFocus.isConnected) hadFocus.focus({ preventScroll: true });
    else this.element.focus({ preventScroll: true });
  }

  #makeChip(emoji) {
    const count = make("span", { class: "count" });
    const button = make("button", {
      class: "chip", disabled: !this.isWritable,
      onclick: () => this.on.react(this.line, emoji, !this.#mine(emoji)),
    }, make("span", { class: "emoji" }, plain(emoji)), count);
    const chip = { button, count, item: make("li", {}, button) };
    this.#chips.set(emoji, chip);
    return chip;
  }

  #dressChip({ button, count }, { emoji, by }) {
    const names = namesText(by.map((id) => this.names.of(id)));
    setText(count, String(by.length));
    setAttribute(button, "aria-pressed", String(this.#mine(emoji)));
    setAttribute(button, "title", names);
    setAttribute(button, "aria-label", `${plain(emoji)} ${by.length}: ${names}`);
  }

  /// How many more kinds there are, and a way to give another one.
  #dressRest(count) {
    this.rest ??= make("li", {}, make("button", { class: "chip rest", onclick: () => {
      this.#areAllShown = true;
      this.#dressChips();
    } }));
    this.another ??= make("li", {}, make("button",
      { class: "chip another", "aria-label": "React", title: "React", onclick: () => this.openReact() }, icon("react")));
    this.rest.hidden = count <= 0;
    setText(this.rest.firstElementChild, `+${count}`);
    setAttribute(this.rest.firstElementChild, "aria-label", `${count} more`);
    this.another.hidden = !this.isWritable;
    if (this.chips.lastElementChild !== this.another) put(this.chips, this.rest, this.another);
  }

  // What opens below the line.

  get isOpen() { return this.#menu !== null || this.element.classList.contains("open"); }

  /// On a telephone: the actions.
  toggle() {
    if (this.isOpen) this.close();
    else this.#setOpen(true);
  }

  #write(begin) {
    this.close();
    begin(this.line);
  }

  close() {
    this.closeMenu();
    this.#setOpen(false);
  }

  closeMenu() {
    if (this.#menu === null) return;
    const hadFocus = this.menu.contains(document.activeElement);
    this.#menu = null;
    this.menu.hidden = true;
    this.menu.textContent = "";
    if (hadFocus) this.element.focus({ preventScroll: true });
  }

  #setOpen(isOpen) {
    if (isOpen && !this.isOpen) this.on.opened(this);
    this.element.classList.toggle("open", isOpen);
    setAttribute(this.more, "aria-expanded", String(isOpen));
  }

  #openMenu(kind, label, ...parts) {
    this.on.opened(this);
    this.#menu = kind;
    replace(this.menu, ...parts);
    setAttribute(this.menu, "role", "group");
    setAttribute(this.menu, "aria-label", label);
    this.menu.hidden = false;
    this.#setOpen(true);
    this.stop = this.#stop;
  }

  openReact() {
    if (!this.can.react) return;
    if (this.#menu === "react") {
      this.close();
      return;
    }
    const fault = make("p", { class: "fault", role: "alert" });
    const field = make("input", {
      type: "text", class: "another-emoji", "aria-label": "Another emoji", placeholder: "Another", autocomplete: "off", maxlength: "16",
    });
    const other = make("form", { class: "inline", onsubmit: (event) => {
      event.preventDefault();
      const emoji = field.value.trim();
      const isOne = isEmoji(emoji);
      setText(fault, isOne ? "" : `${emoji === "" ? "That" : `“${oneLine(emoji)}”`} is not one emoji. Give one, such as 👍.`);
      setAttribute(field, "aria-invalid", isOne ? null : "true");
      if (isOne) this.#chose(emoji, true);
      else field.focus();
    } }, field, make("button", { type: "submit", class: "button small" }, "Add"));
    this.usual = USUAL.map((emoji) => {
      const button = make("button", { class: "usual", onclick: () => this.#chose(emoji, !this.#mine(emoji)) }, emoji);
      return { emoji, button };
    });
    this.#openMenu("react", "Reaction", make("div", { class: "usuals" }, this.usual.map(({ button }) => button)), other, fault);
    this.#dressUsual();
    this.usual[0].button.focus({ preventScroll: true });
    this.menu.scrollIntoView({ block: "nearest" });
  }

  #dressUsual() {
    for (const { emoji, button } of this.usual) setAttribute(button, "aria-pressed", String(this.#mine(emoji)));
  }

  #chose(emoji, holds) {
    this.close();
    this.element.focus({ preventScroll: true });
    this.on.react(this.line, emoji, holds);
  }

  /// Words that a click cannot bring back are asked for twice, in place.
  openDelete() {
    if (!this.can.delete) return;
    const no = make("button", { class: "button small", onclick: () => this.close() }, "Keep it");
    const yes = make("button", { class: "button small danger", onclick: () => {
      this.close();
      this.element.focus({ preventScroll: true });
      this.on.remove(this.line);
    } }, "Delete for everybody");
    this.#openMenu("delete", "Delete this message?", make("div", { class: "inline" }, make("span", {}, "Delete this?"), yes, no));
    no.focus({ preventScroll: true });
    this.menu.scrollIntoView({ block: "nearest" });
  }
}
