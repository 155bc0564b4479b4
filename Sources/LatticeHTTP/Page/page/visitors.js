// People who write through this node from their browsers: the owner's list of them.

import { noteFault } from "./announce.js";
import { make, replace, shape } from "./dom.js";
import { KeyedList } from "./list.js";
import { listView } from "./people.js";
import { face } from "./rows.js";
import { nameOf } from "./text.js";
import { timeElement } from "./time.js";

const QUIET = 4;

export const visitorsView = (app) => listView(app, {
  part: "visitors", title: "Visitors", path: "/visitors", isConcerned: () => true,
  words: ({ max, items }) => `${items.length} of ${max}`,
  above: ({ link }) => (link ? invitation(link) : null),
  list: new KeyedList({ label: "Visitors", create: (first) => visitorRow(app, first) }),
});

/// Where people come in, for a phone to scan: dark on white in both looks, with the quiet zone that readers need.
function invitation({ address, fingerprint, code }) {
  const drawn = code ? shape("svg", {
    class: "qr", viewBox: `${-QUIET} ${-QUIET} ${code.modules + 2 * QUIET} ${code.modules + 2 * QUIET}`, role: "img", "aria-label": `QR code of ${address}`,
  }, shape("path", { d: code.path })) : null;
  return make("section", { class: "invitation" }, drawn, make("div", {}, make("p", {}, "People come in here, without your token:"),
    make("p", {}, make("a", { href: address }, address)),
    fingerprint ? make("details", {}, make("summary", {}, "The certificate that browsers warn of"),
      make("p", { class: "hint" }, "Its SHA-256 fingerprint, to be compared on the phone:"), make("code", { class: "fingerprint" }, fingerprint)) : null));
}

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
