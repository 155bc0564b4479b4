// What one has under "You": who one is, the ways to come back from another phone, how the page looks, and signing out.

import { allowAlerts, isAlerting, mayAlert } from "./alerts.js";
import { note, noteFault } from "./announce.js";
import { labelled } from "./compose.js";
import { crossingPart } from "./crossing.js";
import { make, replace, setText } from "./dom.js";
import { LOOKS, choose, lookNow } from "./look.js";
import { icon, optionRow } from "./rows.js";
import { COME_BACK, WRITE_DOWN, codeCard } from "./visit.js";

const REVOKE_MS = 60_000;

const row = (name, title, words, act) => optionRow(icon(name), title, words, act);

export function youPart(app) {
  const isVisitor = !app.visit.owner;
  return make("div", { class: "you" }, place(app), isVisitor ? comeBack(app) : null, isVisitor ? ownKey(app) : null, crossingPart(app), alerts(), look(app), signOut(app, isVisitor));
}

function place({ here, posts }) {
  const name = here ? posts.nameAt(here) : "";
  return row("posts", !here ? "Where are you?" : name ? `You are at: ${name}` : "Your place is set", "Stays in this browser",
    make("a", { class: "button quiet", href: "#/here" }, here ? "Change" : "Choose"));
}

/// A new recovery code, and a password in its place.
function comeBack(app) {
  const words = make("p", { class: "hint" }, "If you lost your code, make a new one. The old one stops working.");
  const shown = make("div", { role: "status" });
  const renew = async () => {
    try {
      replace(shown, codeCard((await app.api.put("/visit/code")).code));
      setText(words, WRITE_DOWN);
    } catch (error) {
      noteFault(error);
    }
  };
  return make("section", { class: "stack" }, make("h3", {}, COME_BACK.slice(0, -1)), words, shown,
    make("button", { class: "button", onclick: renew }, "Make a new code"), password(app));
}

function password(app) {
  const field = make("input", { type: "password", id: "password", autocomplete: "new-password", minlength: "8" });
  const fault = make("p", { class: "fault", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    setText(fault, "");
    try {
      await app.api.put("/visit/password", { password: field.value });
      field.value = "";
      element.open = false;
      note("Your password is set. On another phone, come back with your name and this password.");
    } catch (error) {
      setText(fault, error.message);
    }
  };
  const element = make("details", {}, make("summary", {}, "Set a password instead"),
    make("form", { class: "stack", onsubmit: send, novalidate: true }, labelled("Password, 8 characters or more", field), fault,
      make("button", { class: "button primary", type: "submit" }, "Set the password")));
  return element;
}

/// The key as a file, for a laptop or another camp. The node sends it only where nobody can read along.
function ownKey(app) {
  const field = make("input", { type: "password", id: "key-passphrase", autocomplete: "new-password", minlength: "8" });
  const fault = make("p", { class: "fault", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    setText(fault, "");
    try {
      const { name, key } = await app.api.post("/visit/key", { passphrase: field.value });
      const address = URL.createObjectURL(new Blob([key], { type: "text/plain" }));
      make("a", { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), REVOKE_MS);
      field.value = "";
      element.open = false;
      note(`${name} is saved. Anyone who has it and its passphrase is you.`);
    } catch (error) {
      setText(fault, error.message);
    }
  };
  const element = make("details", {}, make("summary", {}, "Take my key with me"),
    make("form", { class: "stack", onsubmit: send, novalidate: true },
      make("p", { class: "hint" }, "Saves your key as a file. With it you are the same person on a laptop (lattice id import) or at another camp."),
      labelled("Passphrase for the file, 8 characters or more", field), fault,
      make("button", { class: "button primary", type: "submit" }, "Save the key")));
  return element;
}

/// Notifications of this browser, while the page is open and nobody looks at it.
function alerts() {
  if (!mayAlert()) return null;
  const box = make("input", { type: "checkbox", checked: isAlerting(), onchange: async () => {
    const isWanted = box.checked;
    box.checked = await allowAlerts(isWanted);
    if (isWanted && !box.checked) note("The browser shows no notifications of this page. Allow them next to the address.");
  } });
  return make("label", { class: "tick" }, box, " Show notifications while this page is in the background");
}

function look(app) {
  const chosen = lookNow();
  const choice = make("fieldset", { class: "choice-set", "aria-label": "Look", onchange: ({ target }) => {
    choose(target.value);
    app.map.recolour?.();
  } }, make("div", { class: "choice" }, LOOKS.map(([value, words]) => make("label", {},
    make("input", { type: "radio", name: "look", value, checked: value === chosen }), make("span", {}, words)))));
  return make("section", { class: "stack" }, make("h3", {}, "Look"), choice);
}

const signOut = (app, isVisitor) => make("section", { class: "stack" },
  row("bell", "Notifications", "Mentions, replies, messages, comments", make("a", { class: "button quiet", href: "#/notifications" }, "Show")),
  isVisitor ? null : make("p", { class: "hint" }, "This browser stays signed in until you sign out."),
  make("button", { class: "button danger", onclick: () => app.signOut() }, icon("out"), isVisitor ? "Sign out on this phone" : "Sign out in this browser"));
