// A new post. What is being written lies in `app.draft`, so that one can look at the map and come back.

import { note, noteFault } from "./announce.js";
import { draftItem, nextTicket } from "./acts.js";
import { composer, draftPhoto, draftPlace, labelled, line, select } from "./compose.js";
import { make, setText } from "./dom.js";
import { seenFrom } from "./geo.js";
import { KeptPosts, keepPost } from "./keptposts.js";
import { face, icon, optionRow } from "./rows.js";
import { TextField } from "./textfield.js";
import { AS_USUAL } from "./urgent.js";

const DAY = 86_400;
const LIFETIMES = [[3_600, "1 hour"], [DAY, "1 day"], [7 * DAY, "7 days"], [30 * DAY, "30 days"], [365 * DAY, "1 year"]];
/// Characters of a geohash, to which the node cuts the place before anybody gets it.
const BLURS = [["", "exact"], ["7", "within about 150 m"], ["6", "within about 1 km"], ["5", "within about 5 km"]];
const PLACE_NAME_MAX = 100;
/// Metres within which a locked post is read.
const LOCKS = [["", "no"], ["50", "only within 50 m"], ["250", "only within 250 m"]];

/// As many a person may send in 24 hours.
const URGENT_MAX = 3;

/// How many more may be urgent today. Lines of rooms that were not opened in this browser are not known.
async function urgentLeft({ api, now, rooms }) {
  const isOne = ({ mine, urgent, at }) => mine && urgent && now() - Date.parse(at) < DAY * 1_000;
  const lines = Object.values(rooms.store.state.rooms).flatMap((room) => room.lines);
  const { items } = await api.get("/timeline", { limit: 100 });
  return Math.max(0, URGENT_MAX - [...lines, ...items].filter(isOne).length);
}

export function postView(app) {
  const { draft } = app;
  const text = new TextField({
    label: "Your message", max: app.me.limits.text_clusters, value: draft.text, placeholder: "Your message", isHidden: true,
  });
  const photo = draftPhoto(app);
  const place = draftPlace(app, "Where?");
  const name = line("place-name", draft.placeName, PLACE_NAME_MAX);
  const lifetime = select("lifetime", LIFETIMES, draft.lifetime ?? 30 * DAY);
  const blur = select("blur", BLURS, draft.blur ?? "");
  const lock = select("lock", LOCKS, draft.lock ?? "");
  const stays = optionRow(icon("clock"), "", "Everybody near can read it", icon("after"), "summary");
  const more = make("details", { open: Boolean(draft.placeName || draft.blur || draft.lock) }, stays,
    make("div", { class: "stack" },
      labelled("Name of the place (optional)", name),
      labelled("Expires after", lifetime),
      labelled("Place that others see", blur),
      labelled("Lock", lock)));
  const urgent = make("input", { type: "checkbox", role: "switch", class: "switch", checked: Boolean(draft.urgent) });
  const urgency = optionRow(icon("warn"), "Urgent", "Pinned for everybody.", urgent, "label");
  const kept = new KeptPosts(app);
  let isKeeping = false;
  const keepOnce = async (body) => {
    if (isKeeping) return;
    isKeeping = true;
    await keepPost(app, body);
    isKeeping = false;
  };
  const view = composer(app, {
    also: { words: "Keep as draft", submit: keepOnce }, below: kept.element,
    title: "New post", send: "Post", first: text, place, read, submit: (body) => send(app, body),
    fields: [make("div", { class: "compose-text" }, face(app.me, app.photos, "big"), text.element), photo, place.element, urgency, more],
  });
  urgentLeft(app).then((left) => setText(urgency.querySelector(".hint"),
    left > 0 ? `Pinned for everybody. ${left} left today.` : "None left today, this goes out as usual."), () => {});
  setText(view.fault, draft.fault ?? "");

  const drawStays = () => setText(stays.querySelector(".option-title"), `Stays for ${lifetime.selectedOptions[0].text}`);
  const keep = () => {
    Object.assign(draft, {
      text: text.value, placeName: name.value, lifetime: lifetime.value, blur: blur.value, lock: lock.value, urgent: urgent.checked, fault: "",
    });
    drawStays();
  };
  drawStays();
  view.element.addEventListener("input", keep);
  view.element.addEventListener("change", keep);

  function read() {
    keep();
    const words = text.take();
    const point = place.take();
    return words === null || !point ? null : {
      text: words, lat: point.lat, lon: point.lon, lifetime_seconds: Number(lifetime.value),
      ...(name.value.trim() ? { place_name: name.value.trim() } : {}),
      // A rough place does not say at which place it is.
      ...(blur.value ? { blur: Number(blur.value) } : place.id && !name.value.trim() ? { at_place: place.id } : {}),
      ...(lock.value ? { unlock_metres: Number(lock.value) } : {}),
      ...(urgent.checked ? { urgent: true } : {}),
    };
  }
  const { enter, leave } = view;
  return {
    ...view,
    enter() {
      enter();
      kept.load();
    },
    leave() {
      leave();
      kept.leave();
    },
  };
}

/// Shown at once; if the node does not agree, it goes again and the words come back to the form.
async function send(app, body) {
  const ticket = nextTicket();
  const { draft } = app;
  const { text, place_name, lat, lon, blur, at_place } = body;
  const { metres, bearing } = seenFrom(app.here, { lat, lon });
  app.draft = {};
  const photo = draft.photo.shown;
  app.posts.store.dispatch({
    type: "adding", ticket, item: draftItem(app, ticket, { kind: "post", text, place_name, lat, lon, blur, at_place, metres, bearing, photo }),
  });
  app.go("#/posts");
  try {
    const made = await app.api.post("/posts", body);
    app.posts.store.dispatch({ type: "settled", ticket, item: made });
    app.posts.refresh();
    draft.photo.clear();
    if (body.urgent && !made.urgent) note(AS_USUAL);
    note(await app.isOut(made) ? "Posted." : "Posted. It is sent when somebody connects.");
  } catch (error) {
    app.posts.store.dispatch({ type: "undone", ticket });
    noteFault(error, "It was not posted.");
    draft.photo.refused(error);
    app.draft.photo?.drop();
    app.draft = { ...draft, fault: error.message };
    app.go("#/new");
  }
}
