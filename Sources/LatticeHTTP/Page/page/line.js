// One line of a room: its parts are made once and dressed anew when it changes, so that the focus stays where it is.

import { make, put, replace, setAttribute, setText } from "./dom.js";
import { deliveryText, isDirect, peerOf } from "./conversations.js";
import { FileCard } from "./filecard.js";
import { EmojiPicker } from "./linemenu.js";
import { drawText, namesPerson } from "./linetext.js";
import { dressFace, icon } from "./rows.js";
import { nameOf, namesText, oneLine, plain } from "./text.js";
import { clock, exact } from "./time.js";

/// Kinds of emoji that are shown at once.
const CHIPS_MAX = 8;
const DELIVERED = { waiting: "clock", relayed: "check", delivered: "checks", lapsed: "info" };

const tag = (words) => make("span", { class: words === "not sent yet" ? "tag waiting" : "tag" }, words);

export class LineRow {
  /// `react`: what is open below the line, or nothing.
  #picker = null;
  #areAllShown = false;
  #stop = "-1";
  #chips = new Map();
  #drawnText = null;

  /// `on`: {react(line, emoji, holds), reply(line), pin(line), more(row, button), remove(line), jump(id), opened(row),
  /// keep(change), look(file), person(id)}. `names.of(id)`, `names.me()`, `names.person(id)`. `isWritable`: whether one may do more
  /// than look.
  constructor(line, { on, names, files, photos, isWritable }) {
    Object.assign(this, { on, names, files, photos, isWritable });
    this.#build();
    this.dress(line);
  }

