// The head of an open chat: its picture, its name, and who is there.

import { dressChatFace } from "./chatlist.js";
import { isDirect } from "./conversations.js";
import { make, replace, setAttribute, setText } from "./dom.js";
import { icon } from "./rows.js";
import { counted, nameOf } from "./text.js";

export const ROOM_SECRET = "Encrypted: only people in this room can read it.";
export const ONLY_YOU_TWO = "Only you two can read this";

export class TalkHead {
  /// `onAbout()`: more is asked about the chat.
  constructor(onAbout) {
    this.heading = make("h2", { tabindex: "-1" }, "Chats");
    this.face = make("span", { class: "face line-face", "aria-hidden": "true" });
    this.people = make("p", { class: "small-text" });
    this.about = make("button", { class: "icon-button", "aria-label": "People in this chat", onclick: onAbout }, icon("people"));
    this.element = make("div", { class: "talk-head" },
      make("a", { class: "icon-button narrow-only", href: "#/", "aria-label": "Back to the chats" }, icon("before")), this.face,
      make("div", { class: "grow" }, this.heading, this.people),
      make("a", { class: "icon-button narrow-only", href: "#/messages", "aria-label": "Search messages" }, icon("search")), this.about);
  }

  press(isPressed) { setAttribute(this.about, "aria-pressed", String(isPressed)); }

  name(words) { setText(this.heading, words); }

  show(room, photos) {
    dressChatFace(this.face, room, photos);
    const people = room.people ?? [];
    const away = people.filter((person) => person.away !== undefined).map((person) => `${nameOf(person)} (away)`);
    const words = [people.length === 0 ? "" : `${counted(people.length, "person", "people")} here now`, ...away].filter(Boolean).join(", ");
    replace(this.people, isDirect(room.name) ? [icon("lock"), ONLY_YOU_TWO]
      : room.private ? [icon("lock"), [ROOM_SECRET, words].filter(Boolean).join(" ")] : words);
  }
}
