// What the person has not read in any of their programs: asked of the node, and told to it as they read here.

import { placeOf } from "./conversations.js";
import { gathered } from "./latest.js";
import { roomOf } from "./talkstate.js";

/// Many lines in a short time are counted once.
const QUIET_MS = 300;
const LONGEST_MS = 2_000;

export class Unread {
  #isAsking = false;
  #isStale = false;

  /// `isSeen()`: whether the newest line of the open room is in sight. Who may only look has counts of this page alone.
  constructor(app, store, isSeen) {
    Object.assign(this, { app, store, isSeen });
    this.refresh = gathered(() => this.#load(), QUIET_MS, LONGEST_MS);
    this.mark = gathered(() => this.#mark());
    document.addEventListener("visibilitychange", () => this.mark());
  }

  async #load() {
    if (!this.app.me.writable) return;
    this.#isStale = this.#isAsking;
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      this.store.dispatch({ type: "unread", items: (await this.app.api.get("/unread")).items });
    } catch {
      // The banner says that the node is away. The counts stay as they were.
    }
    this.#isAsking = false;
    if (this.#isStale) this.refresh();
  }

  /// The person goes to another room or view, however short they looked. What arrives meanwhile stays unread.
  leave() {
    const { arrived } = roomOf(this.store.state, this.store.state.open);
    if (arrived) this.#mark({ up_to: arrived });
  }

  /// Everything that has arrived in the open room is read. No line is named while the person is there: an old line that arrived
  /// just now stands further up and is read as well.
  async #mark(upTo = {}) {
    const room = this.store.state.open;
    if (room === null || document.hidden || !this.isSeen()) return;
    const { unread, isMarked, isLoaded } = roomOf(this.store.state, room);
    if (!isLoaded || (unread === 0 && isMarked)) return;
    this.store.dispatch({ type: "marking", room });
    if (!this.app.me.writable) return;
    try {
      this.store.dispatch({ type: "read", count: await this.app.api.put("/unread", { ...placeOf(room), ...upTo }) });
    } catch {
      // Still unread, as the next count says.
    }
  }
}
