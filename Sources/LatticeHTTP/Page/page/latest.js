// Of several questions of one kind only the newest counts.

/// Asking anew ends the question before it, and an answer that comes late all the same is dropped.
export class Latest {
  #current = null;

  /// Whether an answer is on its way, which may have been given before something changed.
  get isAsking() { return this.#current !== null; }

  /// - Returns: {answer}, or `null` if something newer was asked meanwhile.
  /// - Throws: what `ask` throws, unless something newer was asked.
  async run(ask) {
    this.#current?.abort();
    const mine = new AbortController();
    this.#current = mine;
    try {
      const answer = await ask(mine.signal);
      return this.#isOver(mine) ? { answer } : null;
    } catch (error) {
      if (!this.#isOver(mine)) return null;
      throw error;
    }
  }

  /// Whether it was the newest.
  #isOver(mine) {
    if (mine !== this.#current) return false;
    this.#current = null;
    return true;
  }

  /// Whatever is still on its way is not wanted any more.
  drop() {
    this.#current?.abort();
    this.#current = null;
  }
}

/// Calls `act` once after things have been quiet for `quiet` milliseconds, and at the latest `longest` after the first call.
export function gathered(act, quiet = 150, longest = 1_000) {
  let timer = null;
  let first = 0;
  return () => {
    const now = performance.now();
    if (timer === null) first = now;
    else clearTimeout(timer);
    const wait = Math.max(0, Math.min(quiet, first + longest - now));
    timer = setTimeout(() => {
      timer = null;
      act();
    }, wait);
  };
}
