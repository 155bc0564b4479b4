// People: who there is, who one is oneself, and what others did to what is one's own.

import { note, noteFault } from "./announce.js";
import { make, replace, setAttribute, setText } from "./dom.js";
import { Latest, gathered } from "./latest.js";
import { KeyedList } from "./list.js";
import { dressFace, face, nameElement, wordsOf } from "./rows.js";
import { colourOf, counted, nameOf, oneLine, plain } from "./text.js";
import { timeElement } from "./time.js";

const parts = (current) => make("nav", { "aria-label": "People", class: "inline" },
  [["people", "Everybody"], ["activity", "What others did"], ["me", "You"]].map(([tab, words]) =>
    make("a", { class: "button small", href: tab === "me" ? "#/people/me" : `#/${tab}`, "aria-current": tab === current ? "page" : null, "aria-pressed": null }, words)));

const counts = (person) => [counted(person.posts, "post"), counted(person.followers, "follower"), person.following > 0 ? `follows ${person.following}` : ""].filter(Boolean).join(" · ");

/// A button that follows at once, and goes back with a word why if the node does not agree.
function followButton(app, first) {
  let person = first;
  const button = make("button", { type: "button", class: "button small edged" });
  const draw = () => {
    setText(button, person.followed ? "Following" : "Follow");
    setAttribute(button, "aria-pressed", String(person.followed));
    setAttribute(button, "aria-label", `${person.followed ? "Do not follow" : "Follow"} ${nameOf(person)}`);
  };
  button.addEventListener("click", async () => {
    const before = person;
    person = { ...person, followed: !person.followed };
    draw();
    try {
      person = person.followed ? await app.api.put(`/people/${person.id}/follow`) : await app.api.delete(`/people/${person.id}/follow`);
      app.wall.refresh();
    } catch (error) {
      person = before;
      noteFault(error, before.followed ? "You still follow." : "You do not follow yet.");
    }
    draw();
  });
  draw();
  return { button, dress(news) { person = news; draw(); } };
}

export function peopleView(app) {
  const heading = make("h2", { tabindex: "-1" }, "People");
  const words = make("p", { class: "soft small-text" });
  const list = new KeyedList({ label: "People", create: (first) => personRow(app, first) });
  const latest = new Latest();
  const load = async () => {
    try {
      const found = await latest.run((signal) => app.api.get("/people", { limit: 100 }, signal));
      if (!found) return;
      list.show(found.answer.items);
      setText(words, found.answer.items.length === 0 ? "Nobody with a profile was met yet. Who comes, shows here." : "");
    } catch (error) {
      setText(words, error.message);
    }
  };
  return { element: make("div", { class: "view" }, parts("people"), heading, words, list.element), heading, title: "People", enter: load, refresh: gathered(load), leave: () => latest.drop() };
}

function personRow(app, first) {
  const picture = make("span", { class: "face", "aria-hidden": "true" });
  const name = make("bdi", { class: "name" });
  const short = make("span", {}, `#${first.short}`);
  const link = make("a", { class: "row-link", href: `#/people/${first.id}` }, name);
  const about = make("p", { class: "words" });
  const meta = make("p", { class: "meta" });
  const follow = app.me.writable && !first.me ? followButton(app, first) : null;
  const element = make("li", { class: "row" }, picture, make("div", { class: "main" }, make("div", { class: "meta" }, link, short), about, meta,
    follow ? make("div", { class: "acts" }, follow.button) : null));
  return { element, link, dress(person) {
    dressFace(picture, person);
    setText(name, person.me ? `${nameOf(person)} (you)` : nameOf(person));
    setText(about, plain(person.about ?? ""));
    about.hidden = !person.about;
    setText(meta, counts(person));
    follow?.dress(person);
  } };
}

