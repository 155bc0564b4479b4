// One post, comment or event in a list: its parts are made once and dressed anew when it changes.

import { make, setAttribute, setText, shape } from "./dom.js";
import { placeText, radiusText, whereText } from "./geo.js";
import { kindAndHours, kindOf } from "./places.js";
import { colourOf, counted, initial, inkOn, nameOf, oneLine, plain } from "./text.js";
import { age, exact, fromTo, relative } from "./time.js";

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

/// How long before it was published a post was written: `written 3 h earlier`; empty within a minute.
export function writtenText({ at, written_at }) {
  const [published, written] = [Date.parse(at), Date.parse(written_at)];
  if (!(published - written >= 60_000)) return "";
  const words = relative(written, published);
  return `written ${words.replace(" ago", " earlier")}`;
}

/// What it says, or why it is not to be read.
export function wordsOf(item) {
  if (item.state === "too_far") return item.unlock_metres ? `You can read this within ${radiusText(item.unlock_metres)}.` : "Too far to read.";
  if (item.state === "deleted_by_author") return "Deleted by its author";
  if (item.state === "deleted_by_post_author") return "Deleted by the author of the post";
  return plain(item.text ?? "");
}

export const isGone = (item) => item.state.startsWith("deleted");

/// If others have the name, too, the short id stands beside it.
export function nameElement(person) {
  return make("bdi", { class: "name", title: person.short ? `#${person.short}` : null }, nameOf(person));
}

/// A row of a form or a list of settings: a sign, what it is, more words, and what can be done.
export const optionRow = (sign, title, words, act, tag = "div") => make(tag, { class: "option" }, make("span", { class: "option-icon" }, sign),
  make("span", { class: "grow" }, make("span", { class: "option-title" }, title), make("span", { class: "hint" }, words)), act);

/// The last word on where something is.
export const coordinates = (point, about = "") => make("details", { class: "soft small-text" }, make("summary", {}, "Coordinates"),
  make("span", { dir: "ltr" }, about + placeText(point)));

let rows = 0;

/// What stands at the beginning of a row: who left it, a calendar for an event, the square of a place, a lock where it cannot be read.
function dressPicture(picture, item, photos) {
  const sign = item.state === "too_far" ? "lock" : isGone(item) ? "" : item.kind === "event" ? "come"
    : item.kind === "place" ? kindOf(item.title ?? "", item.category) : "";
  const isPlace = sign !== "" && item.kind === "place";
  picture.classList.toggle("place-square", isPlace);
  setAttribute(picture, "data-kind", isPlace ? sign : null);
  picture.classList.toggle("locked", sign === "lock");
  picture.classList.toggle("dated", sign === "come");
  if (!sign) dressFace(picture, item.author, photos);
  else if (picture.dataset.sign !== sign) picture.replaceChildren(icon(sign));
  picture.dataset.sign = sign;
}

/// One row of a `KeyedList`: a post, an event or a comment. `canAct`: without it one may only look.
export function itemRow(first, app, canAct = app.mayWrite) {
  const { now, acts, photos } = app;
  const picture = make("span", { class: "face big", "aria-hidden": "true" });
  const name = make("bdi", { class: "name" });
  const time = make("time", { "data-relative": "short" });
  const waiting = make("span",
    { class: "tag waiting", title: "Nobody has received it yet. It is sent when somebody connects." }, "not sent yet");
  const title = make("span", { class: "title" });
  const dates = make("span", { class: "dates" });
  const words = make("span", { class: "words" });
  const where = make("span");
  const place = make("p", { class: "where" }, icon("posts"), where);
  const about = make("div", { class: "meta", id: `row-${(rows += 1)}` }, name, time, waiting);
  place.id = `${about.id}-place`;
  // Who listens hears the words first, then who left them, when and where.
  const link = make("a", { class: "row-link", "aria-describedby": `${about.id} ${place.id}` }, title, dates, words);
  const likes = make("button", { class: "act" }, icon("heart"), make("span"));
  const comes = make("button", { class: "act" }, icon("check"), make("span"));
  const comments = make("button", { class: "act" }, icon("comment"), make("span"));
  const bar = make("div", { class: "acts" }, likes, comes, comments);
  const element = make("li", { class: "row card" }, picture, make("div", { class: "main" }, about, link, place, bar));
  let item = first;
  likes.addEventListener("click", () => acts.like(item, !item.liked));
  comes.addEventListener("click", () => acts.attend(item, !item.attending));
  comments.addEventListener("click", () => app.go(`#/item/${item.id}`));

  const dress = (news) => {
    item = news;
    element.classList.toggle("far", item.state === "too_far");
    element.classList.toggle("gone", isGone(item));
    element.classList.toggle("sending", item.isDraft === true);
    // Who left it stands only with a post.
    element.classList.toggle("event", ["event", "place"].includes(item.kind) && !isGone(item));
    dressPicture(picture, item, photos);
    photos.dress(element, item);
    setText(name, item.mine ? `${nameOf(item.author)} (you)` : nameOf(item.author));
    setAttribute(name, "title", item.author.short ? `#${item.author.short}` : null);
    const at = Date.parse(item.at);
    time.dateTime = item.at;
    setAttribute(time, "title", exact(at));
    setText(time, age(at, now()));
    waiting.hidden = !item.waiting;
    setText(title, item.title ? oneLine(item.title) : "");
    title.hidden = !item.title;
    setText(words, wordsOf(item));
    words.hidden = words.textContent === "" && !title.hidden;
    setText(dates, item.starts ? fromTo(Date.parse(item.starts), item.ends ? Date.parse(item.ends) : undefined) : kindAndHours(item));
    dates.hidden = dates.textContent === "";
    const named = item.near || oneLine(item.place_name ?? "");
    setText(where, [whereText(item, named), writtenText(item)].filter(Boolean).join(", "));
    place.hidden = where.textContent === "";
    place.firstElementChild.firstElementChild.setAttribute("href", `/page/icons.svg#${kindOf(named)}`);
    setAttribute(link, "href", item.isDraft ? null : `#/item/${item.id}`);
    dressActs();
  };
  const dressActs = () => {
    bar.hidden = isGone(item) || item.isDraft === true || item.state === "too_far";
    const may = canAct && item.state === "shown";
    likes.disabled = !may;
    setAttribute(likes, "aria-pressed", String(item.liked === true));
    setAttribute(likes, "aria-label", `${item.liked ? "Unlike" : "Like"}, ${counted(item.likes, "like")}`);
    setText(likes.lastElementChild, String(item.likes));
    comments.hidden = item.kind === "comment";
    setAttribute(comments, "aria-label", counted(item.comments, "comment"));
    setText(comments.lastElementChild, String(item.comments));
    comes.hidden = item.kind !== "event";
    comes.disabled = !may;
    setAttribute(comes, "aria-pressed", String(item.attending === true));
    setAttribute(comes, "aria-label",
      `${item.attending ? "I’m not going" : "I’m going"}, ${item.attendees} going`);
    setText(comes.lastElementChild, item.attending ? `Going, ${item.attendees}` : `${item.attendees} going`);
  };
  return { element, link, dress };
}
