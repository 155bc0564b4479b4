// A new post, and a new event. What is being written lies in `app.draft`, so that one can look at the map and come back.

import { note, noteFault } from "./announce.js";
import { nextTicket } from "./acts.js";
import { make, setText } from "./dom.js";
import { distance } from "./geo.js";
import { PlaceField } from "./placefield.js";
import { TextField } from "./textfield.js";

const DAY = 86_400;
const LIFETIMES = [[3_600, "1 hour"], [DAY, "1 day"], [7 * DAY, "7 days"], [30 * DAY, "30 days"], [365 * DAY, "1 year"]];
const BLURS = [["", "exact"], ["7", "within about 150 m"], ["6", "within about 1 km"], ["5", "within about 5 km"]];

const select = (id, values, chosen) => make("select", { id }, values.map(([value, words]) =>
  make("option", { value, selected: String(value) === String(chosen) }, words)));
const labelled = (label, control) => make("div", { class: "field" }, make("label", { for: control.id }, label), control);

function frame(app, { words, fields, send, submit }) {
  const fault = make("p", { class: "fault", role: "alert" });
  const heading = make("h2", { tabindex: "-1" }, words);
  const form = make("form", { class: "stack", novalidate: true, onsubmit: (event) => { event.preventDefault(); submit(); } }, ...fields, fault,
    make("div", { class: "inline" }, make("button", { type: "submit", class: "button primary" }, send),
      make("button", { type: "button", class: "button", onclick: () => { app.draft = {}; app.go("#/wall"); } }, "Cancel")));
  return { heading, fault, element: make("div", { class: "view" }, heading, form) };
}

export function postView(app) {
  const { draft } = app;
  const text = new TextField({ label: "What do you leave?", max: app.me.limits.text_clusters, value: draft.text ?? "", placeholder: "Water at the gate" });
  const place = placeOf(app, "Where?");
  const name = make("input", { type: "text", id: "place-name", value: draft.placeName ?? "", autocomplete: "off", maxlength: "100" });
  const lifetime = select("lifetime", LIFETIMES, draft.lifetime ?? 30 * DAY);
  const blur = select("blur", BLURS, draft.blur ?? "");
  const parts = frame(app, {
    words: "New post", send: "Post", submit,
    fields: [text.element, place.element, make("details", { open: Boolean(draft.placeName || draft.blur) }, make("summary", {}, "More"),
      make("div", { class: "stack" }, labelled("What people call the place", name), labelled("How long it stays", lifetime), labelled("How exactly others see the place", blur)))],
  });
  setText(parts.fault, draft.fault ?? "");
  const keep = () => Object.assign(draft, { text: text.value, placeName: name.value, lifetime: lifetime.value, blur: blur.value, fault: "" });
  parts.element.addEventListener("input", keep);
  parts.element.addEventListener("change", keep);

  function submit() {
    keep();
    const words = text.take();
    const point = place.take();
    if (words === null || !point) return;
    send(app, { text: words, lat: point.lat, lon: point.lon, lifetime_seconds: Number(lifetime.value),
      ...(name.value.trim() ? { place_name: name.value.trim() } : {}), ...(blur.value ? { blur: Number(blur.value) } : {}) });
  }
  return { ...parts, title: "New post", picks: (point) => place.set(point), enter: () => text.focus(), leave: () => app.map.setMark(null) };
}

function placeOf(app, label) {
  const point = app.draft.point ?? app.here ?? null;
  const place = new PlaceField(app, { label, point, onChange: (chosen) => {
    app.draft.point = chosen;
    app.map.setMark(chosen);
  } });
  app.map.setMark(point);
  return place;
}

/// Shown at once; if the node does not agree, it goes again and the words come back to the form.
async function send(app, body) {
  const ticket = nextTicket();
  const { draft } = app;
  const item = { id: `draft-${ticket}`, kind: "post", state: "shown", isDraft: true, mine: true, author: app.me, at: new Date(app.now()).toISOString(),
    text: body.text, place_name: body.place_name, lat: body.lat, lon: body.lon, blur: body.blur, likes: 0, comments: 0, attendees: 0,
    ...(app.here ? { metres: distance(app.here, body) } : {}) };
  app.draft = {};
  app.wall.store.dispatch({ type: "adding", ticket, item });
  app.go("#/wall");
  try {
    const made = await app.api.post("/posts", body);
    app.wall.store.dispatch({ type: "settled", ticket, item: made });
    note(made.waiting ? "Posted. It goes to others when somebody comes." : "Posted.");
    app.wall.refresh();
  } catch (error) {
    app.wall.store.dispatch({ type: "undone", ticket });
    noteFault(error, "It was not posted.");
    app.draft = { ...draft, fault: error.message };
    app.go("#/new");
  }
}

export function eventView(app) {
  const { draft } = app;
  const title = make("input", { type: "text", id: "event-name", value: draft.name ?? "", autocomplete: "off", maxlength: "140" });
  const address = make("input", { type: "text", id: "event-address", value: draft.address ?? "", autocomplete: "off", maxlength: "140" });
  const starts = make("input", { type: "datetime-local", id: "event-starts", value: draft.starts ?? "" });
  const ends = make("input", { type: "datetime-local", id: "event-ends", value: draft.ends ?? "" });
  const place = placeOf(app, "Where on the map?");
  const parts = frame(app, {
    words: "New event", send: "Announce", submit,
    fields: [labelled("What is it called?", title), labelled("It starts", starts), labelled("It ends (if that is known)", ends), place.element, labelled("Address", address)],
  });
  parts.element.addEventListener("input", () =>
    Object.assign(draft, { name: title.value, address: address.value, starts: starts.value, ends: ends.value }));

  async function submit() {
    const point = place.take();
    const missing = title.value.trim() === "" ? "Say what it is called." : starts.value === "" ? "Say when it starts."
      : ends.value && ends.value < starts.value ? "It ends before it starts: change one of the two." : "";
    setText(parts.fault, missing);
    if (missing || !point) return;
    const event = { name: title.value.trim(), address: address.value.trim(), lat: point.lat, lon: point.lon, started_at: new Date(starts.value).toISOString(),
      ...(ends.value ? { ended_at: new Date(ends.value).toISOString() } : {}) };
    try {
      await app.api.post("/events", { event });
      app.draft = {};
      note("Announced.");
      app.go("#/events");
      app.wall.refresh();
    } catch (error) {
      setText(parts.fault, error.message);
    }
  }
  return { ...parts, title: "New event", picks: (point) => place.set(point), enter: () => title.focus(), leave: () => app.map.setMark(null) };
}
