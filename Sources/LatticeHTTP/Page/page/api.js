// What the page asks of the node: one function that asks, one kind of error that says what to do.

import { TOKEN_KEY, keep, kept } from "./kept.js";

const ANSWER_WAIT_MS = 20_000;

/// Why something was not done, as a sentence for people. `status` is 0 where the node could not be reached.
export class ApiError extends Error {
  constructor(status, code, words, errors = [], similar = []) {
    super(words);
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.similar = similar;
  }
}

export const hasToken = (hash) => hash.startsWith("#token=");

/// The token of the link that the node printed: kept until somebody signs out, and out of the address bar and the history.
///
/// Not in a cookie: a browser sends those to every server of the same host, whatever its port and owner, and with
/// requests that other pages make.
export function takeToken() {
  if (hasToken(location.hash)) {
    const [, token] = /^#token=([\w-]{22,128})$/.exec(location.hash) ?? [];
    if (token) keep(TOKEN_KEY, token);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return kept(TOKEN_KEY);
}

/// What the server said, as an error with words: problem details (RFC 9457), the shapes of Humon's paths, or neither.
export function errorOf(status, body) {
  const faults = Array.isArray(body?.errors) ? body.errors : [];
  const reasons = faults.map((fault) => (typeof fault === "string" ? fault : fault?.reason)).filter(Boolean);
  const said = reasons.length > 1 ? reasons.join(". ") : reasons[0] ?? body?.detail ?? body?.message ?? body?.title;
  return new ApiError(status, body?.code ?? "", sentence(said || fallback(status)), faults, body?.similar);
}

function fallback(status) {
  if (status === 401) return "you can read but not write: open the link that 'lattice web' prints";
  if (status === 429) return "too many requests: wait a moment, then try again";
  if (status >= 500) return "the node could not do that: try again; its log says more";
  return `the node refused that (${status})`;
}

export function sentence(words) {
  const text = String(words).trim();
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}

export const unreachable = () =>
  new ApiError(0, "unreachable", "No connection to the node. Check that it runs, then try again.");

export function queryText(query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length > 0 ? `?${new URLSearchParams(given)}` : "";
}

/// What says of an answer whose it is.
const OWN = ["mine", "liked", "attending", "followed"];

export class Api {
  /// Whether the person has no name here and may get one.
  isLooking = false;
  /// `gate(ask)` does what `ask` asks for, once the person has a name.
  gate = null;

  constructor(token, { fetch: ask = (...given) => fetch(...given) } = {}) {
    this.token = token;
    this.ask = ask;
  }

  get headers() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  get(path, query, signal) {
    return this.send("GET", path + queryText(query), undefined, signal);
  }

  post(path, body, headers) { return this.send("POST", path, body, undefined, headers); }
  put(path, body) { return this.send("PUT", path, body); }
  patch(path, body) { return this.send("PATCH", path, body); }
  delete(path) { return this.send("DELETE", path); }

  /// A file, sent with how far it is: `fetch` does not say that. `onProgress(bytes)`.
  ///
  /// - Returns: what the node made of it.
  /// - Throws: `ApiError`, `unreadable` if the browser cannot read the file; an `AbortError` if `signal` is aborted.
  upload(path, file, { onProgress, signal }) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", `/v1${path}`);
      const headers = { ...this.headers, Accept: "application/json", "Content-Type": "application/octet-stream" };
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
      request.addEventListener("load", () => {
        const answer = parsed(request.responseText);
        if (request.status === 201) resolve(answer);
        else reject(errorOf(request.status, answer));
      });
      // A browser does not say whether the file or the node is the reason.
      request.addEventListener("error", () => file.slice(0, 1).arrayBuffer().then(
        () => reject(unreachable()), () => reject(new ApiError(0, "unreadable", "It cannot be read."))));
      request.addEventListener("abort", () => reject(signal.reason));
      signal.addEventListener("abort", () => request.abort());
      request.send(file);
    });
  }

  /// An answer that is read as it comes, however long that takes.
  ///
  /// - Throws: `ApiError`; an `AbortError` where `signal` said so.
  async bytes(path, signal) {
    let response;
    try {
      response = await this.ask(`/v1${path}`, {
        headers: this.headers, signal, cache: "no-cache", redirect: "error", referrerPolicy: "no-referrer",
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw unreachable();
    }
    if (!response.ok) throw errorOf(response.status, parsed(await response.text()));
    return response;
  }

  /// - Throws: `ApiError`; an `AbortError` where `signal` said so.
  send(method, path, body, signal, headers) {
    const ask = () => this.#send(method, path, body, signal, headers);
    return this.gate && method !== "GET" && !path.startsWith("/visit") ? this.gate(ask) : ask();
  }

  async #send(method, path, body, signal, headers = {}) {
    const limit = AbortSignal.timeout(ANSWER_WAIT_MS);
    const request = {
      method,
      headers: {
        ...this.headers, ...headers, Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal && AbortSignal.any ? AbortSignal.any([signal, limit]) : signal ?? limit,
      cache: "no-cache",
      redirect: "error",
      referrerPolicy: "no-referrer",
      // What is taken back is taken back also while the page closes.
      keepalive: method === "DELETE",
    };
    let response;
    let text;
    try {
      response = await this.ask(`/v1${path}`, request);
      text = await response.text();
    } catch (error) {
      if (signal?.aborted) throw error;
      throw unreachable();
    }
    const answer = parsed(text, this.isLooking ? (path.startsWith("/people") ? [...OWN, "me"] : OWN) : []);
    if (!response.ok) throw errorOf(response.status, answer);
    return answer;
  }
}

/// `others`: fields that are true for the owner of the node and not for the person.
function parsed(text, others = []) {
  if (text === "") return {};
  try {
    return JSON.parse(text, others.length > 0 ? (name, value) => (others.includes(name) ? false : value) : undefined);
  } catch {
    return {};
  }
}
