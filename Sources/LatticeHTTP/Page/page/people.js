// People: who there is, and who one is oneself.

import { note, noteFault } from "./announce.js";
import { concernsPeople } from "./changes.js";
import { CompareCard } from "./compare.js";
import { directOf, linkOf } from "./conversations.js";
import { make, replace, setAttribute, setText } from "./dom.js";
import { Latest, gathered } from "./latest.js";
import { KeyedList } from "./list.js";
import { PersonPhotos } from "./personphotos.js";
import { dressFace, face, icon } from "./rows.js";
import { profileForm } from "./profile.js";
import { bare, counted, nameOf, oneLine, plain } from "./text.js";
import { youPart } from "./you.js";

const PARTS = [["people", "Everybody", "#/people"], ["visitors", "Visitors", "#/visitors"]];

/// The owner of a node that lets people in has a list of those.
export const parts = ({ visit }, current) => (visit.open && visit.owner ? make("nav", { "aria-label": "People", class: "inline" },
  PARTS.map(([part, words, href]) => make("a", { class: "button small", href, "aria-current": part === current ? "page" : null }, words))) : null);

/// What stands on top of a view that one goes back from.
export const viewHead = (app, ...more) => make("div", { class: "view-head" },
  make("button", { class: "icon-button", "aria-label": "Back", onclick: () => app.back() }, icon("before")), more);

/// Somebody who comes is listed a moment later, once the node has stored a first record of theirs. It does not say when.
const STORED_MS = 4_000;

const counts = (person) => [
  counted(person.posts, "post"), counted(person.followers, "follower"), person.following > 0 ? `${person.following} following` : "",
].filter(Boolean).join(" · ");

/// A button that follows at once, and goes back with a word why if the node does not agree.
function followButton(app, first) {
  let person = first;
  const button = make("button", { class: "button small edged follow" });
  const draw = () => {
    setText(button, person.followed ? "Following" : "Follow");
    setAttribute(button, "aria-pressed", String(person.followed));
    setAttribute(button, "aria-label", `${person.followed ? "Unfollow" : "Follow"} ${nameOf(person)}`);
  };
  button.addEventListener("click", async () => {
    const before = person;
    person = { ...person, followed: !person.followed };
    draw();
    try {
      const path = `/people/${person.id}/follow`;
      person = person.followed ? await app.api.put(path) : await app.api.delete(path);
      app.posts.refresh();
    } catch (error) {
      person = before;
      noteFault(error, before.followed ? "You still follow them." : "You do not follow them yet.");
    }
    draw();
  });
  draw();
  return { button, dress(news) { person = news; draw(); } };
}

/// A list that is asked for as a whole. `words(answer, shown)` stand above it, and `above(answer)`, if there is more. `tools`: what
/// chooses among the items, with `chosen(items)`; {redraw} of the view does that again.
export function listView(app, { part, title, path, list, words: wordsFor, isConcerned, above, tools, chosen = (items) => items }) {
  const heading = make("h2", { tabindex: "-1" }, title);
  const words = make("p", { class: "soft small-text", role: "status" });
  const more = above ? make("div") : null;
  const latest = new Latest();
  let answer = null;
  const all = async (signal) => {
    const first = await app.api.get(path, { limit: 100 }, signal);
    for (let page = first; page.next; first.items.push(...page.items)) page = await app.api.get(path, { limit: 100, after: page.next }, signal);
    return first;
  };
  const redraw = () => {
    if (!answer) return;
    const shown = chosen(answer.items);
    list.show(shown);
    setText(words, wordsFor(answer, shown));
  };
  list.waits = true;
  const load = async () => {
    try {
      const found = await latest.run(all);
      if (!found) return;
      answer = found.answer;
      redraw();
      if (above) replace(more, above(answer));
    } catch (error) {
      setText(words, error.message);
    }
    list.waits = false;
  };
  const element = make("div", { class: "view" }, parts(app, part), heading, tools, words, more, list.element);
  const refresh = gathered(load);
  const changed = (changes) => { if (isConcerned(changes)) refresh(); };
  const came = gathered(load, STORED_MS, STORED_MS);
  const enter = () => {
    load();
    came();
  };
  return { element, heading, title, enter, refresh, changed, came, redraw, leave: () => latest.drop() };
}

export function peopleView(app) {
  const field = make("input", {
    type: "search", id: "find-people", placeholder: "Find a person", "aria-label": "Find a person", autocomplete: "off", oninput: () => view.redraw(),
  });
  const view = listView(app, {
    part: "people", title: "People", path: "/people", isConcerned: (changes) => concernsPeople(changes), tools: field,
    chosen: (people) => people.filter(({ name }) => bare(name).includes(bare(field.value.trim()))),
    words: ({ items }, shown) => (items.length === 0 ? "Nobody here yet. People appear when they connect."
      : shown.length === 0 ? `Nobody here is called “${oneLine(field.value)}”.` : ""),
    list: new KeyedList({ label: "People", create: (first) => personRow(app, first) }),
  });
  return view;
}

