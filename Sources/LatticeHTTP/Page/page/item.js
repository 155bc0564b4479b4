// One post, comment, event or place with what was said of it.

import { noteFault } from "./announce.js";
import { concerns } from "./changes.js";
import { make, put, replace, setText } from "./dom.js";
import { awayText, distance, distanceText, radiusText, whereText } from "./geo.js";
import { historyOf } from "./history.js";
import { Latest, gathered } from "./latest.js";
import { KeyedList } from "./list.js";
import { TextField } from "./textfield.js";
import { OriginalCard } from "./originalcard.js";
import { PhotoField } from "./photofield.js";
import { PhotoFrame } from "./photos.js";
import { viewHead } from "./people.js";
import { PlaceForm } from "./placeform.js";
import { kindAndHours, kindOf, nameOfPlace } from "./places.js";
import { PostsAt } from "./postsat.js";
import { coordinates, face, icon, isGone, itemRow, nameElement, wordsOf } from "./rows.js";
import { createStore } from "./store.js";
import { counted, nameOf, oneLine } from "./text.js";
import { fromTo, left, timeElement } from "./time.js";
import { emptyPosts, reducePosts, shownItems } from "./poststate.js";
import { draftItem, nextTicket } from "./acts.js";

/// What of the words of a place is another: {name, kind, hours}.
function namesChanged(form, { title = "", category = "", hours = "" }) {
  const before = { name: title, kind: category, hours };
  return form ? Object.fromEntries(Object.entries(form.value).filter(([key, value]) => value !== before[key])) : {};
}

