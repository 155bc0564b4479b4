// Posts nearby, posts by people you follow, events, and search results: one list, and the pins on the map.

import { noteFault, say } from "./announce.js";
import { concerns, concernsPeople, mayBring } from "./changes.js";
import { byId, make, replace, setText } from "./dom.js";
import { radiusText, whereText } from "./geo.js";
import { Latest, gathered } from "./latest.js";
import { KeyedList } from "./list.js";
import { itemRow, wordsOf } from "./rows.js";
import { createStore } from "./store.js";
import { counted, nameOf, oneLine } from "./text.js";
import { emptyPosts, joined, reducePosts, shownItems } from "./poststate.js";

const PAGE = 50;
/// No more are given at once (`/v1/posts/near`).
const PAGE_MAX = 100;
/// Arrivals that the list does not show yet; older ones are shown without a word.
const FRESH_MAX = 100;
/// Of each: its word, its address, its heading, and what is said where it is empty.
const SOURCES = {
  near: {
    words: "Near", hash: "#/posts", heading: "Near you",
    empty: "No posts near here yet. New posts appear here by themselves.",
  },
  following: {
    words: "Following", hash: "#/following", heading: "You and people you follow", isPrivate: true,
    empty: "Nothing yet. Follow somebody, or write a post.",
  },
  events: { words: "Events", hash: "#/events", heading: "Events near you", empty: "No events near here." },
  search: { heading: "Results", empty: "Nothing found. Try other words." },
};

