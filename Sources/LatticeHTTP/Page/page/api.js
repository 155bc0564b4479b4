// What the page asks of the node: one function that asks, one kind of error that says what to do.

const TOKEN_KEY = "lattice token";
const ANSWER_WAIT_MS = 20_000;

/// Why something was not done, as a sentence for people. `status` is 0 where the node could not be reached.
export class ApiError extends Error {
  constructor(status, code, words, errors = []) {
    super(words);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/// The token of the link that the node printed: kept for this tab alone, and out of the address bar and the history.
export function takeToken() {
  const found = /^#token=([\w-]{16,128})$/.exec(location.hash);
  if (found) {
    sessionStorage.setItem(TOKEN_KEY, found[1]);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(TOKEN_KEY);
}

export const dropToken = () => sessionStorage.removeItem(TOKEN_KEY);

/// What the server said, as an error with words: problem details (RFC 9457), the shapes of Humon's paths, or neither.
export function errorOf(status, body) {
  const faults = Array.isArray(body?.errors) ? body.errors : [];
  const reasons = faults.map((fault) => (typeof fault === "string" ? fault : fault?.reason)).filter(Boolean);
  const said = reasons.length > 1 ? reasons.join(". ") : reasons[0] ?? body?.detail ?? body?.message ?? body?.title;
  return new ApiError(status, body?.code ?? "", sentence(said || fallback(status)), faults);
}

function fallback(status) {
  if (status === 401) return "this page may only look: open the link that the node printed when it started";
  if (status === 429) return "that was too much at once: wait a moment, then try again";
  if (status >= 500) return "the node could not do that: try again, and look at what it logs";
  return `the node refused that (${status})`;
}

export function sentence(words) {
  const text = String(words).trim();
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}

export const unreachable = () =>
  new ApiError(0, "unreachable", "The node cannot be reached: look whether it still runs, then try again.");

export function queryText(query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length > 0 ? `?${new URLSearchParams(given)}` : "";
}

export class Api {
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

  post(path, body) { return this.send("POST", path, body); }
  put(path, body) { return this.send("PUT", path, body); }
  patch(path, body) { return this.send("PATCH", path, body); }
  delete(path) { return this.send("DELETE", path); }

  /// - Throws: `ApiError`; an `AbortError` where `signal` said so.
  async send(method, path, body, signal) {
    const limit = AbortSignal.timeout(ANSWER_WAIT_MS);
    const request = {
      method,
      headers: {
        ...this.headers, Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal && AbortSignal.any ? AbortSignal.any([signal, limit]) : signal ?? limit,
      cache: "no-cache",
      redirect: "error",
      referrerPolicy: "no-referrer",
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
    const answer = parsed(text);
    if (!response.ok) throw errorOf(response.status, answer);
    return answer;
  }
}

function parsed(text) {
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