export function itemView(app, id) {
  const latest = new Latest();
  // The item itself stands first in this list of its own, its comments behind it: likes and deletions go the same way everywhere.
  const store = createStore(reducePosts, emptyPosts);
  let detail = null;
  const heading = make("h2", { tabindex: "-1" }, "Post");
  const body = make("div", { class: "stack waits" });
  const people = make("p", { class: "soft small-text" });
  const original = new OriginalCard(app);
  const posts = new PostsAt(app);
  const comments = new KeyedList({
    label: "Comments", className: "rows comments",
    create: (item) => itemRow(item, app),
  });
  const field = new TextField({
    label: "Your comment", max: app.me.limits.text_clusters, rows: 1, placeholder: "Add a comment", isHidden: true,
  });
  const form = make("form", { class: "comment-bar", onsubmit: (event) => { event.preventDefault(); comment(); } },
    field.element, make("button", { class: "send", type: "submit", "aria-label": "Comment" }, icon("send")));
  const send = form.lastElementChild;
  const commentsHeading = make("h3", {}, "Comments");
  // What is not there yet cannot be answered.
  form.hidden = commentsHeading.hidden = true;
  const element = make("div", { class: "view item" },
    viewHead(app, heading), body, original.element, posts.element, people, commentsHeading, comments.element, app.mayWrite ? form : null);

  const refresh = gathered(load);
  store.subscribe(draw);

  async function load() {
    // Who may only look reads as from a place of their own: where the node is, is not theirs to know.
    if (!app.here && !app.me.writable) {
      form.hidden = commentsHeading.hidden = true;
      replace(body, make("div", { class: "empty" },
        make("p", {}, "Choose a place first: you can read the posts near it. Your place stays in this browser."),
        make("a", { class: "button primary", href: "#/here" }, "Choose a place")));
      return;
    }
    const here = app.here ? { lat: app.here.lat, lon: app.here.lon } : {};
    try {
      const found = await latest.run((signal) => app.api.get(`/items/${id}`, here, signal));
      if (!found) return;
      detail = found.answer;
      original.show(detail.original, detail.item.at);
      if (detail.item.kind === "place" && detail.item.lat !== undefined) posts.load(detail.item);
      store.dispatch({ type: "answered", page: { items: [detail.item, ...detail.comments] } });
    } catch (error) {
      if (detail) return;
      form.hidden = commentsHeading.hidden = true;
      replace(body, make("p", { class: "empty" }, error.message));
    }
  }

  function draw(state) {
    const items = shownItems(state);
    const item = items.find((one) => one.id === detail?.item.id);
    if (!item) return;
    drawItem(item);
    comments.show(items.filter((one) => one !== item));
    setText(commentsHeading, item.comments > 0 ? counted(item.comments, "comment") : "No comments yet");
    const who = [whoText(detail.liked_by, "likes it", "like it"), whoText(detail.attended_by, "is going", "are going")];
    setText(people, who.filter(Boolean).join(" · "));
    // Words that nobody can be told any more are still there to be taken elsewhere.
    form.hidden = item.kind === "comment" || (item.state !== "shown" && field.value === "");
    send.disabled = item.state !== "shown";
    commentsHeading.hidden = item.kind === "comment";
  }

  let photo = null;
  /// The same element while the photo is the same.
  function photoOf(item) {
    const key = item.state === "shown" && item.photo ? JSON.stringify(item.photo) : "";
    if (photo?.key !== key) {
      photo?.frame?.clear();
      photo = { key, frame: key ? new PhotoFrame(app.photos, item) : null };
    }
    if (photo.frame) photo.frame.element.hidden = false;
    return photo.frame?.element;
  }

  /// {field}: the photo in the form in which the item is edited.
  let editing = null;
  function stopEditing() {
    editing?.field?.stopWaiting();
    editing?.field?.drop();
    editing = null;
  }

  let drawn = null;
  function drawItem(item) {
    // A form that somebody is filling in stays.
    if (item === drawn || (editing && item.state === "shown")) return;
    stopEditing();
    const focused = document.activeElement;
    const focusedAct = focused?.dataset?.act;
    drawn = item;
    setText(heading, item.title ? oneLine(item.title) : { comment: "Comment", place: "Place" }[item.kind] ?? "Post");
    const dates = item.starts ? fromTo(Date.parse(item.starts), item.ends ? Date.parse(item.ends) : undefined) : null;
    const head = make("div", { class: "item-head" }, face(item.author, app.photos, "big"), make("div", {},
      make("a", { href: `#/people/${item.author.id}`, class: "name" }, nameElement(item.author)),
      make("p", { class: "soft small-text" }, timeElement(item.at, app.now()))));
    // What a place is stands before who named it.
    const isPlace = item.kind === "place";
    replace(body, photoOf(item), isPlace ? placeOf(item) : head,
      dates ? make("p", { class: "title" }, dates) : null,
      item.state === "shown" && !item.text ? null : make("p",
        { class: item.state === "shown" ? "item-words item-text" : "item-words soft", dir: "auto" }, wordsOf(item)),
      isPlace ? head : placeOf(item),
      make("p", { class: "meta" }, ...facts(item)),
      make("div", { class: "acts-wide item-acts" }, ...actions(item)), historyOf(detail.versions, app.now()));
    if (focusedAct) body.querySelector(`[data-act="${focusedAct}"]`)?.focus();
    // The photo was taken out and put in again.
    else if (body.contains(focused)) focused.focus({ preventScroll: true });
  }

  /// Where it is: by the name of the place, else by how far away it is.
  function placeOf(item) {
    if (item.lat === undefined) return null;
    const isPlace = item.kind === "place";
    const name = isPlace ? [kindAndHours(item), detail.parent?.title ? `in ${oneLine(detail.parent.title)}` : ""].filter(Boolean).join(", ")
      : nameOfPlace(item, app.posts.store.state.places);
    const kind = isPlace ? kindOf(item.title ?? "", item.category) : kindOf(name);
    const about = item.blur === undefined ? "" : "about ";
    const away = item.metres === undefined ? "" : about + awayText(item);
    return make("div", { class: "item-place" }, make("span", { class: "place-square", "data-kind": isPlace ? kind : null, "aria-hidden": "true" }, icon(kind)),
      make("div", { class: "grow" }, make("p", { class: "name" }, make("bdi", {}, name || whereText(item) || "Place")),
        name && away ? make("p", { class: "soft small-text" }, away) : null),
      button("map", [icon("map"), "Show on map"], () => app.showOnMap(item)));
  }

  function* facts(item) {
    if (item.lat !== undefined) yield coordinates(item, item.blur === undefined ? "" : "about ");
    if (item.unlock_metres && item.state === "shown") yield make("span", {}, `locked: others read it within ${radiusText(item.unlock_metres)}`);
    if (item.urgent) yield make("strong", { class: "urgent-mark" }, "urgent");
    if (item.written_at) yield make("span", {}, "written ", timeElement(item.written_at, app.now()));
    if (item.edited_at) yield make("span", {}, "edited ", timeElement(item.edited_at, app.now()));
    if (item.via) yield make("span", {}, "came over the bridge");
    if (item.waiting) yield make("span", { class: "tag waiting" }, "not sent yet; sent when somebody connects");
  }

  function* actions(item) {
    const may = app.mayWrite && item.state === "shown";
    if (may) {
      yield button("like", [icon("heart"), `${item.likes} ${item.likes === 1 ? "like" : "likes"}`],
        () => app.acts.like(item, !item.liked), item.liked);
      if (item.kind === "event") yield button("attend", [icon("come"), item.attending ? "You’re going" : "I’m going"],
        () => app.acts.attend(item, !item.attending), item.attending);
      if (item.mine || detail.editable) yield button("edit", "Edit", () => edit(item));
      if (item.mine || (item.kind === "comment" && detail.parent?.mine)) yield button("delete", "Delete", () => {
        app.acts.remove(item);
        heading.focus({ preventScroll: true });
      }, undefined, "danger");
    } else if (!isGone(item)) yield make("span", { class: "soft" }, counted(item.likes, "like"));
    const outer = item.kind === "place" ? detail.parent?.title : "the post";
    if (item.parent && outer) yield make("a", { class: "button small", href: `#/item/${item.parent}` }, `Show ${oneLine(outer)}`);
    if (!isGone(item)) yield make("span", { class: "soft" }, `${left(Date.parse(item.expires), app.now())} left`);
  }

  function button(act, words, onclick, pressed, kind = "") {
    const element = make("button",
      { class: `button small ${kind}`, onclick, "aria-pressed": pressed === undefined ? null : String(pressed) });
    element.dataset.act = act;
    put(element, words);
    return element;
  }

  function edit(item) {
    const place = item.kind === "place" ? new PlaceForm(item) : null;
    const text = new TextField({ label: place ? "What is there?" : "New text", max: app.me.limits.text_clusters, rows: 3, value: item.text });
    const moved = place ? moving(item) : null;
    const kept = photo?.frame ? { alt: item.photo.alt, element: photo.frame.element } : null;
    const field = item.kind === "comment" ? null : new PhotoField(app.api, kept, true);
    const save = make("button", { type: "submit", class: "button primary small" }, "Save");
    const bar = make("form", { class: "stack", onsubmit: (event) => {
      event.preventDefault();
      if (field) field.whenReady(save, finish);
      else finish();
    } }, place?.elements, moved?.element, text.element, field?.element, make("div", { class: "inline" }, save, button("cancel", "Cancel", end)));
    const mine = editing = { field };
    replace(body.querySelector(".acts-wide"), bar);
    (place?.name ?? text).focus();
    const shownOf = (given) => (given?.upload ? field.shown : given ? { ...item.photo, ...given } : undefined);
    let isSaving = false;

    async function finish() {
      if (isSaving) return;
      // Events and places need no text.
      const words = item.kind !== "post" && item.kind !== "comment" && text.value.trim() === "" ? "" : text.take();
      const added = words === null || !field ? {} : field.change();
      if (words === null || added === null) return;
      const change = { ...(words === (item.text ?? "") ? {} : { text: words }), ...added, ...namesChanged(place, item), ...(moved?.checked ? { lat: app.here.lat, lon: app.here.lon } : {}) };
      if (Object.keys(change).length > 0 && !await saved(change)) return;
      field?.clear();
      if (bar.isConnected) end();
    }

    async function saved(change) {
      isSaving = true;
      // Who leaves now does not take the photo back.
      mine.field = null;
      const shown = { ...change, ..."photo" in change ? { photo: shownOf(change.photo) } : {} };
      if (place) Object.assign(shown, { title: change.name ?? item.title, category: change.kind ?? item.category });
      const error = await app.acts.edit(item, change, shown);
      isSaving = false;
      if (!error) return true;
      if (bar.isConnected) {
        mine.field = field;
        field?.refused(error);
      } else field?.drop();
      return false;
    }
  }

  /// Who stands at the kitchen says that it is here; `null` where nobody can say that.
  function moving(item) {
    const metres = app.here && item.lat !== undefined ? distance(app.here, item) : 0;
    if (metres < 5) return null;
    const box = make("input", { type: "checkbox" });
    return { element: make("label", { class: "inline" }, box, `It is where I am now, ${distanceText(metres)} from there`), get checked() { return box.checked; } };
  }

  function end() {
    stopEditing();
    drawn = null;
    draw(store.state);
    body.querySelector('[data-act="edit"]')?.focus();
  }

  async function comment() {
    const text = field.take();
    if (text === null) return;
    const ticket = nextTicket();
    const draft = draftItem(app, ticket, { kind: "comment", text });
    const counting = nextTicket();
    store.dispatch({ type: "adding", ticket, item: draft });
    store.dispatch({
      type: "began", ticket: counting, id: detail.item.id, change: (item) => ({ ...item, comments: item.comments + 1 }),
    });
    field.clear();
    try {
      await app.api.post(`/items/${detail.item.id}/comments`, { text });
      await load();
      app.posts.refresh();
    } catch (error) {
      // The words come back to where they were written, unless others stand there by now.
      if (field.value === "") field.value = text;
      noteFault(error, "Your comment was not saved.");
      if (error.code === "takenBack") await load();
    }
    for (const one of [ticket, counting]) store.dispatch({ type: "undone", ticket: one });
  }

  function whoText(list, one, many) {
    if (!list?.length) return "";
    const names = list.slice(0, 5).map(nameOf);
    const more = list.length - names.length;
    return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""} ${list.length === 1 ? one : many}`;
  }

  return {
    element, heading, refresh, store, title: "Post",
    enter() {
      load();
      app.posts.select(id);
    },
    leave() {
      latest.drop();
      posts.drop();
      stopEditing();
      photo?.frame?.clear();
      original.clear();
    },
    /// A comment's view also changes with its post, which may be deleted.
    changed(changes) {
      const shown = [...store.state.items, detail?.parent].filter(Boolean);
      if (latest.isAsking || concerns(changes, shown)) refresh();
    },
  };
}
