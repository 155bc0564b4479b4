// What the forms for a new post and a new event share: the frame, and the place, which can be pointed at on the map.

import { make } from "./dom.js";
import { PlaceField } from "./placefield.js";

export const labelled = (label, control) =>
  make("div", { class: "field" }, make("label", { for: control.id }, label), control);

export const line = (id, value, max) =>
  make("input", { type: "text", id, value: value ?? "", autocomplete: "off", maxlength: String(max) });

export const select = (id, values, chosen) => make("select", { id }, values.map(([value, words]) =>
  make("option", { value, selected: String(value) === String(chosen) }, words)));

/// A view with a form. `first` has the focus at the beginning, `place` is what a click on the map sets.
export function composer(app, { title, send, fields, first, place, submit }) {
  const fault = make("p", { class: "fault", role: "alert" });
  const heading = make("h2", { tabindex: "-1" }, title);
  const cancel = () => {
    app.draft = {};
    app.go("#/posts");
  };
  const form = make("form", { class: "stack", novalidate: true, onsubmit: (event) => { event.preventDefault(); submit(); } },
    ...fields, fault,
    make("div", { class: "inline" },
      make("button", { type: "submit", class: "button primary" }, send),
      make("button", { type: "button", class: "button", onclick: cancel }, "Cancel")));
  return {
    title, heading, fault, element: make("div", { class: "view" }, heading, form),
    picks: (point) => place.set(point), enter: () => first.focus(), leave: () => app.map.setMark(null),
  };
}

/// Where it goes: what was chosen before, else where one is.
export function draftPlace(app, label) {
  const point = app.draft.point ?? app.here ?? null;
  app.map.setMark(point);
  return new PlaceField(app, { label, point, onChange: (chosen) => {
    app.draft.point = chosen;
    app.map.setMark(chosen);
  } });
}
