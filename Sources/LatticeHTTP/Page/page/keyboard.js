// Keys that work everywhere, unless something is being written.

import { byId } from "./dom.js";

const isWriting = (target) => target instanceof HTMLElement && (/^(TEXTAREA|SELECT)$/.test(target.tagName)
  || (target.tagName === "INPUT" && !/^(radio|checkbox|color|button)$/.test(target.type)));

export function listenToKeys(app) {
  document.addEventListener("keydown", (event) => {
    // A dialog has the keys for itself.
    if (event.target.closest?.("dialog")) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.isComposing) return;
    if (event.altKey) {
      const go = { ArrowUp: () => app.rooms.step(-1), ArrowDown: () => app.rooms.step(1), a: () => app.rooms.nextUnread() }[event.key];
      if (!go || app.route.name !== "rooms") return;
      event.preventDefault();
      go();
      return;
    }
    if (event.key === "Escape") {
      if (escape(app, event.target)) event.preventDefault();
      return;
    }
    if (isWriting(event.target)) return;
    const act = {
      "/": () => search(app),
      n: () => app.mayWrite && app.go("#/new"),
      e: () => app.mayWrite && app.go("#/new/event"),
      h: () => app.recentre(),
      g: () => showMap(app),
      r: () => app.go("#/"),
      "1": () => app.go("#/"), "2": () => app.go("#/posts"), "3": () => app.go("#/people"), "4": () => app.go("#/mesh"),
      "?": () => app.showKeys(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function showMap(app) {
  if (app.route.tab !== "map") app.go("#/posts");
  requestAnimationFrame(() => byId("map").focus());
}

/// The field in the bar, or where the bar has no room for one that of the view.
function search(app) {
  const field = [...document.querySelectorAll("input[type=search]")].find((one) => one.checkVisibility());
  if (field) field.focus();
  else app.go("#/messages");
}

/// Esc takes back one thing at a time: a card, what is written in, the view.
function escape(app, target) {
  if (app.card.isOpen) app.card.close();
  else if (target.id === "search" && target.value !== "") target.value = "";
  else if (app.route?.name === "rooms" && app.rooms.closeAbout()) return true;
  else if (["newPost", "newEvent", "newPlace", "here", "item", "person", "messages"].includes(app.route?.name)) app.back();
  else if (isWriting(target)) target.blur();
  else return false;
  return true;
}
