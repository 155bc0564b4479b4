// Posts nearby or in the part of the map that is looked at, posts by people you follow, events, places, and search results: one list,
// and the pins on the map.

import { noteFault, say } from "./announce.js";
import { concerns, concernsPeople, mayBring } from "./changes.js";
import { byId, make, replace } from "./dom.js";
import { radiusText, whereText } from "./geo.js";
import { Latest, gathered } from "./latest.js";
import { KnownPlaces } from "./knownplaces.js";
import { KeyedList } from "./list.js";
import { ListHead } from "./listhead.js";
import { placeRow } from "./placerow.js";
import { inList, isAt, nameNear } from "./places.js";
import { itemRow, wordsOf } from "./rows.js";
import { SOURCES } from "./sources.js";
import { createStore } from "./store.js";
import { counted, nameOf, oneLine } from "./text.js";
import { emptyPosts, joined, reducePosts, shownItems, sortedItems } from "./poststate.js";
import { Unlocked } from "./unlocked.js";

const PAGE = 50;
/// No more are given at once (`/v1/posts/near`).
const PAGE_MAX = 100;
/// The number of posts of a part of the map, which is not read from top to bottom.
const REGION_PAGE = 200;
/// Arrivals that the list does not show yet; older ones are shown without a word.
const FRESH_MAX = 100;

export class Posts {
  #latest = new Latest();
  #source = "near";
  #words = "";
  #scrolled = 0;
  /// How far the list was opened.
  #wanted = PAGE;
  /// Whether what comes next is on its way, and whether something became another meanwhile.
  #isContinuing = false;
  #isStale = false;
  #fresh = new Set();
  #emptyKind = "";
  /// {lat, lon, metres} of the part of the map that is looked at; `null` is near the reader.
  #region = null;
  /// {heading, has(item)} while only what stands at one spot is listed.
  #spot = null;
  #showsPlaces = false;
  #order = "closest";
  /// The route that it was last shown by.
  #entered = "";
  /// What is chosen as soon as it is listed.
  #sought = null;

