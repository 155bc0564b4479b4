// The place of this browser: kept here and sent with questions. The node has a place of its own, which only a tick moves.

import { note, noteFault } from "./announce.js";
import { make, setText } from "./dom.js";
import { isPlace } from "./geo.js";
import { HERE_KEY, WATCH_KEY, forget, keep, kept } from "./kept.js";
import { viewHead } from "./people.js";
import { PlaceField } from "./placefield.js";
import { nameOf } from "./text.js";

/// Whether the browser runs on the machine of the node.
const isNodesMachine = () => /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);

export async function loadHere(app) {
  const own = keptHere();
  if (own) return own;
  // On one machine the place of the terminal is that of the browser, until it has another.
  const found = app.visit.owner && isNodesMachine() ? await app.api.get("/here") : null;
  return isPlace(found) ? { lat: found.lat, lon: found.lon } : null;
}

function keptHere() {
  try {
    const found = JSON.parse(kept(HERE_KEY) ?? "null");
    return isPlace(found) ? { lat: found.lat, lon: found.lon } : null;
  } catch {
    return null;
  }
}

/// Whether the place follows the receiver of this machine.
let watch = null;

/// Follows where this machine is, if somebody wanted that here before and the browser still allows it.
export function watchHere(app) {
  if (watch !== null || kept(WATCH_KEY) === null || !mayAsk()) return;
  watch = navigator.geolocation.watchPosition(
    ({ coords }) => app.movedTo({ lat: coords.latitude, lon: coords.longitude }),
    // The place is no longer known: the last one stays.
    () => {},
    { enableHighAccuracy: true, maximumAge: 10_000 });
}

function stopWatch() {
  forget(WATCH_KEY);
  if (watch !== null) navigator.geolocation.clearWatch(watch);
  watch = null;
}

const mayAsk = () => window.isSecureContext && "geolocation" in navigator;

/// `null` forgets it.
export function saveHere(point) {
  if (point) keep(HERE_KEY, JSON.stringify(point));
  else forget(HERE_KEY);
}

/// The place of the reader in words.
export function placeWords(app, point) {
  const name = app.posts.nameAt(point);
  return name ? `You are at: ${name}.` : "Your place is set.";
}

export function hereView(app) {
  const heading = make("h2", { tabindex: "-1" }, "Where are you?");
  const field = new PlaceField(app, {
    label: "Place", point: app.here, at: "I’m at", onChange: (point) => app.map.setMark(point), onPlace: ({ lat, lon }) => set({ lat, lon }),
  });
  const state = make("p", { class: "soft", role: "status" });
  const browser = make("button", { class: "button", onclick: askBrowser }, "Use my location");
  const gpsd = make("button", { class: "button", onclick: askGPSD }, "Use the GPS receiver");
  const forgetButton = make("button", { class: "button danger", onclick: () => set(null) }, "Forget my place");
  const moves = make("input", { type: "checkbox", id: "moves-node" });
  const alsoNode = make("label", { class: "tick", for: "moves-node" }, moves,
    `Also move ${nameOf(app.me)}’s place on the node, which the terminal uses`);
  const element = make("div", { class: "view" },
    viewHead(app, heading),
    make("p", { class: "soft" },
      "You can read posts near you. Your place stays in this browser; the node gets it with a search and does not store it."),
    make("form",
      { class: "stack", onsubmit: (event) => { event.preventDefault(); const point = field.take(); if (point) set(point); } },
      field.element, app.visit.owner ? alsoNode : null, make("button", { type: "submit", class: "button primary" }, "I am here")),
    make("div", { class: "inline" }, mayAsk() ? browser : null, app.visit.owner && isNodesMachine() ? gpsd : null,
      app.here ? forgetButton : null),
    mayAsk() ? null : make("p", { class: "hint" },
      "This browser shares your location only with HTTPS pages. Choose a point on the map, or type it."),
    state);

  async function set(point, isWatched = false) {
    try {
      stopWatch();
      if (point && moves.checked) await app.api.put("/here", point);
      await app.setHere(point);
      if (isWatched) {
        keep(WATCH_KEY, "1");
        watchHere(app);
      }
      note(point ? placeWords(app, point) : "Your place is forgotten.");
      app.go("#/posts");
    } catch (error) {
      noteFault(error);
    }
  }

  function askBrowser() {
    setText(state, "Waiting for the browser…");
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => set({ lat: coords.latitude, lon: coords.longitude }, true),
      (error) => setText(state,
        error.code === 1 ? "The browser does not share your location. Allow it next to the address, or choose a point on the map."
        : "The browser does not know your location. Choose a point on the map, or type it."),
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 });
  }

  async function askGPSD() {
    setText(state, "Waiting for the GPS receiver…");
    try {
      const found = await app.api.post("/here/gpsd");
      await set({ lat: found.lat, lon: found.lon });
    } catch (error) {
      setText(state, error.message);
    }
  }

  return {
    element, heading, title: "Your place", picks: (point) => field.set(point), named: () => field.draw(), enter: () => heading.focus(),
    leave: () => app.map.setMark(null),
  };
}
