// Where one is: known to the node (or, where one may only look, to this tab) and to nobody else.

import { note, noteFault } from "./announce.js";
import { make, setText } from "./dom.js";
import { isPlace, placeText } from "./geo.js";
import { PlaceField } from "./placefield.js";

const HERE_KEY = "lattice here";

export async function loadHere(app) {
  const found = app.me.writable ? await app.api.get("/here") : JSON.parse(sessionStorage.getItem(HERE_KEY) ?? "{}");
  return isPlace(found) ? { lat: found.lat, lon: found.lon } : null;
}

/// `null` forgets it.
export async function saveHere(app, point) {
  if (!app.me.writable) sessionStorage.setItem(HERE_KEY, JSON.stringify(point ?? {}));
  else if (point) await app.api.put("/here", point);
  else await app.api.delete("/here");
}

export function hereView(app) {
  const heading = make("h2", { tabindex: "-1" }, "Where are you?");
  const field = new PlaceField(app, { label: "Place", point: app.here, onChange: (point) => app.map.setMark(point) });
  const state = make("p", { class: "soft", role: "status" });
  const browser = make("button", { type: "button", class: "button", onclick: askBrowser }, "Ask this browser");
  const gpsd = make("button", { type: "button", class: "button", onclick: askGPSD }, "Ask the GPS receiver");
  const forget = make("button", { type: "button", class: "button danger", onclick: () => set(null) }, "Forget it");
  const mayAsk = window.isSecureContext && "geolocation" in navigator;
  const element = make("div", { class: "view" },
    make("a", { class: "button quiet back", href: "#/wall" }, "← Back"), heading,
    make("p", { class: "soft" },
      app.me.writable ? "What was left around you is what you can read. Where you are stays on this machine."
      : "What was left around you is what you can read. Where you are stays in this tab."),
    make("form",
      { class: "stack", onsubmit: (event) => { event.preventDefault(); const point = field.take(); if (point) set(point); } },
      field.element, make("button", { type: "submit", class: "button primary" }, "I am here")),
    make("div", { class: "inline" }, mayAsk ? browser : null, app.me.writable ? gpsd : null, app.here ? forget : null),
    mayAsk ? null : make("p", { class: "hint" },
      "This browser tells a page where you are only on the node's own machine or over HTTPS: point at the map, or type it."),
    state);

  async function set(point) {
    try {
      await app.setHere(point);
      note(point ? `You are at ${placeText(point)}.` : "Where you are is forgotten.");
      app.go("#/wall");
    } catch (error) {
      noteFault(error);
    }
  }

  function askBrowser() {
    setText(state, "Asking the browser…");
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => set({ lat: coords.latitude, lon: coords.longitude }),
      (error) => setText(state,
        error.code === 1 ? "The browser may not say where you are: allow it beside the address, or point at the map."
        : "The browser does not know where you are: point at the map, or type it."),
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 });
  }

  async function askGPSD() {
    setText(state, "Asking gpsd…");
    try {
      const found = await app.api.post("/here/gpsd");
      if (!isPlace(found)) throw new Error("The GPS receiver does not know where you are yet: try again under the open sky.");
      await set({ lat: found.lat, lon: found.lon });
    } catch (error) {
      setText(state,
        error.status === 404 || error.status === 405
          ? "This node cannot ask a GPS receiver: point at the map, or type where you are." : error.message);
    }
  }

  return {
    element, heading, title: "Where you are", picks: (point) => field.set(point), enter: () => heading.focus(),
    leave: () => app.map.setMark(null),
  };
}
