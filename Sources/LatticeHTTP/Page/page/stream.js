// What happens, as the node tells it. By `fetch` and not by `EventSource`, which can send no token and says of a failure
// neither that nor why.

import { EventParser } from "./eventparser.js";

const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 15_000;
/// The node says something every 15 s; after three of them have not come the connection is dead, whatever TCP thinks.
const SILENCE_MAX_MS = 45_000;

/// How long to wait before the next attempt: doubled each time, with chance in it, so that many pages do not come at once.
export function retryWait(attempt, chance) {
  const full = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(attempt, 10));
  return full / 2 + (full / 2) * chance;
}

export class Stream {
  #stopped = false;
  #controller = null;
  #wake = null;
  #attempt = 0;
  #lastId = "";

  /// `onEvent(name, value)`; `onState(state, milliseconds)` with `live`, `waiting` (until the next attempt) or `refused`.
  constructor({ api, onEvent, onState }) {
    this.api = api;
    this.onEvent = onEvent;
    this.onState = onState;
  }

  async run() {
    while (!this.#stopped) {
      const refused = await this.#once();
      if (this.#stopped) return;
      if (refused) {
        this.onState("refused", 0);
        return;
      }
      const wait = retryWait(this.#attempt, Math.random());
      this.#attempt += 1;
      this.onState("waiting", wait);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, wait);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /// Tries at once.
  hurry() {
    this.#attempt = 0;
    this.#wake?.();
  }

  stop() {
    this.#stopped = true;
    this.#controller?.abort();
    this.#wake?.();
  }

  /// One connection from its beginning to its end. Whether another attempt is in vain.
  async #once() {
    this.#controller = new AbortController();
    const parser = new EventParser();
    let silence = null;
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => this.#controller.abort(), SILENCE_MAX_MS);
    };
    try {
      heard();
      const response = await fetch("/v1/stream", {
        headers: { ...this.api.headers, Accept: "text/event-stream", ...(this.#lastId ? { "Last-Event-ID": this.#lastId } : {}) },
        signal: this.#controller.signal,
        cache: "no-store",
      });
      if (!response.ok || !response.body) return response.status === 401 || response.status === 403;
      this.#attempt = 0;
      this.onState("live", 0);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return false;
        heard();
        for (const event of parser.take(value)) this.#tell(event);
      }
    } catch {
      return false;
    } finally {
      clearTimeout(silence);
    }
  }

  #tell(event) {
    if (event.id) this.#lastId = event.id;
    let value;
    try {
      value = JSON.parse(event.data);
    } catch {
      return;
    }
    this.onEvent(event.name, value);
  }
}