  #build() {
    this.face = make("span", { class: "face line-face", "aria-hidden": "true", onclick: () => this.on.person(this.line.from.id) });
    this.time = make("time");
    this.by = make("bdi", { class: "by" });
    this.tags = make("span", { class: "tags" });
    this.state = make("span", { class: "states" });
    this.text = make("div", { class: "text", dir: "auto" });
    this.quoteFace = make("span", { class: "face tiny", "aria-hidden": "true" });
    this.quoteBy = make("bdi", { class: "quote-by" });
    this.quoteText = make("bdi", { class: "quote-text" });
    this.quote = make("button", { class: "quote", onclick: () => this.on.jump(this.line.reply.id) },
      icon("reply"), this.quoteFace, this.quoteBy, this.quoteText);
    this.block = make("div", { class: "block" }, this.quote, make("div", { class: "said" }, icon("gone"), this.text));
    this.chips = make("ul", { class: "chips", "aria-label": "Reactions" });
    this.bar = make("div", { class: "line-bar", role: "group", "aria-label": "Actions" });
    this.acts = {
      react: this.#act("react", "React", () => this.openReact()), reply: this.#act("reply", "Reply", () => this.#write(this.on.reply)),
      pin: this.#act("tack", "Pin", () => this.#write(this.on.pin)),
      more: this.#act("more", "More", () => this.on.more(this, this.acts.more)),
    };
    put(this.bar, Object.values(this.acts));
    this.more = make("button", { class: "line-more", "aria-label": "Actions", onclick: () => this.on.more(this) }, icon("more"));
    this.menu = make("div", { class: "line-menu", hidden: true });
    this.element = make("div", { class: "line", role: "article", tabindex: "-1" }, this.face,
      make("div", { class: "line-in" },
        make("p", { class: "line-head" }, this.by, this.tags, this.time, this.state), this.block, this.chips, this.menu),
      this.isWritable ? [this.more, this.bar] : null);
  }

  #act(name, words, onclick) {
    return make("button", { class: `line-act ${name}`, title: words, "aria-label": words, onclick }, icon(name));
  }

  dress(line) {
    this.line = line;
    const date = Date.parse(line.at);
    const name = nameOf(line.from);
    setAttribute(this.time, "datetime", line.at);
    setAttribute(this.time, "title", exact(date));
    setText(this.time, clock(date));
    dressFace(this.face, this.names.person(line.from), this.photos);
    setAttribute(this.by, "title", line.from.short ? `#${line.from.short}` : null);
    setText(this.by, name);
    this.#dressText();
    replace(this.tags, [...this.#tags()]);
    this.#dressState();
    const { classList } = this.element;
    classList.toggle("acts", line.style === "acts" && !line.deleted);
    classList.toggle("mine", Boolean(line.mine));
    classList.toggle("sending", line.ticket !== undefined && !line.isDelayed);
    classList.toggle("deleted", Boolean(line.deleted));
    this.#dressQuote(line.reply);
    this.#dressFile(line);
    this.#dressChips();
    const edited = line.edited && !line.deleted ? ", edited" : "";
    setAttribute(this.element, "aria-label",
      `${name}, ${clock(date)}${edited}: ${line.deleted ? "deleted by its author" : oneLine(line.text)}`);
    const { can } = this;
    for (const act of ["react", "reply", "pin"]) this.acts[act].hidden = !can[act];
    this.bar.hidden = this.more.hidden = !can.reply;
    if (can.react) this.#picker?.dress();
    else this.closeMenu();
    this.stop = this.#stop;
  }

  /// Drawn again only if it is another: a selection in it would be lost.
  #dressText() {
    const { line } = this;
    const me = this.names.me();
    const isNamed = !line.mine && !line.deleted && (namesPerson(line.text, me.name) || line.reply?.from === me.id);
    this.element.classList.toggle("mention", isNamed);
    const text = line.deleted ? "Deleted by its author" : line.text;
    const key = `${isNamed ? me.name : ""}\n${text}`;
    if (this.#drawnText === key) return;
    this.#drawnText = key;
    drawText(this.text, text, isNamed ? me.name : "");
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
    for (const part of this.element.querySelectorAll("button, input, a")) setAttribute(part, "tabindex", stop);
  }

  * #tags() {
    const { line } = this;
    if (line.urgent && !line.deleted) yield make("span", { class: "urgent-mark" }, "urgent");
    if (line.edited && !line.deleted) yield make("span", { class: "edited" }, "edited");
    const words = [line.ticket === undefined ? "" : line.isDelayed ? "Waiting for the hub" : "sending", line.waiting ? "not sent yet" : "",
      line.late ? "late" : ""].filter(Boolean);
    for (const one of words) yield tag(one);
    if (line.private) yield make("span", { title: "Members only" }, icon("lock"), make("span", { class: "unseen" }, "members only"));
  }

  /// How far your line came: an icon, and in private its words, which the last one shows.
  #dressState() {
    const { line } = this;
    if (!line.mine || line.deleted) {
      replace(this.state);
      return;
    }
    const words = line.state ? deliveryText(line, this.names.of(peerOf(line.room))) : line.ticket === undefined && !line.waiting ? "Sent" : "";
    const drawn = DELIVERED[line.state] ?? (words ? "check" : "clock");
    replace(this.state, icon(drawn), line.state
      ? make("span", { class: line.state === "delivered" ? "delivery done" : "delivery" }, words)
      : make("span", { class: "unseen" }, words));
  }

  #dressQuote(reply) {
    this.quote.hidden = !reply || Boolean(this.line.deleted);
    if (this.quote.hidden) return;
    const isHere = Boolean(reply.from);
    this.quote.disabled = !isHere;
    const name = isHere ? oneLine(reply.name) : "";
    const text = !isHere ? "a message that is not here" : reply.text === "" ? "deleted by its author" : oneLine(reply.text);
    this.quote.classList.toggle("gone", !isHere || reply.text === "");
    this.quoteFace.hidden = !isHere;
    if (isHere) dressFace(this.quoteFace, this.names.person({ id: reply.from, name: reply.name }), this.photos);
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

  /// Whether the person gave it.
  holds(emoji) {
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
      onclick: () => this.on.react(this.line, emoji, !this.holds(emoji)),
    }, make("span", { class: "emoji" }, plain(emoji)), count);
    const chip = { button, count, item: make("li", {}, button) };
    this.#chips.set(emoji, chip);
    return chip;
  }

  #dressChip({ button, count }, { emoji, by }) {
    const names = namesText(by.map((id) => this.names.of(id)));
    setText(count, String(by.length));
    setAttribute(button, "aria-pressed", String(this.holds(emoji)));
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

  get isOpen() { return this.#picker !== null; }

  #write(begin) {
    this.closeMenu();
    begin(this.line);
  }

  closeMenu() {
    if (!this.isOpen) return;
    const hadFocus = this.menu.contains(document.activeElement);
    this.#picker = null;
    this.menu.hidden = true;
    this.element.classList.remove("open");
    replace(this.menu);
    if (hadFocus) this.element.focus({ preventScroll: true });
  }

  openReact() {
    if (!this.can.react) return;
    if (this.isOpen) {
      this.closeMenu();
      return;
    }
    this.on.opened(this);
    this.#picker = new EmojiPicker({ holds: (emoji) => this.holds(emoji), chosen: (emoji, holds) => {
      this.closeMenu();
      this.element.focus({ preventScroll: true });
      this.on.react(this.line, emoji, holds);
    } });
    replace(this.menu, this.#picker.element);
    setAttribute(this.menu, "role", "group");
    setAttribute(this.menu, "aria-label", "Reaction");
    this.menu.hidden = false;
    this.element.classList.add("open");
    this.stop = this.#stop;
    this.#picker.focus();
    this.menu.scrollIntoView({ block: "nearest" });
  }
}
