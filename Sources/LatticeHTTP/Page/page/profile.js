// What one says of oneself.

import { note } from "./announce.js";
import { labelled, line } from "./compose.js";
import { make, setText } from "./dom.js";
import { PhotoField } from "./photofield.js";
import { colourOf } from "./text.js";

/// {element, photo}; `photo` is dropped when the form goes.
export function profileForm(app, person, onDone) {
  const name = line("my-name", person.name, 63);
  const about = make("textarea", { id: "my-about", rows: 3, dir: "auto", value: person.about ?? "" });
  const colour = make("input", { type: "color", id: "my-colour", value: colourOf(person) });
  const fault = make("p", { class: "fault", role: "alert" });
  const photo = new PhotoField(app.api);
  const removes = make("input", { type: "checkbox", id: "no-photo" });
  const button = make("button", { type: "submit", class: "button primary" }, "Save");

  /// Only what was changed: the rest may have become another meanwhile.
  const change = (added) => ({
    ...(name.value.trim() === (person.name ?? "") ? {} : { name: name.value.trim() }),
    ...(about.value === (person.about ?? "") ? {} : { about: about.value }),
    ...(colour.value === colourOf(person) ? {} : { colour: colour.value }),
    ...(added ? { photo: added } : removes.checked ? { photo: null } : {}),
  });

  async function save() {
    const added = photo.value();
    const changes = change(added);
    if (added === null || Object.keys(changes).length === 0) return;
    setText(fault, "");
    try {
      await app.api.patch("/people/me", changes);
      photo.clear();
      note("Profile saved.");
      await app.loadMe();
      onDone();
      app.posts.refresh();
    } catch (error) {
      photo.refused(error);
      setText(fault, error.message);
    }
  }

  const element = make("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); photo.whenReady(button, save); } },
    photo.element, person.photo ? make("label", { class: "tick", for: "no-photo" }, removes, "Remove your photo") : null,
    labelled("Name", name), labelled("About you", about), labelled("Colour of your pins", colour), fault, make("div", {}, button));
  return { element, photo };
}
