// Small dialogs of the chats: another room, a person to write to or to invite.

import { note, noteFault } from "./announce.js";
import { labelled, line } from "./compose.js";
import { directOf, linkOf, pathOf } from "./conversations.js";
import { make, put, replace, setText } from "./dom.js";
import { face, icon } from "./rows.js";
import { nameOf } from "./text.js";

const NAME_MAX = 64;
const KEY_MAX = 128;

export class RoomDialogs {
  constructor(app) {
    this.app = app;
    this.element = make("dialog", { class: "sheet", "aria-labelledby": "room-sheet-title", onclose: () => replace(this.element) });
    put(document.body, this.element);
  }

  #open(title, ...parts) {
    replace(this.element, make("div", { class: "sheet-head" }, make("h2", { id: "room-sheet-title" }, title),
      make("button", { class: "icon-button", "aria-label": "Close", onclick: () => this.element.close() }, icon("close"))), ...parts);
    this.element.showModal();
  }

  /// Joins a room that everybody may read, or makes or enters one that only its members may.
  add() {
    const name = line("join-room", "", NAME_MAX);
    const isPrivate = make("input", { type: "checkbox", id: "room-private", onchange: () => {
      key.hidden = !isPrivate.checked;
      setText(button, isPrivate.checked ? "Make a private room" : "Join");
    } });
    const typed = line("room-key", "", KEY_MAX);
    const key = labelled("Its key, if there is one already (optional)", typed);
    key.hidden = true;
    const fault = make("p", { class: "fault", role: "alert" });
    const button = make("button", { class: "button primary wide", type: "submit" }, "Join");
    const send = async (event) => {
      event.preventDefault();
      const room = name.value.trim().replace(/^#?/, "#");
      if (room === "#") {
        setText(fault, "Enter a name.");
        name.focus();
        return;
      }
      try {
        if (isPrivate.checked) await this.app.api.post("/rooms", { name: room, ...(typed.value.trim() ? { key: typed.value.trim() } : {}) });
        else await this.app.api.put(pathOf(room));
        this.element.close();
        this.app.go(linkOf(room));
      } catch (error) {
        if (error.code !== "nameNeeded") setText(fault, error.message);
      }
    };
    this.#open("Join or make a room", make("form", { class: "stack", onsubmit: send, novalidate: true },
      labelled("Room to join", name),
      make("label", { class: "tick", for: "room-private" }, isPrivate, "Private: only people with its key can read it"), key, fault, button),
    make("button", { class: "button quiet", onclick: () => {
      this.element.close();
      this.person();
    } }, "Write to a person instead"));
    name.focus();
  }

  person() {
    return this.#choose("Write to a person", ({ id }) => {
      this.element.close();
      this.app.go(linkOf(directOf(id)));
    });
  }

  invite(room) {
    return this.#choose(`Invite to ${room}`, async ({ id, ...person }) => {
      this.element.close();
      try {
        await this.app.api.post(`${pathOf(room)}/invitations`, { person: id });
        note(`${nameOf(person)} has an invitation to ${room}.`);
      } catch (error) {
        noteFault(error, "Nobody was invited.");
      }
    });
  }

  async #choose(title, chosen) {
    const list = make("ul", { class: "people-list" });
    const words = make("p", { class: "soft", role: "status" }, "");
    this.#open(title, words, list);
    try {
      const { items } = await this.app.api.get("/people", { limit: 100 });
      const people = items.filter(({ id, me }) => !me && id !== this.app.me.id);
      setText(words, people.length === 0 ? "Nobody here yet. People appear when they connect." : "");
      replace(list, people.map((person) => make("li", {}, make("button", { class: "member", onclick: () => chosen(person) },
        face(person, this.app.photos, "small"), make("bdi", { class: "name" }, nameOf(person)), make("span", { class: "soft short" }, `#${person.short}`)))));
      list.querySelector("button")?.focus();
    } catch (error) {
      setText(words, error.message);
    }
  }
}
