// What arrives is said: to those who listen in a live region, to those who look in a note that goes by itself.

import { byId, make, setText } from "./dom.js";

const NOTES_MAX = 4;
const NOTE_MS = 7_000;

/// Said when the reader has finished what it is saying. The same words twice are said twice.
export function say(words) { speak(byId("polite"), words); }

/// Said at once, whatever the reader is saying.
export function alarm(words) { speak(byId("urgent"), words); }

function speak(region, words) {
  const again = region.textContent === words;
  setText(region, again ? `${words}\u00a0` : words);
}

/// A note at the edge of the page; `bad` for what went wrong, which is also said at once and stays until it is closed.
export function note(words, { bad = false } = {}) {
  const notes = byId("toasts");
  // The same words again take the place of those that stand there.
  for (const one of [...notes.children]) if (one.firstElementChild.textContent === words) one.remove();
  const close = make("button", { "aria-label": "Close", onclick: () => element.remove() }, "✕");
  const element = make("div", { class: bad ? "toast bad" : "toast" }, make("p", {}, words), close);
  notes.append(element);
  while (notes.children.length > NOTES_MAX) notes.firstElementChild.remove();
  if (bad) speak(byId("urgent"), words);
  else {
    say(words);
    setTimeout(() => element.remove(), NOTE_MS);
  }
}

/// What went wrong, in the words of whoever knows.
export function noteFault(error, before = "") {
  // Somebody was asked for a name and would rather look around.
  if (error.code !== "nameNeeded") note([before, error.message].filter(Boolean).join(" "), { bad: true });
}