export function personView(app, id) {
  const heading = make("h2", { tabindex: "-1" }, id === "me" ? "You" : "Profile");
  const body = make("div", { class: "stack" });
  const load = async () => {
    try {
      const person = await app.api.get(`/people/${id}`);
      draw(person);
    } catch (error) {
      replace(body, make("p", { class: "empty" }, error.message));
    }
  };
  function draw(person) {
    setText(heading, nameOf(person));
    const short = make("p", { class: "soft small-text", title: person.id }, `Key ${person.short ? `#${person.short}` : ""} (${person.id.slice(0, 16)}…): compare it before you trust a name.`);
    replace(body, make("div", { class: "item-head" }, face(person), make("div", {}, nameElement(person), make("p", { class: "meta" }, counts(person)))),
      person.about ? make("p", { class: "item-words", dir: "auto" }, plain(person.about)) : null, short,
      person.me ? (app.me.writable ? profileForm(app, person, load) : null) : app.me.writable ? make("div", {}, followButton(app, person).button) : null);
  }
  return { element: make("div", { class: "view" }, parts(id === "me" ? "me" : ""), heading, body), heading, title: "Profile", enter: load };
}

function profileForm(app, person, onDone) {
  const name = make("input", { type: "text", id: "my-name", value: person.name ?? "", maxlength: "63", autocomplete: "off" });
  const about = make("textarea", { id: "my-about", rows: 3, dir: "auto" });
  about.value = person.about ?? "";
  const colour = make("input", { type: "color", id: "my-colour", value: colourOf(person) });
  const fault = make("p", { class: "fault", role: "alert" });
  return make("form", { class: "stack", onsubmit: async (event) => {
    event.preventDefault();
    const change = { ...(name.value.trim() !== (person.name ?? "") ? { name: name.value.trim() } : {}), ...(about.value !== (person.about ?? "") ? { about: about.value } : {}), ...(colour.value !== colourOf(person) ? { colour: colour.value } : {}) };
    if (Object.keys(change).length === 0) return;
    try {
      await app.api.patch("/people/me", change);
      note("Your profile is what others see now.");
      await app.loadMe();
      onDone();
      app.wall.refresh();
    } catch (error) {
      setText(fault, error.message);
    }
  } }, make("div", { class: "field" }, make("label", { for: "my-name" }, "Name"), name),
  make("div", { class: "field" }, make("label", { for: "my-about" }, "About you"), about),
  make("div", { class: "field" }, make("label", { for: "my-colour" }, "Colour of your pins"), colour), fault,
  make("div", {}, make("button", { type: "submit", class: "button primary" }, "Save")));
}

export function activityView(app) {
  const heading = make("h2", { tabindex: "-1" }, "What others did");
  const words = make("p", { class: "soft" });
  const list = new KeyedList({ label: "What others did", keyOf: (one) => one.record, create: (one) => activityRow(app, one) });
  const latest = new Latest();
  const load = async () => {
    try {
      const found = await latest.run((signal) => app.api.get("/activity", { limit: 100 }, signal));
      if (!found) return;
      list.show(found.answer.items);
      setText(words, found.answer.items.length === 0 ? "Nobody commented, liked, followed or comes yet." : "");
    } catch (error) {
      setText(words, error.message);
    }
  };
  return { element: make("div", { class: "view" }, parts("activity"), heading, words, list.element), heading, title: "Activity", enter: load, refresh: gathered(load), leave: () => latest.drop() };
}

const DID = { comment: "commented on", like: "likes", follow: "follows you", attendance: "comes to" };

function activityRow(app, first) {
  const link = make("a", { class: "row-link", href: first.item ? `#/item/${first.item.id}` : `#/people/${first.by.id}` });
  const element = make("li", { class: "row" }, face(first.by), make("div", { class: "main" }, link, make("p", { class: "words soft" }, first.comment ? wordsOf(first.comment) : ""),
    make("p", { class: "meta" }, timeElement(first.at, app.now()))));
  return { element, link, dress(one) {
    const what = one.item ? oneLine(one.item.title ?? wordsOf(one.item)).slice(0, 60) : "";
    replace(link, nameElement(one.by), ` ${DID[one.kind] ?? one.kind} `, what ? make("bdi", {}, `“${what}”`) : null);
  } };
}
