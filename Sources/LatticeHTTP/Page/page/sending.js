// What a person says in a chat, until the node has it: at once, or when the node can be reached again.

import { nextTicket } from "./acts.js";
import { isDirect, pathOf } from "./conversations.js";
import { Outbox, newKey } from "./outbox.js";

/// How long until the node is tried again that is there and did not take a line.
const RETRY_MS = 5_000;

export class Sending {
  /// By the key of the line.
  #tickets = new Map();
  #retry = null;

  /// - onSaid(line, answer), onRefused(line, error): a line is {key, at, room, body, typed, reply, again}.
  constructor(app, store, { onSaid, onRefused }) {
    Object.assign(this, { app, store, onSaid, onRefused });
    this.outbox = new Outbox({
      who: app.me.id, send: (line) => this.#post(line), onSent: (line, answer) => this.#sent(line, answer),
      onRefused: (line, error) => this.#refused(line, error),
    });
    for (const line of this.outbox.lines) {
      this.#show(line);
      this.#delay(line);
    }
  }

  /// - typed, again: what is given back if the line is refused; `again` is forgotten with this tab. reply: how the line shows what it
  ///   answers.
  async say(said) {
    const line = { key: newKey(), at: new Date(this.app.now()).toISOString(), ...said };
    this.#show(line);
    // It is sent after those that wait.
    if (this.outbox.lines.length > 0 && this.outbox.add(line)) {
      this.#delay(line);
      return;
    }
    try {
      this.#sent(line, await this.#post(line));
    } catch (error) {
      if (error.status === 0 && this.outbox.add(line)) this.#delay(line);
      else this.#refused(line, error);
    }
  }

  /// - Returns: how many lines that waited were sent.
  async flush() {
    clearTimeout(this.#retry);
    const count = await this.outbox.flush();
    if (this.outbox.lines.length > 0) this.#tryLater();
    return count;
  }

  #tryLater() {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => { if (this.app.news.isLive) this.app.news.sendWhatWaits(); }, RETRY_MS);
  }

  #post({ key, room, body }) {
    return this.app.api.post(`${pathOf(room)}/messages`, body, { "Idempotency-Key": key });
  }

  #show({ key, room, body, reply, at }) {
    const ticket = nextTicket();
    this.#tickets.set(key, ticket);
    const { text, style } = body;
    this.store.dispatch({
      type: "saying",
      line: { ticket, key: `ticket-${ticket}`, id: `ticket-${ticket}`, room, from: this.app.me, mine: true, text, style, at, ...(reply ? { reply } : {}) },
    });
  }

  #delay({ key, room }) {
    this.store.dispatch({ type: "delayed", room, ticket: this.#tickets.get(key) });
    this.#tryLater();
  }

  #sent(line, { id, waiting, ...said }) {
    const { key, room } = line;
    const more = isDirect(room) ? { number: said.number, state: said.state, isBare: id === undefined } : { urgent: said.urgent };
    this.store.dispatch({ type: "said", room, ticket: this.#tickets.get(key), id: id ?? `number-${said.number}`, waiting, more });
    this.#tickets.delete(key);
    this.onSaid(line, { waiting, ...said });
  }

  #refused(line, error) {
    this.store.dispatch({ type: "unsaid", room: line.room, ticket: this.#tickets.get(line.key) });
    this.#tickets.delete(line.key);
    this.onRefused(line, error);
  }
}
