// The rooms: which there are, what was said in one, and what one says there.

import { note, noteFault, say } from "./announce.js";
import { nextTicket } from "./acts.js";
import { Attach } from "./attach.js";
import { directOf, isDirect, lastText, lineOf, linkOf, pathOf, peerOf } from "./conversations.js";
import { make, replace, setText } from "./dom.js";
import { Files } from "./files.js";
import { messageSearch } from "./foundlines.js";
import { Latest, gathered } from "./latest.js";
import { LineActs } from "./lineacts.js";
import { referenceTo } from "./linechanges.js";
import { LineList } from "./lines.js";
import { Names } from "./names.js";
import { PictureView } from "./picture.js";
import { RoomPins } from "./roompins.js";
import { face, icon } from "./rows.js";
import { Speaker } from "./speaker.js";
import { createStore } from "./store.js";
import { emptyTalk, reduceTalk, roomOf, shownRoom, unreadOf } from "./talkstate.js";
import { beginning, counted, nameOf, oneLine } from "./text.js";
import { isMessage, parse } from "./typed.js";
import { Unread } from "./unread.js";
import { AS_USUAL } from "./urgent.js";

const PAGE = 60;
const NAMES_MAX = 8;
const IN_PRIVATE = "Sent as a usual message: lines of a private room cannot be urgent.";
const ROOM_SECRET = "Encrypted: only people in this room can read it.";
const listed = (names) => names.slice(0, NAMES_MAX).join(", ") + (names.length > NAMES_MAX ? ", …" : "");
const ONLY_IN_ROOMS = "Only /me, /away and /back work in private messages.";
const ONLY_YOU_TWO = "Only you two can read this";
const COUNT_MAX = 99;
export const countText = (count) => (count > COUNT_MAX ? `${COUNT_MAX}+` : String(count));

/// How much is unread: mentions first, then all lines.
export const badges = ({ unread, mentions }) => [
  mentions > 0 ? make("span", { class: "badge mention" }, make("span", { "aria-hidden": "true" }, `@${countText(mentions)}`),
    make("span", { class: "unseen" }, ` ${counted(mentions, "mention")}`)) : null,
  unread > 0 ? make("span", { class: "badge" }, countText(unread), make("span", { class: "unseen" }, " unread")) : null,
];

export class Rooms {
  #latest = new Latest();
  #rooms = [];
  /// Conversations of two: {name, peer, last}, that of the newest message first.
  #directs = [];
  #room = null;
  /// Changes of lines that were reported while earlier lines are on their way; `null` if none are.
  #meanwhile = null;