function personRow(app, first) {
  const picture = make("span", { class: "face person-face", "aria-hidden": "true" });
  const name = make("bdi", { class: "name" });
  const short = make("span", { class: "short" }, `#${first.short}`);
  const link = make("a", { class: "row-link", href: `#/people/${first.id}` }, name);
  const about = make("p", { class: "words" });
  const meta = make("p", { class: "meta" });
  const follow = app.mayWrite && !first.me ? followButton(app, first) : null;
  const element = make("li", { class: "row person" }, picture,
    make("div", { class: "main" }, make("div", { class: "meta" }, link, short), about, meta),
    follow ? make("div", { class: "acts" }, follow.button) : null);
  return { element, link, dress(person) {
    dressFace(picture, person, app.photos);
    setText(name, person.me ? `${nameOf(person)} (you)` : nameOf(person));
    setText(about, plain(person.about ?? ""));
    about.hidden = !person.about;
    setText(meta, person.about ? "" : counts(person));
    follow?.dress(person);
  } };
}

const message = ({ id }) => make("a", { class: "button primary", href: linkOf(directOf(id)) }, icon("comment"), "Message");

/// Whether what they write is shown.
function muteButton(app, first) {
  let person = first;
  const button = make("button", { class: "button small edged", title: "You do not see messages of a muted person." });
  const draw = () => {
    const words = app.marks.isIgnored(person.id) ? "Unmute" : "Mute";
    setText(button, words);
    setAttribute(button, "aria-label", `${words} ${nameOf(person)}`);
  };
  button.addEventListener("click", async () => {
    const isMuted = !app.marks.isIgnored(person.id);
    try {
      await app.marks.ignore(person.id, isMuted);
      note(isMuted ? `${nameOf(person)} is muted. You do not see their messages.` : `You see messages of ${nameOf(person)} again.`);
    } catch (error) {
      noteFault(error);
    }
  });
  draw();
  return { button, dress(news) { person = news; draw(); } };
}

export function personView(app, id) {
  const heading = make("h2", { tabindex: "-1" }, id === "me" ? "You" : "Profile");
  const body = make("div", { class: "stack waits" });
  const meta = make("p", { class: "meta" });
  const key = make("p", { class: "meta" });
  let shown = null;
  let follow = null;
  let mute = null;
  let compare = null;
  let unlisten = null;
  let form = null;
  let photos = null;
  let you = null;
  const load = async () => {
    try {
      draw(await app.api.get(`/people/${encodeURIComponent(id)}`));
    } catch (error) {
      replace(body, make("p", { class: "empty" }, error.message));
    }
  };
  function draw(person) {
    shown = person;
    if (app.mayWrite && !person.me) {
      follow ??= followButton(app, person);
      mute ??= muteButton(app, person);
    }
    if (app.me.writable && !person.me) compare ??= new CompareCard(app, person);
    follow?.dress(person);
    drawMarks();
    const focused = document.activeElement;
    setText(heading, nameOf(person));
    setText(meta, counts(person));
    if (app.me.writable || app.here) photos ??= new PersonPhotos(app, person.id);
    photos?.load();
    form?.photo.drop();
    form = app.me.writable && person.me ? profileForm(app, person, load) : null;
    replace(picture, face(person, app.photos, "whole"));
    replace(body,
      person.about ? make("p", { class: "item-words", dir: "auto" }, plain(person.about)) : null,
      form ? null : [
        follow ? make("div", { class: "halves" }, message(person), follow.button) : null,
        mute ? make("div", { class: "inline" }, mute.button) : null, compare?.element,
      ],
      form ? [make("details", {}, make("summary", {}, "Edit"), form.element), you ??= youPart(app), photos.element]
        : [photos?.element, follow && app.me.writable ? app.personFiles.show(person) : null]);
    // Parts that stay were taken out and put in again.
    if (body.contains(focused)) focused.focus({ preventScroll: true });
  }
  function drawMarks() {
    if (!shown) return;
    const verified = !compare ? "" : app.marks.isVerified(shown.id) ? "verified" : "not verified";
    setText(key, [`#${shown.short}`, verified].filter(Boolean).join(" · "));
    setAttribute(key, "title", shown.id);
    mute?.dress(shown);
    compare?.show(shown);
  }
  // A profile that somebody is editing stays as it is.
  async function recount() {
    try {
      setText(meta, counts(await app.api.get(`/people/${encodeURIComponent(id)}`)));
      photos?.load();
    } catch {
      // What is shown stays as it was.
    }
  }
  const refresh = gathered(() => (shown?.me ? recount() : load()));
  // To follow somebody changes two profiles.
  const changed = (changes) => {
    if (concernsPeople(changes)) refresh();
    else if (changes.items.length > 0) photos?.load();
  };
  const leave = () => {
    unlisten?.();
    form?.photo.drop();
    photos?.drop();
  };
  const picture = make("div");
  const element = make("div", { class: "view" }, viewHead(app), make("div", { class: "item-head" }, picture, make("div", {}, heading, key, meta)), body);
  const enter = () => {
    unlisten ??= app.marks.listen(drawMarks);
    load();
  };
  return {
    element, heading, title: "Profile", enter, refresh, changed, leave,
    written({ peer }) { if (shown && peer.id === shown.id) app.personFiles.load(); },
  };
}
