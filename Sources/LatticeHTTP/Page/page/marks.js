// What the person thinks of others: whom they verified and ignore, and which rooms they muted. The node keeps it for all their programs.

const none = { verified: [], ignored: [], blocked: [], muted: [] };

export class Marks {
  #now = none;
  #listeners = new Set();

  constructor(app) { this.app = app; }

  async load() {
    if (!this.app.me.writable) return;
    try {
      this.take(await this.app.api.get("/marks"));
    } catch {
      // The banner says that the node is away. The marks stay as they were.
    }
  }

  take(marks) {
    this.#now = marks;
    const { ignored, blocked, muted } = marks;
    this.app.rooms.store.dispatch({ type: "marks", unheard: [...ignored, ...blocked], muted });
    for (const listener of this.#listeners) listener();
  }

  isVerified(id) { return this.#now.verified.includes(id); }
  isIgnored(id) { return this.#now.ignored.includes(id); }
  isUnheard(id) { return this.isIgnored(id) || this.#now.blocked.includes(id); }
  isMuted(room) { return this.#now.muted.includes(room); }

  verify(id, holds) { return this.#change("verified", id, `/people/${id}/verify`, holds); }
  ignore(id, holds) { return this.#change("ignored", id, `/people/${id}/ignore`, holds); }
  mute(room, holds) { return this.#change("muted", room, `/rooms/${encodeURIComponent(room.replace(/^#/, ""))}/mute`, holds); }

  /// Is called after each change; returns what ends that.
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /// - Throws: `ApiError`; then nothing has changed.
  async #change(mark, one, path, holds) {
    await (holds ? this.app.api.put(path) : this.app.api.delete(path));
    const rest = this.#now[mark].filter((other) => other !== one);
    this.take({ ...this.#now, [mark]: holds ? [...rest, one] : rest });
  }
}
