// What the forms for a new post and a new event share: the frame, and the place, which can be pointed at on the map.

import { note } from "./announce.js";
import { make } from "./dom.js";
import { PhotoField } from "./photofield.js";
import { PlaceField } from "./placefield.js";

export const labelled = (label, control) =>
  make("div", { class: "field" }, make("label", { for: control.id }, label), control);

export const line = (id, value, max) =>
  make("input", { type: "text", id, value: value ?? "", autocomplete: "off", maxlength: String(max) });

export const select = (id, values, chosen) => make("select", { id }, values.map(([value, words]) =>
  make("option", { value, selected: String(value) === String(chosen) }, words)));

const NEW = [["#/new", "Post"], ["#/new/event", "Event"], ["#/new/place", "Place"]];

/// What of the three is made.
const choice = (app) => make("fieldset", { class: "choice-set", "aria-label": "What is new", onchange: ({ target }) => app.go(target.value) },
  make("div", { class: "choice" }, NEW.map(([hash, words]) => make("label", {},
    make("input", { type: "radio", name: "new", value: hash, checked: hash === location.hash }), make("span", {}, words)))));

/// A view with a form. `first` has the focus at the beginning, `place` is what a click on the map sets. `read()`: what is written,
/// or `null` with a word why it cannot be sent. `submit(body)` sends it. `also`: {words, submit}, what else can be done with it. `below`
/// stands behind the form's own parts.
export function composer(app, { title, send, fields, first, place, read, submit, also = null, below = null }) {
  const { photo } = app.draft;
  const fault = make("p", { class: "fault", role: "alert" });
  const heading = make("h2", { tabindex: "-1" }, title);
  const button = make("button", { type: "submit", class: "button primary" }, send);
  const other = also ? make("button", { class: "button also", onclick: () => begin(other, also.submit) }, also.words) : null;
  const cancel = () => {
    photo.stopWaiting();
    photo.drop();
    app.draft = {};
    app.go("#/posts");
  };
  const element = make("form", { class: "view compose", novalidate: true, onsubmit: (event) => { event.preventDefault(); begin(button, submit); } },
    make("div", { class: "view-head" }, make("button", { class: "button quiet", onclick: cancel }, "Cancel"), heading, button),
    choice(app), fault, ...fields, other, below);
  const begin = (pressed, give) => { if (read()) photo.whenReady(pressed, () => finish(give)); };
  const finish = (give) => {
    const body = read();
    const added = body ? photo.value() : null;
    if (added !== null) give({ ...body, photo: added });
  };
  return {
    title, heading, fault, element, picks: (point) => place.set(point), enter: () => first.focus(), named: () => place.draw(),
    leave() {
      app.map.setMark(null);
      if (photo.stopWaiting()) note(`Not sent yet: what you wrote is kept under ${title}.`);
    },
  };
}

/// The photo of what is being written. It comes along when one looks at the map and comes back.
export const draftPhoto = ({ draft, api }) => (draft.photo ??= new PhotoField(api, null, true)).element;

/// Where it goes: what was chosen before, else where one is.
export function draftPlace(app, label) {
  const point = app.draft.point ?? app.here ?? null;
  app.map.setMark(point);
  return new PlaceField(app, { label, point, onChange: (chosen) => {
    app.draft.point = chosen;
    app.map.setMark(chosen);
  } });
}