  constructor(app) {
    this.app = app;
    this.store = createStore(reducePosts, emptyPosts);
    this.store.subscribe((state, before) => this.#draw(state, before));
    this.known = new KnownPlaces(app, this.store, () => this.#region);
    this.unlocked = new Unlocked((item) => this.#showUnlocked(item));
    this.refresh = gathered(() => this.#load());
    this.#build();
  }

  #build() {
    const { app } = this;
    this.list = new KeyedList({
      label: "Posts",
      create: (item) => itemRow(item, app),
      onAt: (item) => this.#at(item),
      onKey: (event, item) => {
        if (event.key === "l" && app.mayWrite && item.state === "shown") app.acts.like(item, !item.liked);
        if (event.key === "m" && item.lat !== undefined) app.map.reveal(item);
      },
    });
    this.places = new KeyedList({
      label: "Places", keyOf: ({ key }) => key, create: (place) => placeRow(place, { here: () => app.here, onPlace: (one) => this.openPlace(one) }),
    });
    const sources = Object.entries(SOURCES).filter(([, one]) => one.words && (app.me.writable || !one.isPrivate));
    this.head = new ListHead({
      sources: sources.map(([value, { words }]) => [value, words]), radii: app.me.limits.radius_choices,
      onSource: (value) => this.#choose(value), onRadius: (value) => app.setRadius(value), onBack: () => this.#back(),
      onOrder: (order) => { this.#order = order; this.#redraw(); },
    });
    this.heading = this.head.heading;
    this.empty = make("div", { class: "empty", hidden: true });
    this.more = make("button", { class: "button", hidden: true, onclick: () => this.#more() }, "Show more");
    this.end = make("div", { class: "list-end", hidden: true });
    this.element = make("div", { class: "view posts" }, this.head.element, this.list.element, this.places.element, this.empty, this.more, this.end);
    app.sheet.pullBy(this.head.element);
  }

  #choose(value) {
    this.#showsPlaces = value === "places";
    this.#redraw();
    if (!this.#showsPlaces) this.app.go(SOURCES[value].hash);
  }

  /// Shows one of the lists; the same again stays where it was scrolled to.
  enter(source = this.#source, words = source === this.#source ? this.#words : "") {
    const isAnother = source !== this.#source || words !== this.#words || !this.store.state.isAsked;
    if (source !== this.#source || words !== this.#words) {
      this.#spot = null;
      this.#showsPlaces = false;
    }
    this.#source = source;
    this.#words = words;
    this.reach();
    if (isAnother) {
      this.#scrolled = 0;
      this.#wanted = this.#pageSize;
    }
    this.#load(isAnother);
    const { sheet, route } = this.app;
    // The list is as it was when the person comes back to it.
    if (route?.name === this.#entered) return;
    this.#entered = route?.name;
    if (route?.name === "map") sheet.to("peek");
    else if (sheet.stop === "peek") sheet.to("half");
  }

  entered() { byId("panel").scrollTop = this.#scrolled; }
  leave() { this.#scrolled = byId("panel").scrollTop; }

  /// The circle on the map means something only where the list goes by it.
  reach() {
    this.app.map.setReach(this.app.here, this.#source === "near" || this.#source === "search" ? this.app.radius : null);
  }

  /// The name of the place beside a point, if one is listed.
  nameAt(point) { return nameNear(this.store.state.places, point); }

  // The part of the map that is looked at.

  get #isElsewhere() { return this.#region !== null && SOURCES[this.#source].isAround === true; }
  get #pageSize() { return this.#isElsewhere ? REGION_PAGE : PAGE; }

  /// The map shows another part. What is listed stays until the answer comes. `sought`: the id of what is chosen then.
  look(region, sought = null) {
    this.#region = region;
    this.#spot = null;
    this.#sought = sought;
    if (!SOURCES[this.#source].isAround) return;
    this.#wanted = this.#pageSize;
    this.#load(false, true);
  }

  /// Back to where the reader is, on the map and in the list.
  lookNear() {
    const { app } = this;
    this.#region = null;
    this.#spot = null;
    this.#wanted = PAGE;
    if (app.here) app.map.fit(app.here, app.radius);
    this.#load(false, true);
  }

  /// The place of the reader is another one: what can be read now that could not be is said. `isShown`: the map goes there.
  moved(isShown) {
    this.unlocked.moves(this.store.state.items);
    this.reach();
    if (isShown) this.lookNear();
    else this.#load();
  }

  #showUnlocked({ id }) {
    this.app.go("#/posts");
    if (this.app.sheet.stop === "peek") this.app.sheet.to("half");
    this.select(id);
    this.list.focus();
  }

  /// A place that somebody made has a view of its own; a name that posts have is what is listed.
  openPlace(place) {
    if (place.id) this.app.go(`#/item/${place.id}`);
    else this.listSpot(null, place);
  }

  /// Lists what stands at one spot: these items, or what is at a place.
  listSpot(items, place) {
    const ids = items ? new Set(items.map(({ id }) => id)) : null;
    const { places } = this.store.state;
    this.#showsPlaces = false;
    this.#spot = {
      heading: place ? place.name : `${counted(items.length, this.#source === "events" ? "event" : "post")} here`,
      has: (item) => (ids ? ids.has(item.id) : isAt(item, place, places)),
    };
    this.#redraw();
    if (this.app.sheet.stop === "peek") this.app.sheet.to("half");
    byId("panel").scrollTop = 0;
  }

  #back() {
    if (!this.#spot) this.lookNear();
    this.#spot = null;
    this.#redraw();
    this.heading.focus({ preventScroll: true });
  }

  #query(after, limit) {
    const { here, radius } = this.app;
    const place = here ? { lat: here.lat, lon: here.lon } : {};
    const page = { limit: Math.min(PAGE_MAX, limit), after };
    if (this.#source === "following") return ["/timeline", page];
    if (this.#source === "search") return ["/search", { words: this.#words, ...place, radius, ...page }];
    const path = this.#source === "events" ? "/events/near" : "/posts/near";
    const reach = this.#source === "events" ? this.app.me.limits.search_max : radius;
    if (!this.#region) return [path, { ...place, radius: reach, ...page }];
    const { lat, lon, metres } = this.#region;
    const reader = here ? { from_lat: here.lat, from_lon: here.lon } : {};
    // Without a place of the reader, no post can be read by looking at its place.
    return [path, { lat, lon, within: Math.ceil(metres), ...reader, radius: here ? reach : 1, ...page }];
  }

  get #needsPlace() { return !this.app.here && SOURCES[this.#source].isAround === true && !this.#region; }

  async #load(isAnother = false, isAsked = isAnother) {
    this.#redraw();
    this.known.load();
    if (this.#needsPlace) {
      this.#latest.drop();
      this.store.dispatch({ type: "answered", page: { items: [] } });
      return;
    }
    // News do not overtake what a reader asked for: they are fetched after it.
    if (this.#isContinuing && !isAsked) {
      this.#isStale = true;
      return;
    }
    this.store.dispatch({ type: "asked", isAnother });
    // A list that was opened further does not close under its reader; where one looks anew, it begins anew.
    const count = isAsked ? this.#wanted : Math.max(this.#wanted, this.store.state.items.length);
    try {
      const latest = await this.#latest.run((signal) => this.#first(count, signal));
      if (!latest) return;
      this.store.dispatch({ type: "answered", page: latest.answer });
      if (this.#sought && latest.answer.items.some(({ id }) => id === this.#sought)) this.select(this.#sought);
      this.#sought = null;
      this.unlocked.say(this.store.state.items);
    } catch (error) {
      this.store.dispatch({ type: "failed", words: error.message });
    }
  }

  async #first(count, signal) {
    let page = await this.#page(undefined, count, signal);
    while (page.next && page.items.length < count) {
      page = joined(page, await this.#page(page.next, count - page.items.length, signal));
    }
    return page;
  }

  async #page(after, limit, signal) {
    const [path, query] = this.#query(after, limit);
    const page = await this.app.api.get(path, query, signal);
    // Without a place of the reader, distances would be those from the middle of the map.
    if (this.app.here || !this.#region) return page;
    return { ...page, items: page.items.map(({ metres, bearing, ...item }) => item) };
  }

  async #more() {
    const first = this.store.state.items.length;
    this.#wanted += this.#pageSize;
    this.#isContinuing = true;
    // Asking for more ends the question that is on its way.
    this.#isStale = this.#latest.isAsking;
    this.more.disabled = true;
    try {
      const latest = await this.#latest.run((signal) => this.#page(this.store.state.next, PAGE, signal));
      if (latest) this.store.dispatch({ type: "continued", page: latest.answer });
      const next = this.store.state.items[first];
      if (next) this.list.row(next.id)?.querySelector("a")?.focus();
    } catch (error) {
      noteFault(error);
    }
    this.#isContinuing = false;
    this.more.disabled = false;
    if (this.#isStale) this.refresh();
    this.#isStale = false;
  }

  /// A post or event arrived near here: it is announced when the list has it.
  arrived(id) {
    if (this.#fresh.size >= FRESH_MAX) this.#fresh.delete(this.#fresh.values().next().value);
    this.#fresh.add(id);
    this.refresh();
  }

  #announce(item) {
    const what = `New ${item.kind} by ${nameOf(item.author)}`;
    const words = [what, whereText(item, item.near)].filter(Boolean).join(", ");
    say(`${words}: ${oneLine(item.title ?? wordsOf(item))}`);
  }

  /// Something is another now: asked for anew if it is in this list, may be by now, or may be in what is on its way.
  changed(changes) {
    const { items, named } = this.store.state;
    const isOther = this.#latest.isAsking || this.known.isAsking || concerns(changes, [...items, ...named])
      || (this.#source === "following" && concernsPeople(changes, this.app.me.id))
      || ((this.#source === "events" || this.#source === "search") && mayBring(changes));
    if (isOther) this.refresh();
  }

  select(id) {
    this.store.dispatch({ type: "selected", id });
  }

  #at(item) {
    this.app.map.raise(item?.id ?? null);
    if (item && this.list.row(item.id)?.contains(document.activeElement)) this.select(item.id);
  }

  #redraw() { this.#draw(this.store.state, this.store.state); }

  #draw(state, before) {
    const all = shownItems(state);
    if (this.#spot && state.isAsked && !all.some(this.#spot.has)) this.#spot = null;
    const isAround = SOURCES[this.#source].isAround === true;
    const listed = this.#spot ? all.filter(this.#spot.has) : all;
    const items = isAround ? sortedItems(listed, this.#order) : listed;
    this.list.waits = !state.isAsked;
    this.list.show(items);
    const fresh = items.filter(({ id, mine }) => this.#fresh.delete(id) && !mine);
    for (const item of fresh) {
      this.list.row(item.id)?.classList.add("new");
      this.#announce(item);
    }
    if (fresh.length > 0) this.app.map.markNew(fresh.map(({ id }) => id));
    if (state.items !== before.items || state.pending !== before.pending || state.places !== before.places) {
      this.app.map.show(all.filter(({ kind }) => kind !== "place"), state.places);
      this.places.show(inList(state.places, this.app.here));
      if (!this.#region) this.app.drawHere();
      this.app.view?.named?.();
    }
    this.list.element.hidden = this.#showsPlaces;
    this.places.element.hidden = !this.#showsPlaces;
    if (state.selected !== before.selected) {
      this.list.select(state.selected);
      this.app.map.select(state.selected);
      const item = items.find((one) => one.id === state.selected);
      if (item?.lat !== undefined) this.app.map.reveal(item);
    }
    this.#drawHead(state, items);
    this.#drawEmpty(state, items);
  }

  #drawHead(state, items) {
    const [source, isElsewhere] = [SOURCES[this.#source], this.#isElsewhere];
    const plain = !this.#spot && !this.#showsPlaces;
    this.head.show({
      source: this.#showsPlaces ? "places" : this.#source, radius: this.app.radius,
      heading: this.#showsPlaces ? SOURCES.places.heading : this.#spot?.heading
        ?? (this.#source === "search" ? `“${oneLine(this.#words)}”` : isElsewhere ? source.elsewhere : source.heading),
      back: this.#showsPlaces ? "" : this.#spot ? "Show all" : isElsewhere && this.app.here ? "Near you" : "",
      hasRadius: plain && !isElsewhere && (this.#source === "near" || this.#source === "search"),
      hasOrder: !this.#showsPlaces && source.isAround === true && items.length > 1,
      newest: this.#source === "events" ? "Soonest" : "Newest",
      add: !this.app.mayWrite ? "" : this.#showsPlaces ? "place" : this.#source === "events" ? "event" : "", hasPlace: Boolean(this.app.here) && plain && !isElsewhere && this.#source === "near",
    });
    const far = items.filter((item) => item.state === "too_far").length;
    const count = counted(items.length - far, this.#source === "events" ? "event" : "post");
    const farWords = far === 0 ? "" : ` ${far} ${items.length > far ? "more " : ""}${far === 1 ? "is" : "are"} too far to read.`;
    this.head.say(this.#showsPlaces ? counted(state.places.length, "place")
      : state.status === "failed" ? state.problem
      : items.length === 0 ? ""
      : `${count}${state.next ? " or more" : ""}.${farWords}`);
    this.more.hidden = !state.next || !plain;
    const wider = this.#wider;
    const isEnd = plain && this.#source === "near" && !isElsewhere && !state.next && items.length > 0 && wider !== undefined;
    this.end.hidden = !isEnd;
    if (!isEnd || this.end.dataset.radius === String(this.app.radius)) return;
    this.end.dataset.radius = String(this.app.radius);
    replace(this.end, make("span", {}, `That’s all within ${radiusText(this.app.radius)}.`), this.#lookWider());
  }

  /// The next wider reading distance, if there is one.
  get #wider() { return this.app.me.limits.radius_choices.find((one) => one > this.app.radius); }

  #lookWider() {
    const wider = this.#wider;
    return !wider ? null
      : make("button", { class: "button small", onclick: () => this.app.setRadius(wider) }, `Look within ${radiusText(wider)}`);
  }

  #drawEmpty(state, items) {
    const isEmpty = (this.#showsPlaces ? state.places : items).length === 0 && state.isAsked && state.status !== "failed";
    this.empty.hidden = !isEmpty;
    const kind = isEmpty ? [this.#source, this.#words, this.#needsPlace, this.#isElsewhere, this.#showsPlaces, this.app.radius].join(" ") : "";
    // Not made anew while it is the same, so that its button keeps the focus.
    if (!isEmpty || kind === this.#emptyKind) return;
    this.#emptyKind = kind;
    const source = SOURCES[this.#showsPlaces ? "places" : this.#source];
    const write = this.#source === "near" && this.app.mayWrite ? make("a", { class: "button", href: "#/new" }, "Write the first post") : null;
    const [words, acts] = this.#needsPlace
      ? [["Where are you?", " Then you can read the posts near you."], [make("a", { class: "button primary", href: "#/here" }, "Choose a place")]]
      : this.#isElsewhere || this.#showsPlaces ? [[source.nothing ?? source.empty], []]
      : this.#source === "search" ? [[`Nothing found for “${oneLine(this.#words)}”. Try another word.`], [this.#lookWider()]]
      : this.#source === "near" ? [[`No posts within ${radiusText(this.app.radius)} yet.`], [this.#lookWider(), write]]
      : [[source.empty], []];
    replace(this.empty, make("p", {}, words), make("div", { class: "inline" }, acts));
  }
}
