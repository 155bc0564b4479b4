// Which of a person's records may cross bridges to other networks. Nothing crosses unless it is allowed here.

import { note, noteFault } from "./announce.js";
import { make, replace, setText } from "./dom.js";

const NOTHING = "Nothing of yours crosses bridges to other networks.";
const STAYS = "Everybody there can read it, and what was sent stays there, even if you switch this off.";

/// A part that is asked for when it is opened.
export function crossingPart(app) {
  const state = make("p", { class: "hint", role: "status" });
  const box = make("input", { type: "checkbox", onchange: () => save() });
  const rooms = make("div", { class: "stack" });
  const chosen = () => [...rooms.querySelectorAll("input:checked")].map(({ value }) => value);

  const draw = ({ allows, rooms: allowed, until }, known) => {
    box.checked = allows;
    setText(state, allows ? `Until ${new Date(until).toLocaleDateString()}. ${STAYS}` : NOTHING);
    rooms.hidden = !allows;
    const names = [...new Set([...known, ...allowed])].sort();
    replace(rooms, names.length === 0 ? [] : [
      make("p", { class: "hint" }, "Your lines in these rooms, too:"),
      ...names.map((name) => make("label", { class: "tick" },
        make("input", { type: "checkbox", value: name, checked: allowed.includes(name), onchange: () => save() }), ` ${name}`)),
    ]);
  };
  const publicRooms = async () => (await app.api.get("/rooms")).items.filter((room) => !room.private).map(({ name }) => name);
  const load = async () => {
    try {
      draw(await app.api.get("/bridge"), await publicRooms());
    } catch (error) {
      noteFault(error);
    }
  };
  const save = async () => {
    const allows = box.checked;
    try {
      const now = await app.api.put("/bridge", allows ? { allows, rooms: chosen() } : { allows });
      draw(now, await publicRooms());
      note(allows ? "Your posts, profile and private messages may cross bridges." : NOTHING);
    } catch (error) {
      noteFault(error);
      load();
    }
  };

  return make("details", { class: "crossing", ontoggle: ({ target }) => { if (target.open) load(); } },
    make("summary", {}, "Other networks"),
    make("div", { class: "stack" },
      make("label", { class: "tick" }, box, " Let my posts, profile and private messages cross bridges"), rooms, state));
}
