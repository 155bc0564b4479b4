// One thing after another, so that each can be read: what comes while one is quite new waits for its turn.

export class Turns {
  #waiting = [];
  /// Runs while what is shown is too new to be replaced.
  #timer = null;

  /// - least: how many milliseconds each is shown if nobody closes it.
  /// - most: how many wait. One more, and the oldest of them is dropped.
  /// - show(one): shows it in place of the one before. drop(one): it is not shown at all.
  constructor({ least, most, show, drop }) { Object.assign(this, { least, most, show, drop }); }

  add(one) {
    this.#waiting.push(one);
    if (this.#timer === null) this.next();
    else if (this.#waiting.length > this.most) this.drop(this.#waiting.shift());
  }

  /// What was shown is gone, or was shown long enough.
  next() {
    clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => this.next(), this.least);
    this.show(this.#waiting.shift());
  }

  /// Nothing waits any more.
  clear() { for (const one of this.#waiting.splice(0)) this.drop(one); }
}
