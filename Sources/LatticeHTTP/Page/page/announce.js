// What arrives is said: to those who listen in a live region, to those who look in a note that goes by itself.

import { byId, make, setText } from "./dom.js";

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

/// A note at the edge of the page, which takes the place of the one before. `bad` for what went wrong: that is said at once and stays
/// until it is closed. `act`: {words, do}, what can be done about it. `gone()` is called when the note goes by itself or is closed.
export function note(words, { bad = false, act = null, gone = () => {} } = {}) {
  leaveNote();
  let timer = null;
  const leave = () => {
    clearTimeout(timer);
    if (!element.isConnected) return;
    element.remove();
    gone();
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
  element.leave = leave;
  // It stays while the pointer or the focus is on it.
  for (const name of ["pointerenter", "pointerdown", "focusin"]) element.addEventListener(name, () => clearTimeout(timer));
  for (const name of ["pointerleave", "focusout"]) element.addEventListener(name, wait);
  byId("toasts").append(element);
  if (bad) speak(byId("urgent"), words);
  else say(words);
  wait();
}

/// Closes the note that is shown, and does what waited for its end.
export const leaveNote = () => byId("toasts").firstElementChild?.leave();

/// What went wrong, in the words of the part that knows.
export function noteFault(error, before = "") {
  // Somebody was asked for a name and would rather look around.
  if (error.code !== "nameNeeded") note([before, error.message].filter(Boolean).join(" "), { bad: true });
}
