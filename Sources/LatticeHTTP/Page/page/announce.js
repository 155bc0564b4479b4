// What arrives is said: to those who listen in a live region, to those who look in a note that goes by itself.

import { byId, make, setText } from "./dom.js";
import { Turns } from "./turns.js";

/// No note takes the place of one that is newer: nobody would have read that.
const READ_MS = 2_000;
const WAITING_MAX = 3;
const NOTE_MS = 4_000;
/// Longer if it has a button, which has to be reached.
const ACT_MS = 6_000;

/// Said when the reader has finished what it is saying. The same words twice are said twice.
export function say(words) { speak(byId("polite"), words); }

/// Said at once, whatever the reader is saying.
export function alarm(words) { speak(byId("urgent"), words); }

function speak(region, words) {
  const again = region.textContent === words;
  setText(region, again ? `${words}\u00a0` : words);
}

const turns = new Turns({ least: READ_MS, most: WAITING_MAX, show: showNote, drop: ({ gone }) => gone() });

/// A note at the edge of the page, which takes the place of the one before as soon as that could be read. `bad` for what went wrong:
/// that is said at once and stays until it is closed or another one comes. `act`: {words, do}, what can be done about it. `gone()` is
/// called when the note goes by itself or is closed.
export function note(words, { bad = false, act = null, gone = () => {} } = {}) {
  if (bad) alarm(words);
  turns.add({ words, bad, act, gone });
}

function showNote({ words, bad, act, gone }) {
  shownNote()?.end();
  let timer = null;
  const end = () => {
    clearTimeout(timer);
    if (!element.isConnected) return;
    element.remove();
    gone();
  };
  const leave = () => {
    if (!element.isConnected) return;
    end();
    turns.next();
  };
  const wait = () => {
    clearTimeout(timer);
    if (!bad) timer = setTimeout(leave, act ? ACT_MS : NOTE_MS);
  };
  const button = act ? make("button", { class: "toast-act", onclick: () => {
    gone = () => {};
    leave();
    act.do();
  } }, act.words) : make("button", { "aria-label": "Close", onclick: leave }, "✕");
  const element = make("div", { class: bad ? "toast bad" : "toast" }, make("p", {}, words), button);
  Object.assign(element, { leave, end });
  // It stays while the pointer or the focus is on it.
  for (const name of ["pointerenter", "pointerdown", "focusin"]) element.addEventListener(name, () => clearTimeout(timer));
  for (const name of ["pointerleave", "focusout"]) element.addEventListener(name, wait);
  byId("toasts").append(element);
  if (!bad) say(words);
  wait();
}

const shownNote = () => byId("toasts").firstElementChild;

/// Closes the note that is shown and those that wait for their turn, and does what waited for their end.
export function leaveNotes() {
  turns.clear();
  shownNote()?.leave();
}

/// What went wrong, in the words of the part that knows.
export function noteFault(error, before = "") {
  // Somebody was asked for a name and would rather look around.
  if (error.code !== "nameNeeded") note([before, error.message].filter(Boolean).join(" "), { bad: true });
}
