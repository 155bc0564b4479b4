// The rooms: which there are, what was said in one, and what one says there.

import { About } from "./about.js";
import { note, noteFault, say } from "./announce.js";
import { Attach } from "./attach.js";
import { ChatList } from "./chatlist.js";
import { directOf, isDirect, lineOf, linkOf, pathOf, peerOf } from "./conversations.js";
import { make } from "./dom.js";
import { Drafts } from "./drafts.js";
import { Files } from "./files.js";
import { KnownChats } from "./knownchats.js";
import { Latest, gathered } from "./latest.js";
import { LineActs } from "./lineacts.js";
import { referenceTo } from "./linechanges.js";
import { LineList } from "./lines.js";
import { Names } from "./names.js";
import { PictureView } from "./picture.js";
import { RoomDialogs } from "./roomdialogs.js";
import { RoomPins } from "./roompins.js";
import { Sending } from "./sending.js";
import { Speaker } from "./speaker.js";
import { createStore } from "./store.js";
import { ONLY_YOU_TWO, ROOM_SECRET, TalkHead } from "./talkhead.js";
import { emptyTalk, reduceTalk, roomOf, shownRoom, unreadOf } from "./talkstate.js";
import { beginning, nameOf, oneLine } from "./text.js";
import { isMessage, parse } from "./typed.js";
import { Unread } from "./unread.js";
import { AS_USUAL } from "./urgent.js";

const PAGE = 60;
const IN_PRIVATE = "Sent as a usual message: lines of a private room cannot be urgent.";
const ONLY_IN_ROOMS = "Only /me, /away and /back work in private messages.";

