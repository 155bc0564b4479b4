// What the list of posts shows, as a value and a pure function on it. What the node said lies in `items`; what a person did and the
// node has not confirmed lies over it in `pending`, so that undoing it is leaving it out.

import { remembered, unmarked } from "./changes.js";
import { nameOfPlace, placesOf } from "./places.js";

/// - items: as the node gave them, in its order, each with `near`, the name of the place where it is. next: cursor of the next page.
/// - named: places that people made, as the node gave them. places: those, and names among the items.
/// - pending: [{ticket, id, change}] or [{ticket, item, before}] for a post that is on its way; before: ids that were there already.
/// - sent: ids of what waited and somebody has now.
/// - status: `idle`, `loading` or `failed` (then `problem` says why).
export const emptyPosts = {
  items: [], named: [], places: [], next: undefined, centre: undefined, radius: undefined, selected: null, pending: [], status: "idle",
  problem: null, isAsked: false, sent: [],
};

export function reducePosts(state, action) {
  switch (action.type) {
    case "asked":
      return { ...state, status: "loading", ...(action.isAnother ? { items: [], next: undefined, isAsked: false } : {}) };
    case "answered":
      return answered(state, action.page);
    case "continued":
      return placed({ ...state, ...joined(state, { ...action.page, items: action.page.items.map((item) => unmarked(state.sent, item)) }),
        status: "idle" }, state.items);
    case "named":
      return sameItem(action.items, state.named) ? state : placed({ ...state, named: action.items }, state.items);
    case "failed":
      return { ...state, status: "failed", problem: action.words, isAsked: true };
    case "selected":
      return state.selected === action.id ? state : { ...state, selected: action.id };
    case "began":
      return { ...state, pending: [...state.pending, { ticket: action.ticket, id: action.id, change: action.change }] };
    case "adding":
      return adding(state, action);
    case "settled":
      return settled(state, action);
    case "sent": {
      const sent = remembered(state.sent, action.ids);
      const items = state.items.map((item) => unmarked(sent, item));
      return { ...state, sent, items: items.some((item, at) => item !== state.items[at]) ? items : state.items };
    }
    case "undone":
      return { ...state, pending: state.pending.filter((one) => one.ticket !== action.ticket) };
    case "changed":
      return { ...state, items: state.items.map((item) => (item.id === action.item.id ? updated(item, action.item) : item)) };
    default:
      throw new Error(`the list of posts knows no ${action.type}`);
  }
}

/// One page and the one after it: nothing twice, and going on where the second ends.
export function joined(page, further) {
  const known = new Set(page.items.map((item) => item.id));
  return { ...page, items: [...page.items, ...further.items.filter((item) => !known.has(item.id))], next: further.next };
}

function answered(state, page) {
  const items = page.items.map((told) => unmarked(state.sent, told));
  const kept = items.some((item) => item.id === state.selected) ? state.selected : null;
  return placed({
    ...state, items, next: page.next, centre: page.centre, radius: page.radius, status: "idle", problem: null, isAsked: true,
    selected: kept,
  }, state.items);
}

/// With the named places, and what is beside one by its name. Items that say the same stay the same values, so that they
/// are not drawn again.
function placed(state, earlier) {
  const before = new Map(earlier.map((item) => [item.id, item]));
  const places = placesOf(state.items, state.named);
  const items = state.items.map((told) => {
    const item = { ...told, near: nameOfPlace(told, places) };
    const known = before.get(item.id);
    return known && sameItem(known, item) ? known : item;
  });
  return { ...state, items, places: sameItem(places, state.places) ? state.places : places };
}

function adding(state, { ticket, item }) {
  return { ...state, pending: [...state.pending, { ticket, item, before: state.items.map((known) => known.id) }] };
}

function settled(state, { ticket, item: told }) {
  const item = unmarked(state.sent, told);
  const pending = state.pending.filter((one) => one.ticket !== ticket);
  const added = state.pending.some((one) => one.ticket === ticket && one.item);
  if (added && !state.items.some((known) => known.id === item.id)) return { ...state, pending, items: [item, ...state.items] };
  return { ...state, pending, items: state.items.map((known) => (known.id === item.id ? updated(known, item) : known)) };
}

/// What the node says of an item now, seen from where the list looks: how far it is, and whether it may be read there, stay.
export function updated(item, news) {
  const { metres, bearing, near } = item;
  const isHidden = item.state === "too_far" && news.state === "shown";
  const seen = isHidden ? { state: item.state, text: undefined, title: item.title, place_name: undefined } : {};
  return { ...news, ...seen, near, ...(metres === undefined ? {} : { metres, bearing }) };
}

/// The items with everything over them that is not confirmed.
export function shownItems(state) {
  if (state.pending.length === 0) return state.items;
  const items = state.items.map((item) =>
    state.pending.reduce((shown, one) => (one.id === item.id && one.change ? one.change(shown) : shown), item));
  return [...state.pending.filter((one) => one.item && !hasCome(one, items)).map((one) => one.item), ...items];
}

/// In the order in which they are listed: what is on its way stands first, then the closest, or the newest; of events those that begin next.
export function sortedItems(items, order) {
  const valueOf = order === "closest" ? ({ metres }) => metres ?? Infinity : ({ starts, at }) => (starts ? Date.parse(starts) : -Date.parse(at));
  const [drafts, others] = [items.filter((one) => one.isDraft), items.filter((one) => !one.isDraft)];
  const values = new Map(others.map((one) => [one, valueOf(one)]));
  return [...drafts, ...others.sort((a, b) => (values.get(a) === values.get(b) ? 0 : values.get(a) - values.get(b)))];
}

/// Those that can be read now and were too far before.
export const readable = (items, wereFar) => items.filter((item) => item.state === "shown" && wereFar.has(item.id));

/// The word that it is there may be quicker than the answer to its author.
const hasCome = ({ item, before }, items) => items.some((one) =>
  one.mine && one.kind === item.kind && one.text === item.text && !before.includes(one.id));

/// What has to be done to a list of drawn things: those with the same value are not touched.
export function difference(before, after) {
  const old = new Map(before.map((item) => [item.id, item]));
  const kept = new Set(after.map((item) => item.id));
  return {
    added: after.filter((item) => !old.has(item.id)),
    changed: after.filter((item) => old.has(item.id) && old.get(item.id) !== item),
    removed: before.filter((item) => !kept.has(item.id)),
  };
}

export const sameItem = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/// The changes that a person makes, as they will look when the node agrees. Done twice they are done once.
export const liking = (liked) => (item) =>
  item.liked === liked ? item : { ...item, liked, likes: Math.max(0, item.likes + (liked ? 1 : -1)) };

export const attending = (comes) => (item) =>
  item.attending === comes ? item : { ...item, attending: comes, attendees: Math.max(0, item.attendees + (comes ? 1 : -1)) };

export const deleting = () => (item) =>
  ({ ...item, state: "deleted_by_author", text: undefined, title: undefined, place_name: undefined, category: undefined, hours: undefined });

export const editing = (shown) => (item) => ({ ...item, ...shown });
