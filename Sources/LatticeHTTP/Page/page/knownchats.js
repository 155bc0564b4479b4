// Which chats there are, and what was said last in each: rooms, and conversations of two.

import { directOf, isDirect, lineOf, peerOf } from "./conversations.js";

export class KnownChats {
  #rooms = [];
  /// Conversations of two: {name, peer, last}, that of the newest message first.
  #directs = [];

  constructor(app, names) { Object.assign(this, { app, names }); }

  async load() {
    const { api, me } = this.app;
    const ownLast = (line) => {
      const last = lineOf(line, me);
      this.names.learn([last.from]);
      return last;
    };
    this.#rooms = (await api.get("/rooms")).items.map((room) => (room.last ? { ...room, last: lineOf(room.last, me) } : room));
    for (const room of this.#rooms) this.names.learn(room.people);
    const directs = me.writable ? (await api.get("/conversations")).items : [];
    this.names.learn(directs.map(({ peer }) => peer));
    this.#directs = directs.map((last) => ({ name: directOf(last.peer.id), peer: last.peer, last: ownLast(last) }));
  }

  get first() { return this.#rooms[0]?.name ?? null; }
  get #all() { return [...this.#rooms, ...this.#directs]; }

  find(name) { return this.#all.find((one) => one.name === name); }

  /// Whether the line with this id is the last one of a chat.
  isLast(id) { return this.#all.some(({ last }) => last?.id === id); }

  /// Ids of those who are in any of the rooms now.
  get here() { return new Set(this.#rooms.flatMap(({ people }) => people.map(({ id }) => id))); }

  /// Those that are listed, and the open one.
  listed(open, { unheard, muted }) {
    const directs = this.#directs.filter(({ name, peer }) => name === open || !unheard.includes(peer.id))
      .map((chat) => ({ ...chat, peer: this.names.person(chat.peer) }));
    const all = [...this.#rooms.map((room) => ({ ...room, muted: muted.includes(room.name) })), ...directs];
    if (!open || all.some((room) => room.name === open)) return all;
    return [...all, { name: open, people: [], ...(isDirect(open) ? { peer: this.names.person({ id: peerOf(open), name: this.names.of(peerOf(open)) }) } : {}) }];
  }
}
