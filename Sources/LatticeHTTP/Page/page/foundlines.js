// Messages found again: lines of rooms and private messages that contain all of the words, newest first.

import { noteFault } from "./announce.js";
import { make, replace, setText } from "./dom.js";
import { Latest } from "./latest.js";
import { KeyedList } from "./list.js";
import { viewHead } from "./people.js";
import { face, nameElement } from "./rows.js";
import { oneLine, pieces, plain, shortOf } from "./text.js";
import { timeElement } from "./time.js";

const PAGE = 30;
const EMPTY = "Nothing found. Try fewer words, or only the beginning of a word.";

/// The field to search in. What is typed becomes an address, so that the way back finds it.
export function messageSearch(app, words = "") {
  const field = make("input", {
    type: "search", id: "find", placeholder: "Search messages", "aria-label": "Search messages", autocomplete: "off", value: words,
  });
  return make("form", { class: "search grow narrow-only", role: "search", onsubmit: (event) => {
    event.preventDefault();
    const typed = field.value.trim();
    if (typed) app.go(`#/messages/${encodeURIComponent(typed)}`);
  } }, field, make("button", { class: "button", type: "submit" }, "Search"));
}

export function foundLinesView(app, words) {
  const heading = make("h2", { tabindex: "-1" }, words ? `Messages with “${oneLine(words)}”` : "Messages");
  const status = make("p", { class: "soft small-text", role: "status" });
  const list = new KeyedList({ label: "Found messages", keyOf, create: (line) => row(app, line, words) });
  const more = make("button", { class: "button", hidden: true, onclick: () => load() }, "Show older messages");
  const latest = new Latest();
  let [found, next] = [[], null];
  const load = async () => {
    if (!words) return;
    list.waits = true;
    setText(status, "");
    try {
      // A page may be shorter than asked for, even empty, and more may follow.
      do {
        const query = { words, limit: PAGE, after: next };
        const page = await latest.run((signal) => app.api.get("/search/lines", query, signal));
        if (!page) return;
        found = [...found, ...page.answer.items];
        next = page.answer.next ?? null;
      } while (found.length === 0 && next);
      list.show(found);
      setText(status, found.length === 0 ? EMPTY : "");
    } catch (error) {
      setText(status, error.message);
    }
    list.waits = false;
    more.hidden = !next;
  };
  const element = make("div", { class: "view" }, viewHead(app, heading), messageSearch(app, words), status, list.element, more);
  return {
    element, heading, title: "Messages", leave: () => latest.drop(),
    enter: () => { if (found.length === 0) load(); },
  };
}

const keyOf = (line) => line.record ?? `${line.at} ${line.from} ${line.text}`;
const personOf = (line) => ({ id: line.from, name: line.name, short: shortOf(line.from) });

/// A found line. Opened, it stands among those before and after it.
function row(app, line, words) {
  const author = personOf(line);
  const place = line.room
    ? make("a", { href: `#/rooms/${encodeURIComponent(line.room.slice(1))}` }, oneLine(line.room))
    : make("a", { href: `#/people/${line.peer}` }, "private message");
  const around = make("ol", { class: "around", "aria-label": "Messages around it", hidden: true });
  const text = make("span", { class: "words" }, pieces(plain(line.text), words).map(([piece, isFound]) => (isFound ? make("mark", {}, piece) : piece)));
  const link = line.record && line.room
    ? make("button", { class: "row-link found-link", "aria-expanded": "false", onclick: () => toggle() }, text)
    : make("span", { class: "row-link", tabindex: "-1" }, text);
  const toggle = async () => {
    const opens = around.hidden;
    try {
      if (opens && around.childElementCount === 0) replace(around, ...await linesAround(app, line));
      around.hidden = !opens;
      link.setAttribute("aria-expanded", String(opens));
    } catch (error) {
      noteFault(error);
    }
  };
  const element = make("li", { class: "row" }, face(author), make("div", { class: "main" },
    make("p", { class: "meta" }, nameElement(author), timeElement(line.at, app.now()), place,
      line.private && line.room ? "🔒 private" : null, line.edited ? "edited" : null), link, around));
  return { element, link, dress() {} };
}

async function linesAround(app, line) {
  const { items } = await app.api.get(`/lines/${line.record}/around`);
  return items.map((one) => make("li", { class: one.record === line.record ? "this" : null },
    nameElement(personOf(one)), " ", make("span", { class: "words" }, plain(one.text))));
}
