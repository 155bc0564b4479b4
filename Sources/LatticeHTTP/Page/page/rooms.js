// The rooms: which there are, what was said in one, and what one says there.

import { note, noteFault, say } from "./announce.js";
import { nextTicket } from "./acts.js";
import { make, replace, setAttribute, setText } from "./dom.js";
import { Latest, gathered } from "./latest.js";
import { LineList } from "./lines.js";
import { createStore } from "./store.js";
import { emptyTalk, reduceTalk, roomOf, unreadOf } from "./talkstate.js";
import { counted, nameOf, oneLine } from "./text.js";

const PAGE = 60;
const pathOf = (room) => `/rooms/${encodeURIComponent(room.replace(/^#/, ""))}`;
const NAMES_MAX = 8;
const listed = (names) => names.slice(0, NAMES_MAX).join(", ") + (names.length > NAMES_MAX ? ", …" : "");
const linkOf = (room) => `#${pathOf(room)}`;

export class Rooms {
  #latest = new Latest();
  #rooms = [];
  #room = null;

  constructor(app) {
    this.app = app;
    this.store = createStore(reduceTalk, emptyTalk);
    this.store.subscribe((state, before) => this.#draw(state, before));
    this.refresh = gathered(() => this.#load());
    this.refreshRooms = gathered(() => this.#loadRooms());
    this.lines = new LineList({ app, onEarlier: () => this.#earlier() });
    this.heading = make("h2", { tabindex: "-1" }, "Rooms");
    this.links = make("ul", { class: "room-list", "aria-label": "Rooms" });
    this.people = make("p", { class: "soft small-text grow" });
    this.part = make("button", { type: "button", class: "button small", onclick: () => this.#leave() }, "Leave");
    const name = make("input", {
      type: "text", id: "join-room", placeholder: "#room", "aria-label": "Room to join", autocomplete: "off", maxlength: "64",
    });
    const join = make("form", { class: "search", onsubmit: (event) => { event.preventDefault(); this.#join(name); } }, name,
      make("button", { type: "submit", class: "button" }, "Join"));
    this.join = make("details", { class: "join" }, make("summary", {}, "Join another room"), join);
    this.input = make("textarea", { rows: 1, dir: "auto", "aria-label": "Message", placeholder: "Message" });
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.form = make("form", { class: "say", onsubmit: (event) => { event.preventDefault(); this.#say(); } }, this.input,
      make("button", { type: "submit", class: "button primary" }, "Send"));
    this.element = make("div", { class: "view talk" }, this.heading, this.links,
      this.join, make("div", { class: "bar" }, this.people, this.part), this.lines.element, this.form);
    this.form.hidden = true;
    for (const part of [this.join, this.part]) part.hidden = !app.me.writable;
  }

  get unread() { return unreadOf(this.store.state); }

  async enter(room) {
    const known = room ?? this.#room;
    if (known) this.#open(known);
    await this.#loadRooms();
    // Somewhere else by now: nothing there is to be changed.
    if (!this.element.isConnected) return;
    if (!this.#room) this.#open(this.#rooms[0]?.name ?? null);
    if (this.#room && location.hash === "#/rooms") history.replaceState(null, "", linkOf(this.#room));
  }

  leave() { this.store.dispatch({ type: "closed" }); }

  #open(room) {
    this.#room = room;
    setText(this.heading, room ?? "Rooms");
    this.form.hidden = !room || !this.app.me.writable;
    if (!room) return;
    setAttribute(this.input, "placeholder", `Message ${oneLine(room)}`);
    this.lines.clear();
    this.store.dispatch({ type: "opened", room });
    this.lines.show(roomOf(this.store.state, room));
    this.#drawRooms();
    this.#load();
  }

  /// A line that somebody said just now, or oneself.
  heard(line) {
    const mine = line.from.id === this.app.me.id;
    this.store.dispatch({ type: "heard", line: { ...line, mine } });
    // Its place is among what was said before, which the node knows.
    if (line.late && this.store.state.open === line.room) this.refresh();
    if (mine) return;
    const words = `${nameOf(line.from)}: ${oneLine(line.text)}`;
    if (this.store.state.open === line.room && !line.late) say(words);
  }

  async #loadRooms() {
    try {
      this.#rooms = (await this.app.api.get("/rooms")).items;
      this.#drawRooms();
    } catch (error) {
      if (this.element.isConnected && error.status !== 0) noteFault(error);
    }
  }

  async #load() {
    const room = this.#room;
    if (!room) return;
    this.store.dispatch({ type: "asking", room });
    try {
      const latest = await this.#latest.run((signal) => this.app.api.get(`${pathOf(room)}/messages`, { limit: PAGE }, signal));
      if (latest) this.store.dispatch({
        type: "loaded", room, lines: latest.answer.items.map((line) => this.#own(line)), more: latest.answer.more,
      });
    } catch (error) {
      this.lines.fail(error.message);
    }
  }

  async #earlier() {
    const room = this.#room;
    const first = roomOf(this.store.state, room).lines[0];
    if (!first) return;
    try {
      const page = await this.app.api.get(`${pathOf(room)}/messages`, { limit: PAGE, before: first.id });
      this.store.dispatch({ type: "earlier", room, lines: page.items.map((line) => this.#own(line)), more: page.more });
    } catch (error) {
      noteFault(error);
    }
  }

  #own(line) { return { ...line, mine: line.from.id === this.app.me.id }; }

  async #say() {
    const typed = this.input.value.trim();
    const room = this.#room;
    if (typed === "" || !room) return;
    const acts = /^\/me\s+/.exec(typed);
    if (typed.startsWith("/") && !acts && !typed.startsWith("//")) {
      note("Only /me works here. To send a line that starts with a slash, type two slashes.");
      return;
    }
    const text = acts ? typed.slice(acts[0].length) : typed.replace(/^\/\//, "/");
    const ticket = nextTicket();
    this.input.value = "";
    this.store.dispatch({
      type: "saying",
      line: {
        ticket, key: `ticket-${ticket}`, id: `ticket-${ticket}`, room, from: this.app.me, mine: true, text,
        style: acts ? "acts" : "says", at: new Date(this.app.now()).toISOString(),
      },
    });
    try {
      const { id, waiting, unkept } = await this.app.api.post(`${pathOf(room)}/messages`, { text, style: acts ? "acts" : "says" });
      this.store.dispatch({ type: "said", room, ticket, id, waiting });
      if (unkept) note(`${waiting ? "Not sent yet and not saved" : "Sent, but not saved here"}: ${unkept}`);
    } catch (error) {
      this.store.dispatch({ type: "unsaid", room, ticket });
      if (this.input.value === "") this.input.value = typed;
      noteFault(error, "Not sent.");
    }
  }

  #key(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#say();
  }

  async #join(input) {
    const name = input.value.trim().replace(/^#?/, "#");
    if (name === "#") return;
    try {
      await this.app.api.put(pathOf(name));
      input.value = "";
      this.app.go(linkOf(name));
    } catch (error) {
      noteFault(error);
    }
  }

  async #leave() {
    const room = this.#room;
    try {
      await this.app.api.delete(pathOf(room));
      this.store.dispatch({ type: "left", room });
      this.#room = null;
      note(`You left ${room}.`);
      this.app.go("#/rooms");
    } catch (error) {
      noteFault(error);
    }
  }

  #drawRooms() {
    const open = this.#room;
    const isListed = !open || this.#rooms.some((room) => room.name === open);
    const known = isListed ? this.#rooms : [...this.#rooms, { name: open, people: [] }];
    replace(this.links, known.map((room) => {
      const unread = roomOf(this.store.state, room.name).unread;
      return make("li", {}, make("a", { href: linkOf(room.name), "aria-current": room.name === open ? "page" : null },
        make("bdi", {}, oneLine(room.name)), room.private ? make("span", { title: "Only members can read it." }, "🔒",
          make("span", { class: "unseen" }, "private")) : null,
        unread > 0 ? make("span", { class: "badge" }, String(unread), make("span", { class: "unseen" }, " new")) : null));
    }));
    const room = known.find((one) => one.name === open);
    const names = (room?.people ?? []).map(nameOf);
    setText(this.people,
      names.length === 0 ? "" : `${counted(names.length, "person", "people")} here: ${listed(names)}`);
    this.part.hidden = !this.app.me.writable || !room?.joined;
  }

  #draw(state, before) {
    const { open } = state;
    if (open && state.rooms[open] !== before.rooms[open]) this.lines.show(roomOf(state, open));
    if (unreadOf(state) !== unreadOf(before)) {
      this.#drawRooms();
      this.app.showUnread(unreadOf(state));
    }
  }
}
