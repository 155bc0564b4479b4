// What one says of oneself.

import { note } from "./announce.js";
import { make, setText } from "./dom.js";
import { colourOf } from "./text.js";

export function profileForm(app, person, onDone) {
  const name = make("input", { type: "text", id: "my-name", value: person.name ?? "", maxlength: "63", autocomplete: "off" });
  const about = make("textarea", { id: "my-about", rows: 3, dir: "auto", value: person.about ?? "" });
  const colour = make("input", { type: "color", id: "my-colour", value: colourOf(person) });
  const fault = make("p", { class: "fault", role: "alert" });
  const field = (label, control) => make("div", { class: "field" }, make("label", { for: control.id }, label), control);

  /// Only what was changed: the rest may have become another meanwhile.
  const change = () => ({
    ...(name.value.trim() === (person.name ?? "") ? {} : { name: name.value.trim() }),
    ...(about.value === (person.about ?? "") ? {} : { about: about.value }),
    ...(colour.value === colourOf(person) ? {} : { colour: colour.value }),
  });

  async function save() {
    if (Object.keys(change()).length === 0) return;
    try {
      await app.api.patch("/people/me", change());
      note("Profile saved.");
      await app.loadMe();
      onDone();
      app.posts.refresh();
    } catch (error) {
      setText(fault, error.message);
    }
  }

  return make("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); save(); } },
    field("Name", name), field("About you", about), field("Colour of your pins", colour), fault,
    make("div", {}, make("button", { type: "submit", class: "button primary" }, "Save")));
}