/// A telephone has no key to press.
const hasKeys = () => matchMedia("(hover: hover)").matches;

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

  constructor(app) {
    this.app = app;
    this.store = createStore(reducePosts, emptyPosts);
    this.store.subscribe((state, before) => this.#draw(state, before));
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
    const sources = Object.entries(SOURCES).filter(([, one]) => one.words && (app.me.writable || !one.isPrivate));
    this.sources = this.#choice("source", "Feed", sources.map(([value, { words }]) => [value, words]),
      (value) => app.go(SOURCES[value].hash));
    this.radii = this.#choice("radius", "Reading distance",
      app.me.limits.radius_choices.map((one) => [String(one), radiusText(one)]), (value) => app.setRadius(Number(value)));
    this.search = make("input", {
      type: "search", id: "search", placeholder: hasKeys() ? "Search  ( / )" : "Search", "aria-label": "Search posts and events", autocomplete: "off",
    });
    const form = make("form", { class: "search", role: "search", onsubmit: (event) => {
      event.preventDefault();
      const words = this.search.value.trim();
      app.go(words ? `#/search/${encodeURIComponent(words)}` : "#/posts");
    } }, this.search, make("button", { class: "button", type: "submit" }, "Search"));
    this.heading = make("h2", { tabindex: "-1" }, "Near you");
    this.status = make("p", { class: "soft small-text" });
    this.empty = make("div", { class: "empty", hidden: true });
    this.more = make("button", { class: "button", hidden: true, onclick: () => this.#more() }, "Show more");
    this.event = make("a", { class: "button small", href: "#/new/event" }, "New event");
    this.element = make("div", { class: "view" },
      make("div", { class: "bar" }, this.sources, this.radii), form,
      make("div", { class: "bar" }, make("div", { class: "grow" }, this.heading, this.status), this.event),
      this.list.element, this.empty, this.more);
  }

  #choice(name, label, values, onChoose) {
    return make("fieldset", { class: "choice-set", "aria-label": label, onchange: (event) => onChoose(event.target.value) },
      make("div", { class: "choice" }, values.map(([value, words]) =>
        make("label", {}, make("input", { type: "radio", name, value }), make("span", {}, words)))));
  }

  /// Shows one of the lists; the same again stays where it was scrolled to.
  enter(source = this.#source, words = source === this.#source ? this.#words : "") {
    const isAnother = source !== this.#source || words !== this.#words || !this.store.state.isAsked;
    this.#source = source;
    this.#words = words;
    this.search.value = words;
    for (const input of this.sources.querySelectorAll("input")) input.checked = input.value === source;
    for (const input of this.radii.querySelectorAll("input")) input.checked = Number(input.value) === this.app.radius;
    this.radii.hidden = source === "following" || source === "events";
    this.event.hidden = source !== "events" || !this.app.mayWrite;
    setText(this.heading, source === "search" ? `“${oneLine(words)}”` : SOURCES[source].heading);
    this.reach();
    if (isAnother) {
      this.#scrolled = 0;
      this.#wanted = PAGE;
    }
    this.#load(isAnother);
  }

  entered() { byId("panel").scrollTop = this.#scrolled; }
  leave() { this.#scrolled = byId("panel").scrollTop; }

  /// The circle on the map means something only where the list goes by it.
  reach() {
    this.app.map.setReach(this.app.here, this.#source === "near" || this.#source === "search" ? this.app.radius : null);
  }

  #query(after, limit) {
    const { here, radius } = this.app;
    const place = here ? { lat: here.lat, lon: here.lon } : {};
    const page = { limit: Math.min(PAGE_MAX, limit), after };
    if (this.#source === "following") return ["/timeline", page];
    if (this.#source === "events") return ["/events/near", { ...place, radius: this.app.me.limits.search_max, ...page }];
    if (this.#source === "search") return ["/search", { words: this.#words, ...place, radius, ...page }];
    return ["/posts/near", { ...place, radius, ...page }];
  }

  async #load(isAnother = false) {
    if (!this.app.here && this.#source !== "following" && this.#source !== "search") {
      this.#latest.drop();
      this.store.dispatch({ type: "answered", page: { items: [] } });
      return;
    }
    // News do not overtake what a reader asked for: they are fetched after it.
    if (this.#isContinuing && !isAnother) {
      this.#isStale = true;
      return;
    }
    this.store.dispatch({ type: "asked", isAnother });
    // A list that was opened further does not close under its reader.
    const count = Math.max(this.#wanted, this.store.state.items.length);
    try {
      const latest = await this.#latest.run((signal) => this.#first(count, signal));
      if (latest) this.store.dispatch({ type: "answered", page: latest.answer });
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

  #page(after, limit, signal) {
    const [path, query] = this.#query(after, limit);
    return this.app.api.get(path, query, signal);
  }

  async #more() {
    const first = this.store.state.items.length;
    this.#wanted += PAGE;
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
    const what = item.kind === "event" ? `New event by ${nameOf(item.author)}` : `New post by ${nameOf(item.author)}`;
    const words = [what, whereText(item)].filter(Boolean).join(", ");
    say(`${words}: ${oneLine(item.title ?? wordsOf(item))}`);
  }

  /// Something is another now: asked for anew if it is in this list, may be by now, or may be in what is on its way.
  changed(changes) {
    const isOther = this.#latest.isAsking || concerns(changes, this.store.state.items)
      || (this.#source === "following" && concernsPeople(changes, this.app.me.id))
      || ((this.#source === "events" || this.#source === "search") && mayBring(changes));
    if (isOther) this.refresh();
  }

  select(id) {
    this.store.dispatch({ type: "selected", id });
  }

  #at(item) {
    this.app.map.pins.raise(item?.id ?? null);
    if (item && this.list.row(item.id)?.contains(document.activeElement)) this.select(item.id);
  }

  #draw(state, before) {
    const items = shownItems(state);
    this.list.show(items);
    for (const item of items.filter(({ id }) => this.#fresh.delete(id))) {
      if (item.mine) continue;
      this.list.row(item.id)?.classList.add("new");
      this.#announce(item);
    }
    this.app.map.showItems(items);
    if (state.selected !== before.selected) {
      this.list.select(state.selected);
      this.app.map.pins.select(state.selected);
      const item = items.find((one) => one.id === state.selected);
      if (item?.lat !== undefined) this.app.map.reveal(item);
      this.app.showPeek(item ?? null);
    }
    this.more.hidden = !state.next;
    const far = items.filter((item) => item.state === "too_far").length;
    const count = counted(items.length, this.#source === "events" ? "event" : "post") + (state.next ? " or more" : "");
    const said = state.status === "failed" ? state.problem
      : !state.isAsked ? "Loading…"
      : items.length === 0 ? ""
      : [count, far > 0 ? `${far} too far to read` : ""].filter(Boolean).join(", ");
    setText(this.status, said);
    this.#drawEmpty(items.length === 0 && state.isAsked && state.status !== "failed");
  }

  #drawEmpty(isEmpty) {
    this.empty.hidden = !isEmpty;
    const kind = isEmpty ? `${this.#source} ${this.#words} ${Boolean(this.app.here)}` : "";
    // Not made anew while it is the same: whoever is at its button stays there.
    if (!isEmpty || kind === this.#emptyKind) return;
    this.#emptyKind = kind;
    const needsPlace = !this.app.here && (this.#source === "near" || this.#source === "events");
    const words = needsPlace ? "Choose a place to see the posts near it. Your place stays in this browser."
      : SOURCES[this.#source].empty;
    const act = needsPlace ? make("a", { class: "button primary", href: "#/here" }, "Choose a place")
      : this.#source === "near" && this.app.mayWrite ? make("a", { class: "button", href: "#/new" }, "Write the first post")
      : null;
    replace(this.empty, make("p", {}, words), act);
  }
}

