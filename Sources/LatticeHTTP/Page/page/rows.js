// One post, comment or event in a list: its parts are made once and dressed anew when it changes.

import { make, setAttribute, setText, shape } from "./dom.js";
import { whereText } from "./geo.js";
import { colourOf, counted, initial, inkOn, nameOf, oneLine, plain } from "./text.js";
import { exact, fromTo, relative } from "./time.js";

export function icon(name) {
  return shape("svg", { class: `icon ${name}`, "aria-hidden": "true" }, shape("use", { href: `/page/icons.svg#${name}` }));
}

/// With `photos`, the picture of the person if there is one.
export function face(person, photos = null, size = "") {
  const element = make("span", { class: `face ${size}`, "aria-hidden": "true" });
  dressFace(element, person, photos);
  return element;
}

export function dressFace(element, person, photos) {
  const colour = colourOf(person);
  element.style.setProperty("--pin", colour);
  element.style.setProperty("--pin-ink", inkOn(colour));
  setText(element, initial(person.name));
  photos?.dress(element, person, true);
}

/// What it says, or why it is not to be read.
export function wordsOf(item) {
  if (item.state === "too_far") return "Too far to read. Go closer.";
  if (item.state === "deleted_by_author") return "Deleted by its author";
  if (item.state === "deleted_by_post_author") return "Deleted by the author of the post";
  return plain(item.text ?? "");
}

export const isGone = (item) => item.state.startsWith("deleted");

/// A name that others have, too, is told apart by the short id.
export function nameElement(person) {
  return make("bdi", { class: "name", title: person.short ? `#${person.short}` : null }, nameOf(person));
}

let rows = 0;

/// One row of a `KeyedList`. `canAct`: without it one may only look.
export function itemRow(first, { now, acts, mayWrite, photos }, canAct = mayWrite) {
  const picture = make("span", { class: "face", "aria-hidden": "true" });
  const name = make("bdi", { class: "name" });
  const time = make("time", { "data-relative": true });
  const where = make("span");
  const waiting = make("span",
    { class: "tag waiting", title: "Nobody has received it yet. It is sent when somebody connects." }, "not sent yet");
  const title = make("span", { class: "title" });
  const words = make("span", { class: "words" });
  const dates = make("span", { class: "meta" });
  const about = `row-${(rows += 1)}`;
  // Who listens hears the words first, then who left them, when and where.
  const link = make("a", { class: "row-link", "aria-describedby": about }, title, words);
  const place = make("span", { class: "meta" });
  const likes = make("button", { class: "button" }, icon("heart"), make("span"));
  const comments = make("span", { class: "button" }, icon("comment"), make("span"));
  const comes = make("button", { class: "button" }, icon("come"), make("span"));
  const bar = make("div", { class: "acts" }, likes, comes, comments);
  const element = make("li", { class: "row" }, picture,
    make("div", { class: "main" }, make("div", { class: "meta", id: about }, name, time, where, waiting), link, dates, place, bar));
  let item = first;
  likes.addEventListener("click", () => acts.like(item, !item.liked));
  comes.addEventListener("click", () => acts.attend(item, !item.attending));

  const dress = (news) => {
    item = news;
    element.classList.toggle("far", item.state === "too_far");
    element.classList.toggle("gone", isGone(item));
    element.classList.toggle("sending", item.isDraft === true);
    dressFace(picture, item.author, photos);
    photos.dress(element, item);
    setText(name, item.mine ? `${nameOf(item.author)} (you)` : nameOf(item.author));
    setAttribute(name, "title", item.author.short ? `#${item.author.short}` : null);
    const at = Date.parse(item.at);
    time.dateTime = item.at;
    setAttribute(time, "title", exact(at));
    setText(time, relative(at, now()));
    setText(where, whereText(item));
    waiting.hidden = !item.waiting;
    setText(title, item.title ? oneLine(item.title) : "");
    title.hidden = !item.title;
    setText(words, item.isDraft ? `${wordsOf(item)}` : wordsOf(item));
    words.hidden = words.textContent === "" && !title.hidden;
    setText(dates, item.starts ? fromTo(Date.parse(item.starts), item.ends ? Date.parse(item.ends) : undefined) : "");
    dates.hidden = !item.starts;
    setText(place, item.place_name ? `at ${oneLine(item.place_name)}` : "");
    place.hidden = !item.place_name;
    setAttribute(link, "href", item.isDraft ? null : `#/item/${item.id}`);
    dressActs();
  };
  const dressActs = () => {
    bar.hidden = isGone(item) || item.isDraft === true;
    const may = canAct && item.state === "shown";
    likes.disabled = !may;
    setAttribute(likes, "aria-pressed", String(item.liked === true));
    setAttribute(likes, "aria-label", `${item.liked ? "Unlike" : "Like"}, ${counted(item.likes, "like")}`);
    setText(likes.lastElementChild, String(item.likes));
    comments.hidden = item.kind === "comment";
    setText(comments.lastElementChild, counted(item.comments, "comment"));
    comes.hidden = item.kind !== "event";
    comes.disabled = !may;
    setAttribute(comes, "aria-pressed", String(item.attending === true));
    setAttribute(comes, "aria-label",
      `${item.attending ? "I’m not going" : "I’m going"}, ${item.attendees} going`);
    setText(comes.lastElementChild, `${item.attendees} going`);
  };
  return { element, link, dress };
}
