// People who write through this node from their browsers: the owner's list of them, and what each of them has under "You".

import { note, noteFault } from "./announce.js";
import { make, put, replace, setText } from "./dom.js";
import { Latest, gathered } from "./latest.js";
import { KeyedList } from "./list.js";
import { parts } from "./people.js";
import { face } from "./rows.js";
import { nameOf } from "./text.js";
import { timeElement } from "./time.js";
import { codeCard, codeWords } from "./visit.js";

export function visitorsView(app) {
  const heading = make("h2", { tabindex: "-1" }, "Visitors");
  const words = make("p", { class: "soft small-text" });
  const latest = new Latest();
  const load = async () => {
    try {
      const found = await latest.run((signal) => app.api.get("/visitors", {}, signal));
      if (!found) return;
      const { max, items } = found.answer;
      list.show(items);
      setText(words, `${items.length} of ${max}`);
    } catch (error) {
      setText(words, error.message);
    }
  };
  const list = new KeyedList({ label: "Visitors", create: (first) => visitorRow(app, first, load) });
  const refresh = gathered(load);
  const element = make("div", { class: "view" }, parts(app, "visitors"), heading, words, list.element);
  return { element, heading, title: "Visitors", enter: load, refresh, changed: refresh, leave: () => latest.drop() };
}

function visitorRow(app, first, onRemoved) {
  const name = make("bdi", { class: "name" });
  const link = make("a", { class: "row-link", href: `#/people/${first.id}` }, name);
  const meta = make("p", { class: "meta" });
  const question = make("p", { hidden: true }, `${nameOf(first)} is signed out on every phone. What ${nameOf(first)} wrote stays.`);
  const acts = make("div", { class: "acts" });
  const remove = make("button", { class: "button small edged danger", onclick: ask }, "Remove");
  const element = make("li", { class: "row" }, face({ ...first, short: "" }, null, "big"),
    make("div", { class: "main" }, link, meta, question, acts));
  const idle = () => {
    question.hidden = true;
    replace(acts, remove);
  };

  /// What cannot be taken back is asked for twice, in place.
  function ask() {
    const who = nameOf(first);
    const no = make("button", { class: "button small", onclick: () => {
      idle();
      remove.focus();
    } }, "Keep");
    const yes = make("button", { class: "button small edged danger", onclick: () => go(who) }, `Remove ${who}`);
    question.hidden = false;
    replace(acts, yes, no);
    no.focus();
  }

  async function go(who) {
    try {
      await app.api.delete(`/visitors/${first.id}`);
      note(`${who} is removed.`);
      onRemoved();
    } catch (error) {
      noteFault(error);
      idle();
    }
  }

  idle();
  return { element, link, dress(one) {
    setText(name, nameOf(one));
    remove.setAttribute("aria-label", `Remove ${nameOf(one)}`);
    replace(meta, make("span", {}, "Came ", timeElement(one.since, app.now())),
      one.here ? make("span", { class: "free" }, "Here now") : make("span", {}, "Seen ", timeElement(one.seen, app.now())));
  } };
}

/// A new recovery code, and signing out.
export function visitorPart(app) {
  const shown = make("div", { role: "status" });
  const button = make("button", { class: "button", onclick: async () => {
    try {
      replace(shown, codeCard((await app.api.put("/visit/code")).code));
      setText(button, "Make another code");
    } catch (error) {
      noteFault(error);
    }
  } }, "Make a new code");
  const element = make("section", { class: "stack", "aria-label": "Come back from another phone" });
  put(element, codeWords(), make("p", { class: "soft small-text" }, "A new code makes the old one useless."), shown, button,
    make("button", { class: "button danger", onclick: () => app.signOut() }, "Sign out on this phone"));
  return element;
}