export class Rooms {
  #latest = new Latest();
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
    this.known = new KnownChats(app, this.names);
    this.acts = new LineActs(app, this.store);
    this.sending = new Sending(app, this.store, {
      onSaid: (line, answer) => this.#said(line, answer), onRefused: (line, error) => this.#refused(line, error),
    });
    this.unread = new Unread(app, this.store, () => this.element.isConnected && this.lines.isAtEnd);
    this.#build();
  }

  #build() {
    const { app, acts } = this;
    const pictures = new PictureView(app.api);
    const look = (file) => pictures.open(file, this.files.pictures);
    this.files = new Files(app, () => this.lines.fileIds, () => this.#drawAbout());
    this.attach = new Attach(app, this.files);
    this.drafts = new Drafts();
    this.dialogs = new RoomDialogs(app);
    this.lines = new LineList({
      files: this.files, photos: app.photos, isWritable: app.mayWrite,
      names: { of: (id) => this.names.of(id), me: () => app.me, person: (one) => this.names.person(one) },
      acts: {
        react: (line, emoji, holds) => acts.react(line, emoji, holds), reply: (line) => this.speaker.answer(line),
        pin: (line) => this.pins.pin(line), edit: (line) => this.speaker.edit(line), remove: (line) => acts.remove(line), look,
        person: (id) => app.go(`#/people/${id}`),
      },
      onEarlier: () => this.#earlier(), onScroll: () => this.unread.mark(),
      onFar: () => note("That message is further up. Load earlier messages to see it."),
    });
    this.pins = new RoomPins(app, pathOf, (id) => this.lines.jump(id));
    this.speaker = new Speaker({
      send: (text, mode) => (mode?.kind === "edit" ? this.#edit(text, mode) : this.#say(text, mode)),
      lastOwn: () => this.lines.last((line) => line.mine && !line.deleted && line.ticket === undefined),
      drafts: this.drafts, controls: this.attach.controls,
    });
    this.chats = new ChatList({ canAdd: app.mayWrite, onNew: () => this.dialogs.add(), onPerson: () => this.dialogs.person() });
    this.about = new About(app, {
      names: this.names, look, pictures: () => this.files.pictures, onClose: () => this.#turnAbout(false), onLeave: () => this.#leave(),
    });
    this.about.element.hidden = !matchMedia("(min-width: 1100px)").matches;
    this.element = make("div", { class: "view talk" }, this.chats.element, this.#buildTalk(), this.about.element);
    this.attach.listen(this.element);
    this.form.hidden = true;
  }

  #buildTalk() {
    this.head = new TalkHead(() => this.#turnAbout(this.about.element.hidden));
    this.heading = this.head.heading;
    this.head.press(!this.about.element.hidden);
    this.form = this.speaker.element;
    this.talk = make("div", { class: "talk-in" }, this.head.element, this.pins.element, this.lines.element, this.attach.target, this.attach.cards,
      this.form);
    return this.talk;
  }

  /// Closes what lies over the chat.
  closeAbout() {
    if (this.about.element.hidden || matchMedia("(min-width: 1100px)").matches) return false;
    this.#turnAbout(false);
    return true;
  }

  #turnAbout(isShown) {
    this.about.element.hidden = !isShown;
    this.head.press(isShown);
    if (isShown) this.#drawAbout();
    else this.head.about.focus();
  }

  /// Without a room: that of before, or on a phone the list alone.
  async enter(room) {
    const isListOnly = !room && this.app.narrow.matches;
    if (isListOnly) this.#open(null);
    else if (room ?? this.#room) this.#open(room ?? this.#room);
    if (this.app.narrow.matches) this.about.element.hidden = true;
    this.names.askOnce();
    await this.#loadRooms();
    // The person went to another view meanwhile, which stays.
    if (this.element.isConnected && !isListOnly && !this.#room) this.#open(this.known.first);
  }

  leave() {
    this.unread.leave();
    this.dialogs.element.close();
    this.lines.menu.element.close();
    this.speaker.enter(null, "");
    this.store.dispatch({ type: "closed" });
  }

  /// To the chat before or after the open one, in the order of the list.
  step(by) {
    const { names } = this.chats;
    const next = names[names.indexOf(this.#room) + by];
    if (next) this.app.go(linkOf(next));
  }

  /// To the first chat with something unread: with a mention, if there is one.
  nextUnread() {
    const { names } = this.chats;
    const countOf = (name) => roomOf(this.store.state, name);
    const next = names.find((name) => countOf(name).mentions > 0) ?? names.find((name) => countOf(name).unread > 0);
    if (next) this.app.go(linkOf(next));
  }

  #open(room) {
    const isOther = room !== this.#room;
    if (isOther && this.#room) {
      this.unread.leave();
      this.dialogs.element.close();
    }
    this.#room = room;
    this.talk.hidden = !room;
    this.element.classList.toggle("in-room", Boolean(room));
    this.form.hidden = !room || !this.app.mayWrite;
    if (isOther || !room) this.pins.open(isDirect(room) ? null : room);
    if (!room) {
      this.leave();
      this.#drawRooms();
      return;
    }
    this.lines.clear();
    this.store.dispatch({ type: "opened", room });
    this.#drawTitle();
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
    if (!line.mine && this.app.marks.isUnheard(line.from.id)) return;
    this.#heardLast(line);
    if (line.mine) return;
    // The node knows what mentions the person.
    if (!isOpen || document.hidden) this.unread.refresh();
    const whom = line.reply?.from ? ` answers ${line.reply.from === this.app.me.id ? "you" : oneLine(line.reply.name)}` : "";
    if (isOpen && !line.late) say(`${nameOf(line.from)}${whom}: ${oneLine(line.text)}`);
  }

  /// What was said last in a room is known without asking; a room that is not listed yet is asked for.
  #heardLast(line) {
    const chat = this.known.find(line.room);
    if (!chat) this.refreshRooms();
    else if (!line.late) {
      chat.last = line;
      this.#drawRooms();
    }
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
    if (this.known.isLast(line.id)) this.refreshRooms();
    // The answer that is on its way may be older.
    if (this.#latest.isAsking) this.refresh();
    if (isMine || this.store.state.open !== line.room || this.app.marks.isUnheard(by)) return;
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
      await this.known.load();
      this.#drawRooms();
    } catch (error) {
      if (this.element.isConnected && error.status !== 0) noteFault(error);
    }
    this.chats.rooms.classList.remove("waits");
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
    const body = { text, style, ...(mode ? { reply_to: mode.line.id } : {}), ...(urgent ? { urgent: true } : {}) };
    await this.sending.say({ room, body, typed, reply: mode ? referenceTo(mode.line) : undefined, again: () => mode });
  }

  #said({ room, body }, { waiting, unkept, urgent }) {
    const known = this.known.find(room);
    if (!known?.joined) this.refreshRooms();
    if (body.urgent && !urgent) note(known?.private ? IN_PRIVATE : AS_USUAL);
    if (unkept) note(`${waiting ? "Not sent yet and not saved" : "Sent, but not saved here"}: ${unkept}`);
  }

  /// The text is given back: it may be all that somebody has of it.
  #refused({ room, typed, again }, error) {
    if (room === this.#room) this.speaker.restore(typed, again?.() ?? null);
    else this.drafts.set(room, typed);
    noteFault(error, "Not sent.");
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

  async #leave() {
    const room = this.#room;
    try {
      await this.app.api.delete(pathOf(room));
      this.store.dispatch({ type: "left", room });
      this.#open(null);
      note(`You left ${room}.`);
      this.app.go("#/");
    } catch (error) {
      noteFault(error);
    }
  }

  /// The other one of the open conversation.
  get #peer() { return { id: peerOf(this.#room), name: this.names.of(peerOf(this.#room)) }; }

  #drawTitle() {
    const room = this.#room;
    this.head.name(isDirect(room) ? this.#peer.name : room ?? "Chats");
    if (room) this.speaker.enter(room, this.heading.textContent);
  }

  get #chats() { return this.known.listed(this.#room, this.store.state); }

  #drawRooms() {
    const open = this.#room;
    this.#drawTitle();
    const chats = this.#chats;
    const { here } = this.known;
    this.chats.show(chats, (chat) => {
      const isOpen = chat.name === open;
      return {
        count: isOpen && !document.hidden && this.lines.isAtEnd ? { unread: 0, mentions: 0 } : roomOf(this.store.state, chat.name),
        draft: isOpen ? "" : this.drafts.of(chat.name), isOpen, isHere: chat.peer ? here.has(chat.peer.id) : false,
        photos: this.app.photos, now: this.app.now(),
      };
    }, this.app.narrow.matches);
    const room = chats.find((one) => one.name === open);
    this.attach.show(open ? {
      query: filesOf(open), to: isDirect(open) ? `with ${this.heading.textContent}` : `in ${oneLine(open)}`,
      secret: isDirect(open) ? ONLY_YOU_TWO : room?.private ? ROOM_SECRET : "",
    } : null);
    if (!room) return;
    this.head.show(room, this.app.photos);
    this.#drawAbout();
  }

  #drawAbout() {
    const room = this.#chats.find((one) => one.name === this.#room);
    if (room) this.about.show(room, roomOf(this.store.state, room.name).lines);
  }

  #draw(state, before) {
    const { open } = state;
    if (open && (state.rooms[open] !== before.rooms[open] || state.pending !== before.pending || state.unheard !== before.unheard)) {
      this.lines.show(shownRoom(state, open));
      this.unread.mark();
    }
    if (state.unheard !== before.unheard) this.refreshRooms();
    if (isOther(state, before)) this.#drawRooms();
    const [now, then] = [unreadOf(state), unreadOf(before)];
    if (now.lines !== then.lines || now.mentions !== then.mentions || now.direct !== then.direct) this.app.showUnread(now);
  }
}

const filesOf = (name) => (isDirect(name) ? { person: peerOf(name) } : { room: name });

/// Whether the count of a room is another.
const isOther = (state, before) => state.muted !== before.muted || Object.keys({ ...state.rooms, ...before.rooms }).some((name) => {
  const [now, then] = [roomOf(state, name), roomOf(before, name)];
  return now.unread !== then.unread || now.mentions !== then.mentions;
});
