// Keys that work everywhere, unless something is being written.

import { byId } from "./dom.js";

const isWriting = (target) => target instanceof HTMLElement && (/^(TEXTAREA|SELECT)$/.test(target.tagName)
  || (target.tagName === "INPUT" && !/^(radio|checkbox|color|button)$/.test(target.type)));

export function listenToKeys(app) {
  document.addEventListener("keydown", (event) => {
    // A dialog has the keys for itself.
    if (event.target.closest?.("dialog")) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape") {
      if (escape(app, event.target)) event.preventDefault();
      return;
    }
    if (isWriting(event.target)) return;
    if (awaited !== null && event.key.length === 1) {
      awaited += event.key;
      event.preventDefault();
      return;
    }
    const act = {
      "/": () => search(app),
      n: () => app.mayWrite && app.go("#/new"),
      e: () => app.mayWrite && app.go("#/new/event"),
      h: () => app.recentre(),
      g: () => byId("map").focus(),
      r: () => app.go("#/rooms"),
      "1": () => app.go("#/posts"), "2": () => app.go("#/rooms"), "3": () => app.go("#/people"), "4": () => app.go("#/mesh"),
      "?": () => app.showKeys(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/// What is typed on while the field to search in is on its way; `null` if none is.
let awaited = null;

function search(app) {
  const field = byId("search");
  if (field) {
    field.focus();
    return;
  }
  app.go("#/posts");
  awaited ??= "";
  takeUp(60);
}

/// The view is there once the address has changed; not for longer than so many frames.
function takeUp(frames) {
  requestAnimationFrame(() => {
    const field = byId("search");
    if (!field && frames > 0) {
      takeUp(frames - 1);
      return;
    }
    field?.focus();
    if (field) field.value += awaited;
    awaited = null;
  });
}

/// Esc takes back one thing at a time: a card, what is written in, the view.
function escape(app, target) {
  if (app.card.isOpen) app.card.close();
  else if (target.id === "search" && target.value !== "") target.value = "";
  else if (["newPost", "newEvent", "here", "item", "person", "messages"].includes(app.route?.name)) app.back();
  else if (isWriting(target)) target.blur();
  else return false;
  return true;
}
