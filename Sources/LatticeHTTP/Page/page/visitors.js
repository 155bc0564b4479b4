// People who write through this node from their browsers: the owner's list of them, and what each of them has under "You".

import { noteFault } from "./announce.js";
import { make, replace, setText } from "./dom.js";
import { KeyedList } from "./list.js";
import { listView } from "./people.js";
import { face } from "./rows.js";
import { nameOf } from "./text.js";
import { timeElement } from "./time.js";
import { COME_BACK, WRITE_DOWN, codeCard } from "./visit.js";

export const visitorsView = (app) => listView(app, {
  part: "visitors", title: "Visitors", path: "/visitors", isConcerned: () => true,
  words: ({ max, items }) => `${items.length} of ${max}`,
  list: new KeyedList({ label: "Visitors", create: (first) => visitorRow(app, first) }),
});

function visitorRow(app, { id, name }) {
  const who = nameOf({ name });
  const link = make("a", { class: "row-link name", href: `#/people/${id}` }, make("bdi", {}, who));
  const meta = make("p", { class: "meta" });
  const question = make("p", {}, `${who} is signed out on every phone. What ${who} wrote stays.`);
  const button = (words, onclick) => make("button", { class: "button edged danger", onclick }, words);
  const remove = button("Remove", () => ask(true));
  const keep = make("button", { class: "button", onclick: () => ask(false) }, "Keep");
  const sure = button(`Remove ${who}`, async () => {
    try {
      await app.api.delete(`/visitors/${id}`);
      app.view.refresh();
    } catch (error) {
      noteFault(error);
    }
  });
  const ask = (isAsked) => {
    question.hidden = sure.hidden = keep.hidden = !isAsked;
    remove.hidden = isAsked;
    (isAsked ? keep : remove).focus();
  };
  ask(false);
  const element = make("li", { class: "row" }, face({ id, name }, null, "big"),
    make("div", { class: "main" }, link, meta, question, make("div", { class: "acts" }, remove, sure, keep)));
  return { element, link, dress(one) {
    replace(meta, make("span", {}, "Came ", timeElement(one.since, app.now())),
      one.here ? make("span", { class: "free" }, "Here now") : make("span", {}, "Seen ", timeElement(one.seen, app.now())));
  } };
}

/// A new recovery code, and signing out.
export function visitorPart(app) {
  const words = make("p", {}, "If you lost your code, make a new one. The old one stops working.");
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
    make("button", { class: "button", onclick: renew }, "Make a new code"),
    make("button", { class: "button danger", onclick: () => app.signOut() }, "Sign out on this phone"));
}
