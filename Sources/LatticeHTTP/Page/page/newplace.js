// A new named place.

import { note } from "./announce.js";
import { composer, draftPhoto, draftPlace } from "./compose.js";
import { make, replace, setText } from "./dom.js";
import { distanceText } from "./geo.js";
import { PlaceForm } from "./placeform.js";
import { oneLine } from "./text.js";
import { TextField } from "./textfield.js";

export function newPlaceView(app) {
  const { draft } = app;
  const form = new PlaceForm({ title: draft.name ?? draft.placeName, category: draft.category, hours: draft.hours });
  const text = new TextField({ label: "What is there? (optional)", max: app.me.limits.text_clusters, rows: 2, value: draft.text });
  const similar = make("div", { class: "stack", role: "alert", hidden: true });
  const place = draftPlace(app, "Where?");
  // Where another place is, is no place for a new one.
  place.offers.remove();
  const view = composer(app, {
    title: "Name a place", send: "Save", first: form.name, place, read, submit,
    fields: [similar, ...form.elements, text.element, draftPhoto(app), place.element],
  });
  view.element.addEventListener("input", () => {
    const { name, kind, hours } = form.value;
    Object.assign(draft, { name, category: kind, hours, text: text.value });
    similar.hidden = true;
  });

  function read() {
    const { name, kind, hours } = form.value;
    const point = place.take();
    const words = text.value.trim() ? text.take() : "";
    setText(view.fault, name ? "" : "Enter a name.");
    return !name || !point || words === null ? null
      : { name, lat: point.lat, lon: point.lon, ...(kind ? { kind } : {}), ...(hours ? { hours } : {}), ...(words ? { text: words } : {}) };
  }

  async function submit(body) {
    try {
      const made = await app.api.post("/places", body);
      draft.photo.clear();
      app.draft = {};
      note("Saved. Everybody can find it now.");
      app.go(`#/item/${made.id}`);
      app.posts.refresh();
    } catch (error) {
      draft.photo.refused(error);
      if (error.code === "similar") ask(body, error.similar);
      else setText(view.fault, error.message);
    }
  }

  /// What is here already may be what they mean.
  function ask(body, places) {
    replace(similar, make("p", { class: "name" }, "Is it one of these?"), places.map(({ id, name, metres }) => make("div", { class: "option" },
      make("span", { class: "grow" }, make("bdi", { class: "option-title" }, oneLine(name)),
        make("span", { class: "hint" }, metres < 10 ? "At the same spot" : `${distanceText(metres)} from there`)),
      make("button", { class: "button small", onclick: () => open(id) }, "It is this one"))),
    make("button", { class: "button small", onclick: () => submit({ ...body, anyway: true }) }, "Make another one"));
    similar.hidden = false;
    similar.querySelector("button").focus();
  }

  function open(id) {
    draft.photo.drop();
    app.draft = {};
    app.go(`#/item/${id}`);
  }

  return view;
}
