// The list of rooms and conversations, the newest on top: in two parts, or in one part on a phone.

import { isDirect, linkOf } from "./conversations.js";
import { make, replace, setAttribute, setText } from "./dom.js";
import { dressFace, icon } from "./rows.js";
import { beginning, colourOf, counted, nameOf, oneLine } from "./text.js";
import { shortWhen } from "./time.js";

const COUNT_MAX = 99;
export const countText = (count) => (count > COUNT_MAX ? `${COUNT_MAX}+` : String(count));

/// How much is unread: a sign for mentions, then the number of lines. A muted chat (`isMuted`) has a quieter badge.
export const badges = ({ unread, mentions }, isMuted = false) => [
  mentions > 0 ? make("span", { class: "badge mention at" }, make("span", { "aria-hidden": "true" }, "@"),
    make("span", { class: "unseen" }, ` ${counted(mentions, "mention")}`)) : null,
  isMuted ? icon("quiet") : null,
  unread > 0 ? make("span", { class: isMuted ? "badge muted" : "badge" }, countText(unread), make("span", { class: "unseen" }, " unread")) : null,
];

/// The picture of a person, or the square of a room.
export function dressChatFace(element, chat, photos) {
  const { peer } = chat;
  element.classList.toggle("square", !peer);
  if (peer) {
    dressFace(element, peer, photos);
    return;
  }
  element.style.setProperty("--pin", colourOf({ id: chat.name }));
  const drawn = chat.private ? "lock" : "#";
  if (element.dataset.drawn === drawn) return;
  element.dataset.drawn = drawn;
  replace(element, chat.private ? icon("lock") : "#");
}

const timeOf = ({ last }) => (last ? Date.parse(last.at) : 0);
/// The chat with the newest line first; chats without lines by name.
export const byTime = (one, other) => timeOf(other) - timeOf(one) || (one.name < other.name ? -1 : 1);

class ChatRow {
  constructor(name) {
    this.face = make("span", { class: "face chat-face", "aria-hidden": "true" });
    this.dot = make("span", { class: "here-dot", hidden: true }, make("span", { class: "unseen" }, "here now"));
    this.name = make("bdi", { class: "chat-name" });
    this.lock = make("span", { class: "unseen", hidden: true }, "private");
    this.time = make("time");
    this.preview = make("span", { class: "preview" });
    this.badges = make("span", { class: "badges" });
    this.link = make("a", { class: "chat", href: linkOf(name) }, make("span", { class: "chat-picture" }, this.face, this.dot),
      make("span", { class: "chat-in" }, make("span", { class: "chat-top" }, this.name, this.lock, this.time),
        make("span", { class: "chat-low" }, this.preview, this.badges)));
    this.element = make("li", {}, this.link);
  }

  dress(chat, { count, draft, isOpen, isHere, photos, now }) {
    dressChatFace(this.face, chat, photos);
    this.dot.hidden = !isHere;
    setText(this.name, chat.peer ? nameOf(chat.peer) : oneLine(chat.name));
    this.lock.hidden = !chat.private;
    setText(this.time, chat.last ? shortWhen(timeOf(chat), now) : "");
    setAttribute(this.time, "datetime", chat.last?.at ?? null);
    setAttribute(this.link, "aria-current", isOpen ? "page" : null);
    this.link.classList.toggle("unread", count.unread > 0);
    replace(this.badges, badges(count, chat.muted));
    // Without a name in front, words of another direction are cut at their own end.
    setAttribute(this.preview, "dir", chat.peer && !draft && !chat.last?.mine ? "auto" : null);
    replace(this.preview, ...this.#preview(chat, draft));
  }

  * #preview({ last, peer, joined, people }, draft) {
    if (draft) {
      yield make("span", { class: "draft" }, "Draft: ");
      yield make("bdi", {}, beginning(oneLine(draft)));
    } else if (!last) {
      yield peer ? "" : joined === false ? `${counted(people?.length ?? 0, "person is", "people are")} here` : "No messages yet";
    } else {
      if (last.mine) yield icon(last.state === "waiting" ? "clock" : last.state === "delivered" ? "checks" : "check");
      if (!peer || last.mine) yield make("bdi", {}, `${last.mine ? "You" : nameOf(last.from)}: `);
      yield make("bdi", {}, last.deleted ? "Deleted by its author" : beginning(oneLine(last.text)));
    }
  }
}

export class ChatList {
  #rows = new Map();

  /// `onNew()`, `onPerson()`: another room, another person to talk to. `canAdd`: whether there are such buttons.
  constructor({ onNew, onPerson, canAdd }) {
    const add = (words, onclick) => (canAdd ? make("button", { class: "icon-button", "aria-label": words, title: words, onclick }, icon("plus")) : null);
    this.rooms = make("ul", { class: "room-list waits", "aria-label": "Rooms" });
    this.people = make("ul", { class: "room-list", "aria-label": "People" });
    this.element = make("div", { class: "chats" },
      make("div", { class: "chats-head" }, make("p", { class: "part" }, "Rooms"), add("Join or make a room", onNew)), this.rooms,
      make("div", { class: "chats-head" }, make("p", { class: "part" }, "People"), add("Write to a person", onPerson)), this.people);
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  /// `chats`: {name, peer, private, joined, people, last}; `factsOf(chat)`: the rest that a row shows. `isOne`: in one list.
  show(chats, factsOf, isOne) {
    this.element.classList.toggle("one", isOne);
    const known = new Set(chats.map(({ name }) => name));
    for (const [name, { element }] of this.#rows) {
      if (known.has(name)) continue;
      element.remove();
      this.#rows.delete(name);
    }
    const sorted = [...chats].sort(byTime);
    this.#lay(this.rooms, isOne ? sorted : sorted.filter(({ name }) => !isDirect(name)), factsOf);
    this.#lay(this.people, isOne ? [] : sorted.filter(({ name }) => isDirect(name)), factsOf);
  }

  #lay(list, chats, factsOf) {
    chats.forEach((chat, index) => {
      const row = this.#rows.get(chat.name) ?? new ChatRow(chat.name);
      this.#rows.set(chat.name, row);
      row.dress(chat, factsOf(chat));
      const there = list.children[index];
      if (there === row.element) return;
      const focused = row.element.contains(document.activeElement) ? document.activeElement : null;
      list.insertBefore(row.element, there ?? null);
      focused?.focus({ preventScroll: true });
    });
    while (list.children.length > chats.length) list.lastElementChild.remove();
  }

  /// Names in the order in which they stand.
  get names() { return [...this.element.querySelectorAll(".chat")].map((link) => [...this.#rows].find(([, row]) => row.link === link)[0]); }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey || !event.target.matches(".chat")) return;
    const links = [...this.element.querySelectorAll(".chat")];
    event.preventDefault();
    links[links.indexOf(event.target) + step]?.focus();
  }
}