  constructor(app) {
    this.app = app;
    this.store = createStore(reduceTalk, emptyTalk);
    this.store.subscribe((state, before) => this.#draw(state, before));
    this.refresh = gathered(() => this.#load());
    this.refreshRooms = gathered(() => this.#loadRooms());
    this.names = new Names({
      me: () => app.me, ask: async () => (await app.api.get("/people", { limit: 100 })).items, onLearned: () => {
        this.lines.redraw();
        this.#drawRooms();
        app.view.refresh?.();
      },
    });
    this.acts = new LineActs(app, this.store);
    this.unread = new Unread(app, this.store, () => this.element.isConnected && this.lines.isAtEnd);
    this.#build();
  }

  #build() {
    const { app, acts } = this;
    const pictures = new PictureView(app.api);
    this.files = new Files(app, () => this.lines.fileIds);
    this.attach = new Attach(app, this.files);
    this.lines = new LineList({
      files: this.files, names: { of: (id) => this.names.of(id), me: () => app.me }, isWritable: app.mayWrite,
      acts: {
        react: (line, emoji, holds) => acts.react(line, emoji, holds), reply: (line) => this.speaker.answer(line),
        pin: (line) => this.pins.pin(line), edit: (line) => this.speaker.edit(line), remove: (line) => this.#remove(line),
        look: (file) => pictures.open(file, this.files.pictures),
      },
      onEarlier: () => this.#earlier(), onScroll: () => this.unread.mark(),
      onFar: () => note("That message is further up. Load earlier messages to see it."),
    });
    this.pins = new RoomPins(app, pathOf, (id) => this.lines.jump(id));
    this.speaker = new Speaker({
      send: (text, mode) => (mode?.kind === "edit" ? this.#edit(text, mode) : this.#say(text, mode)),
      lastOwn: () => this.lines.last((line) => line.mine && !line.deleted && line.ticket === undefined),
      controls: this.attach.controls,
    });
    this.heading = make("h2", { tabindex: "-1" }, "Rooms");
    this.links = make("ul", { class: "room-list", "aria-label": "Rooms" });
    this.people = make("p", { class: "soft small-text grow" });
    this.part = make("button", { class: "button small", onclick: () => this.#leave() }, "Leave");
    const name = make("input", {
      type: "text", id: "join-room", placeholder: "#room", "aria-label": "Room to join", autocomplete: "off", maxlength: "64",
    });
    const join = make("form", { class: "search", onsubmit: (event) => { event.preventDefault(); this.#join(name); } }, name,
      make("button", { type: "submit", class: "button" }, "Join"));
    this.join = make("details", { class: "join" }, make("summary", {}, "Join another room"), join);
    this.form = this.speaker.element;
    const search = app.me.writable ? messageSearch(app) : null;
    this.element = make("div", { class: "view talk" }, make("div", { class: "bar" }, this.heading, search), this.links,
      this.join, make("div", { class: "bar" }, this.people, this.part), this.pins.element, this.lines.element,
      this.attach.target, this.attach.cards, this.form);
    this.attach.listen(this.element);
    this.form.hidden = true;
    this.join.hidden = !app.mayWrite;
    this.part.hidden = true;
  }

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
    // An answer belongs to its room.
    if (room !== this.#room) this.speaker.cancel();
    this.#room = room;
    this.#drawTitle();
    this.form.hidden = !room || !this.app.mayWrite;
    this.pins.open(isDirect(room) ? null : room);
    if (!room) return;
    this.lines.clear();
    this.store.dispatch({ type: "opened", room });
    this.lines.show(shownRoom(this.store.state, room));
    this.#drawRooms();
    this.#load();
  }

  /// A line that somebody said just now, or oneself.
  heard(said) {
    const line = this.#own(said);
    const isOpen = this.store.state.open === line.room;
    this.store.dispatch({ type: "heard", line, isSeen: isOpen && !document.hidden });
    // Its place is among what was said before, which the node knows.
    if (line.late && isOpen) this.refresh();
    if (isDirect(line.room)) this.refreshRooms();
    if (line.mine) return;
    // The node knows what mentions the person.
    if (!isOpen || document.hidden) this.unread.refresh();
    const whom = line.reply?.from ? ` answers ${line.reply.from === this.app.me.id ? "you" : oneLine(line.reply.name)}` : "";
    if (isOpen && !line.late) say(`${nameOf(line.from)}${whom}: ${oneLine(line.text)}`);
  }

  /// Somebody edited, deleted or reacted to a line, or oneself.
  changed({ change, by, emoji, line: said }) {
    const line = this.#own(said);
    const isMine = by === this.app.me.id;
    if (change === "edited" || change === "deleted") this.pins.changed(line);
    const action = { type: "changed", line, isMine };
    this.store.dispatch(action);
    this.#meanwhile?.push(action);
    // The last line of a room stands beside its name.
    if ([...this.#rooms, ...this.#directs].some((room) => room.last?.id === line.id)) this.refreshRooms();
    // The answer that is on its way may be older.
    if (this.#latest.isAsking) this.refresh();
    if (isMine || this.store.state.open !== line.room) return;
    const who = this.names.of(by);
    if (change === "edited") say(`${who} edited: ${oneLine(line.text)}`);
    if (change === "deleted") say(`${who} deleted a message.`);
    if (change === "reacted" && line.from.id === this.app.me.id) say(`${who} reacts with ${emoji} to: ${beginning(oneLine(line.text))}`);
  }

  /// Your private message came a step further. If it is not shown, you wrote it in another program, or its answer is on its way.
  delivered({ peer, number, state }) {
    const room = directOf(peer);
    this.store.dispatch({ type: "delivery", room, number, delivery: state });
    const shown = roomOf(this.store.state, room).lines.find((line) => line.number === number);
    // Once it is sealed it has an id, which the list says.
    if (this.store.state.open === room && (!shown || shown.isBare)) this.refresh();
  }

  async #loadRooms() {
    try {
      this.#rooms = (await this.app.api.get("/rooms")).items;
      for (const room of this.#rooms) this.names.learn(room.people);
      const directs = this.app.me.writable ? (await this.app.api.get("/conversations")).items : [];
      this.names.learn(directs.map(({ peer }) => peer));
      this.#directs = directs.map((last) => ({ name: directOf(last.peer.id), peer: last.peer, last: this.#own(last) }));
      this.#drawRooms();
    } catch (error) {
      if (this.element.isConnected && error.status !== 0) noteFault(error);
    }
  }

  async #load() {
    const room = this.#room;
    if (!room) return;
    this.store.dispatch({ type: "asking", room });
    const files = this.files.open(filesOf(room));
    try {
      const latest = await this.#latest.run((signal) => this.app.api.get(`${pathOf(room)}/messages`, { limit: PAGE }, signal));
      await files;
      if (latest) this.store.dispatch({
        type: "loaded", room, lines: latest.answer.items.map((line) => this.#own(line)), more: latest.answer.more ?? false,
      });
    } catch (error) {
      this.lines.fail(error.message);
    }
  }

  async #earlier() {
    const room = this.#room;
    const first = roomOf(this.store.state, room).lines[0];
    if (!first) return;
    this.#meanwhile = [];
    try {
      const page = await this.app.api.get(`${pathOf(room)}/messages`, { limit: PAGE, before: first.id });
      this.store.dispatch({ type: "earlier", room, lines: page.items.map((line) => this.#own(line)), more: page.more });
      for (const action of this.#meanwhile) this.store.dispatch(action);
    } catch (error) {
      noteFault(error);
    }
    this.#meanwhile = null;
  }

  #own(line) {
    const own = lineOf(line, this.app.me);
    this.names.learn([own.from]);
    return own;
  }

  async #say(typed, mode) {
    const room = this.#room;
    if (!room) return;
    const { command, text, fault: unclear } = parse(typed);
    const fault = unclear ?? (isDirect(room) && ["urgent", "pin", "unpin"].includes(command) ? ONLY_IN_ROOMS : null);
    if (fault) {
      note(fault);
      this.speaker.restore(typed, mode);
      return;
    }
    if (!isMessage(command)) {
      if (!await this.#obey(command, text)) this.speaker.restore(typed, mode);
      return;
    }
    const style = command === "me" ? "acts" : "says";
    const urgent = command === "urgent";
    const reply = mode ? { reply: referenceTo(mode.line) } : {};
    const ticket = nextTicket();
    this.store.dispatch({
      type: "saying",
      line: {
        ticket, key: `ticket-${ticket}`, id: `ticket-${ticket}`, room, from: this.app.me, mine: true, text, style,
        at: new Date(this.app.now()).toISOString(), ...reply,
      },
    });
    try {
      const body = { text, style, ...(mode ? { reply_to: mode.line.id } : {}), ...(urgent ? { urgent: true } : {}) };
      const { id, waiting, unkept, ...said } = await this.app.api.post(`${pathOf(room)}/messages`, body);
      const more = isDirect(room) ? { number: said.number, state: said.state, isBare: id === undefined } : {};
      this.store.dispatch({ type: "said", room, ticket, id: id ?? `number-${said.number}`, waiting, more });
      if (isDirect(room)) this.refreshRooms();
      if (urgent && !said.urgent) note(this.#rooms.find((one) => one.name === room)?.private ? IN_PRIVATE : AS_USUAL);
      if (unkept) note(`${waiting ? "Not sent yet and not saved" : "Sent, but not saved here"}: ${unkept}`);
    } catch (error) {
      this.store.dispatch({ type: "unsaid", room, ticket });
      this.speaker.restore(typed, room === this.#room ? mode : null);
      noteFault(error, "Not sent.");
    }
  }

  /// - Returns: whether the command succeeded.
  #obey(command, text) {
    switch (command) {
      case "pin": return this.pins.pinText(text);
      case "unpin": return this.pins.unpin();
      case "away": return this.app.away.begin(text);
      default: return this.app.away.end();
    }
  }

  async #edit(text, mode) {
    if (text === mode.line.text) return;
    const room = this.#room;
    if (!await this.acts.edit(mode.line, text) && room === this.#room) this.speaker.restore(text, mode);
  }

  async #remove(line) {
    if (await this.acts.remove(line)) note("Deleted. It disappears from other machines as they receive this.");
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

  /// The other one of the open conversation.
  get #peer() { return { id: peerOf(this.#room), name: this.names.of(peerOf(this.#room)) }; }

  #drawTitle() {
    const room = this.#room;
    setText(this.heading, isDirect(room) ? this.#peer.name : room ?? "Rooms");
    if (room) this.speaker.room = this.heading.textContent;
  }

  #drawRooms() {
    const open = this.#room;
    this.#drawTitle();
    const all = [...this.#rooms, ...this.#directs];
    const isListed = !open || all.some((room) => room.name === open);
    const known = isListed ? all : [...all, { name: open, people: [], peer: isDirect(open) ? this.#peer : null }];
    replace(this.links, known.map(({ name, peer, last, private: isPrivate }) => make("li", {}, make("a", {
      href: linkOf(name), "aria-current": name === open ? "page" : null, title: last ? lastText(last) : null,
    },
      peer ? face(peer, null, "tiny") : null, make("bdi", {}, peer ? nameOf(peer) : oneLine(name)),
      isPrivate ? make("span", { title: "Only members can read it." }, "🔒", make("span", { class: "unseen" }, "private")) : null,
      badges(roomOf(this.store.state, name))))));
    const room = known.find((one) => one.name === open);
    this.attach.show(open ? {
      query: filesOf(open), to: isDirect(open) ? `with ${this.heading.textContent}` : `in ${oneLine(open)}`,
      secret: isDirect(open) ? ONLY_YOU_TWO : room?.private ? ROOM_SECRET : "",
    } : null);
    const names = (room?.people ?? []).map((person) => (person.away === undefined ? nameOf(person) : `${nameOf(person)} (away)`));
    replace(this.people, isDirect(open) ? [icon("lock"), ONLY_YOU_TWO]
      : [names.length === 0 ? "" : `${counted(names.length, "person", "people")} here: ${listed(names)}`,
        room?.private ? ROOM_SECRET : ""].filter(Boolean).join(". "));
    this.part.hidden = !this.app.me.writable || !room?.joined;
  }

  #draw(state, before) {
    const { open } = state;
    if (open && (state.rooms[open] !== before.rooms[open] || state.pending !== before.pending)) {
      this.lines.show(shownRoom(state, open));
      this.unread.mark();
    }
    if (isOther(state, before)) this.#drawRooms();
    const [now, then] = [unreadOf(state), unreadOf(before)];
    if (now.lines !== then.lines || now.mentions !== then.mentions || now.direct !== then.direct) this.app.showUnread(now);
  }
}

const filesOf = (name) => (isDirect(name) ? { person: peerOf(name) } : { room: name });

/// Whether the count of a room is another.
const isOther = (state, before) => Object.keys({ ...state.rooms, ...before.rooms }).some((name) => {
  const [now, then] = [roomOf(state, name), roomOf(before, name)];
  return now.unread !== then.unread || now.mentions !== then.mentions;
});
