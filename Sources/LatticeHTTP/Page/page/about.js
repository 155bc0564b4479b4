// About the open room, beside its lines: its pictures, who is there and who was there today, and for its members its key.

import { note, noteFault } from "./announce.js";
import { isDirect, pathOf } from "./conversations.js";
import { make, replace, setText } from "./dom.js";
import { load } from "./picture.js";
import { face, icon } from "./rows.js";
import { nameOf, oneLine } from "./text.js";
import { clock } from "./time.js";

const PHOTOS_MAX = 6;
const DAY_MS = 24 * 60 * 60_000;

/// People who said something within a day and are not there now: {person, at}, the last one first.
export function seenToday(lines, here, now) {
  const ids = new Set(here.map(({ id }) => id));
  const last = new Map();
  for (const { from, at } of lines) {
    const date = Date.parse(at);
    if (!ids.has(from.id) && now - date < DAY_MS) last.set(from.id, { person: from, at: date });
  }
  return [...last.values()].sort((one, other) => other.at - one.at);
}

export class About {
  #room = null;
  #key = null;
  #shown = "";
  #photosShown = "";

  /// `onClose()`, `onLeave()`; `look(file)` shows a picture; `pictures()`: those of the room, newest last.
  constructor(app, { onClose, onLeave, look, pictures, names }) {
    Object.assign(this, { app, look, pictures, names });
    this.title = make("p", { class: "about-title", "aria-hidden": "true" });
    this.body = make("div", { class: "about-in" });
    this.photos = make("section", { hidden: true });
    this.mute = make("button", { class: "button", onclick: () => this.#turnMute() });
    this.part = make("button", { class: "button", onclick: onLeave }, "Leave this room");
    this.element = make("section", { class: "about", "aria-label": "About this chat", hidden: true },
      make("div", { class: "about-head" }, this.title,
        make("button", { class: "icon-button", "aria-label": "Close", onclick: onClose }, icon("close"))), this.body);
  }

  /// `room`: {name, people, private, joined} or a conversation of two; `lines`: what is loaded of it.
  show(room, lines) {
    if (this.#room !== room.name) this.#key = null;
    this.#room = room.name;
    const isOfTwo = isDirect(room.name);
    setText(this.title, `About ${isOfTwo ? nameOf(room.peer) : oneLine(room.name)}`);
    if (this.element.hidden) return;
    setText(this.mute, this.app.marks.isMuted(room.name) ? "Unmute this room" : "Mute this room");
    this.#drawPhotos();
    const seen = isOfTwo ? [] : seenToday(lines, room.people ?? [], this.app.now());
    const key = JSON.stringify([room.name, room.people, room.private, room.joined, seen, room.peer?.name]);
    // The focus stays where it is.
    if (key === this.#shown || this.body.contains(document.activeElement)) return;
    this.#shown = key;
    replace(this.body, this.photos, isOfTwo ? this.#profile(room.peer) : this.#people(room.people ?? [], seen),
      room.private && room.joined ? this.#members(room) : null, this.app.me.writable && room.joined && !isOfTwo ? make("div", { class: "inline" }, this.mute, this.part) : null);
  }

  async #turnMute() {
    const { marks } = this.app;
    const room = this.#room;
    const isMuted = !marks.isMuted(room);
    try {
      await marks.mute(room, isMuted);
      note(isMuted ? `${oneLine(room)} is muted. Its messages do not count as unread.` : `${oneLine(room)} is not muted any more.`);
    } catch (error) {
      noteFault(error);
    }
  }

  /// Drawn again only if the people changed.
  #drawPhotos() {
    const files = this.pictures().slice(-PHOTOS_MAX).reverse();
    const shown = files.map(({ id }) => id).join(" ");
    if (shown === this.#photosShown) return;
    this.#photosShown = shown;
    this.photos.hidden = files.length === 0;
    replace(this.photos, make("h3", {}, "Photos"), make("ul", { class: "about-photos" }, files.map((file) => {
      const image = make("img", { alt: file.name });
      this.#load(image, file);
      return make("li", {}, make("button", { onclick: () => this.look(file), title: file.name }, image));
    })));
  }

  async #load(image, file) {
    try {
      URL.revokeObjectURL(await load(this.app.api, `/files/${file.id}/content`, image, new AbortController().signal, file.name));
    } catch {
      // Its name is shown there.
    }
  }

  #profile(peer) {
    return make("a", { class: "button", href: `#/people/${peer.id}` }, `Profile of ${nameOf(peer)}`);
  }

  #people(people, seen) {
    return [
      make("section", {}, make("h3", {}, `Here now, ${people.length}`), make("ul", {}, people.map((person) =>
        this.#person(person, person.away === undefined ? this.names.person(person).about : `away${person.away ? `: ${oneLine(person.away)}` : ""}`, person.away !== undefined)))),
      seen.length > 0 ? make("section", {}, make("h3", {}, `Seen today, ${seen.length}`),
        make("ul", {}, seen.map(({ person, at }) => this.#person(person, clock(at))))) : null,
    ];
  }

  #person(person, words, isAway = false) {
    const isMe = person.id === this.app.me.id;
    return make("li", {}, make("a", { class: "member", href: isMe ? "#/people/me" : `#/people/${person.id}` },
      face(this.names.person(person), this.app.photos, "small"),
      make("span", { class: "member-in" }, make("bdi", { class: "name" }, `${nameOf(person)}${isMe ? " (you)" : ""}${isAway ? " (away)" : ""}`),
        words ? make("bdi", { class: "preview" }, oneLine(words)) : null)));
  }

  /// Anybody who has the key can enter the room.
  #members({ name }) {
    const shown = make("div", { role: "status" });
    if (this.#key) replace(shown, keyCard(this.#key));
    const showKey = async () => {
      try {
        this.#key = (await this.app.api.get(`${pathOf(name)}/key`)).key;
        replace(shown, keyCard(this.#key));
      } catch (error) {
        noteFault(error);
      }
    };
    return make("section", { class: "stack" }, make("h3", {}, "Private room"),
      make("p", { class: "hint" }, "Only members can read it. Invite people, or give them the key."),
      make("button", { class: "button", onclick: () => this.app.rooms.dialogs.invite(name) }, "Invite a person"),
      make("button", { class: "button", onclick: showKey }, "Show the key"), shown);
  }
}

const keyCard = (key) => make("p", { class: "code-card" }, make("code", {}, key));
