// The page as a whole: who and where one is, and which view is shown.

import { ItemActs } from "./acts.js";
import { leaveNotes, note, noteFault } from "./announce.js";
import { Away } from "./away.js";
import { hasToken, takeToken } from "./api.js";
import { countText } from "./chatlist.js";
import { byId, make, replace, setAttribute, setText } from "./dom.js";
import { distance } from "./geo.js";
import { loadHere, saveHere, watchHere } from "./here.js";
import { RADIUS_KEY, TOKEN_KEY, VISIT_KEY, keep, kept, signOut } from "./kept.js";
import { listenToKeys } from "./keyboard.js";
import { MapCard } from "./mapcard.js";
import { MapDoor } from "./map.js";
import { Marks } from "./marks.js";
import { MeshCard } from "./meshcard.js";
import { News } from "./news.js";
import { Notifications } from "./notifications.js";
import { forgetSeen } from "./offline.js";
import { Rooms } from "./rooms.js";
import { PersonFiles } from "./personfiles.js";
import { Photos } from "./photos.js";
import { homeOf, routeOf } from "./router.js";
import { face, icon } from "./rows.js";
import { Sheet } from "./sheet.js";
import { unreadOf } from "./talkstate.js";
import { counted, nameOf, oneLine } from "./text.js";
import { refresh as refreshTimes } from "./time.js";
import { Urgent } from "./urgent.js";
import { viewOf } from "./views.js";
import { NameSheet, whoIsThere } from "./visit.js";
import { Posts } from "./posts.js";

/// A receiver that stands still reports moves up to this, in metres.
const MOVE_METRES = 10;
const TICK_MS = 20_000;
/// The stream tells what is another. Should a word of it ever be lost, what is shown is not wrong for longer than this.
const REFRESH_MS = 60_000;
/// A neighbour that is there says within this that it has what was written.
const SENT_WAIT_MS = 700;

export class App {
  here = null;
  draft = {};
  route = null;
  view = null;
  graph = null;
  now = () => Date.now();
  narrow = matchMedia("(max-width: 719px)");

  /// `me`: who the person is; `visit`: {open, owner, mesh, people}, how people come in here.
  constructor(api, { me, visit }) {
    Object.assign(this, { api, me, visit });
    if (visit.open && !api.token) {
      this.nameSheet = new NameSheet(this);
      api.gate = (ask) => this.nameSheet.write(ask);
    }
    this.photos = new Photos(this);
    this.radius = this.#keptRadius();
    this.map = new MapDoor({
      onSelect: (id) => this.selectPin(id), onOpen: (id) => this.go(`#/item/${id}`), onPoint: (point) => this.point(point),
      onList: (items, place) => this.#listSpot(items, place), onLook: (region) => this.posts.look(region), photos: this.photos,
      now: this.now, searchMax: me.limits.search_max, basemap: me.basemap, api, isOwner: visit.owner && me.writable,
    });
    this.sheet = new Sheet({ panel: byId("panel"), stage: byId("stage"), onStop: (pixels) => this.map.cover(pixels) });
    this.card = new MapCard(this);
    this.mesh = new MeshCard(this);
    this.acts = new ItemActs(api, () => [this.posts.store, this.view?.store].filter(Boolean), () => this.refresh());
    this.#build();
    this.notifications = new Notifications(this);
    this.urgent = new Urgent(this);
    this.away = new Away(this);
    this.news = new News(this);
  }

  #keptRadius() {
    const choices = this.me.limits.radius_choices;
    const chosen = Number(kept(RADIUS_KEY));
    return choices.includes(chosen) ? chosen : choices[1] ?? choices[0];
  }

  /// What is made for one person.
  #build() {
    this.posts = new Posts(this);
    this.marks = new Marks(this);
    this.rooms = new Rooms(this);
    this.personFiles = new PersonFiles(this);
  }

  /// Whether there is more to do than to look; without a name, the page asks for one first.
  get mayWrite() { return this.me.writable || this.visit.open; }

  /// Somebody came in with this browser: what is shown is theirs from now on.
  async become() {
    await forgetSeen();
    Object.assign(this, await whoIsThere(this.api));
    this.news.stop();
    this.view?.leave?.();
    this.view = null;
    this.#build();
    this.drawMe();
    this.show();
    this.showUnread(unreadOf(this.rooms.store.state));
    this.news.listen();
  }

  /// Nobody came in: what needs a name is left.
  lookAround() {
    if (this.me.writable) location.reload();
    else if (routeOf(location.hash).needsName) history.replaceState(null, "", homeOf(routeOf(location.hash)));
  }

  async start() {
    this.drawMe();
    const card = this.mesh.load();
    try {
      this.here = await loadHere(this);
    } catch (error) {
      noteFault(error);
    }
    this.drawHere();
    await card;
    this.drawMeshName();
    if (this.here) this.map.fit(this.here, this.radius);
    else if (this.mesh.area) this.map.fit(this.mesh.area, this.mesh.area.metres);
    this.posts.reach();
    this.narrow.addEventListener("change", () => this.show());
    addEventListener("hashchange", () => this.moved());
    // Signed in or out in another tab.
    addEventListener("storage", ({ key }) => { if ([TOKEN_KEY, VISIT_KEY, null].includes(key)) location.reload(); });
    listenToKeys(this);
    watchHere(this);
    byId("recentre").addEventListener("click", () => this.recentre());
    byId("keys").addEventListener("click", () => this.showKeys());
    byId("skip").addEventListener("click", (event) => {
      event.preventDefault();
      byId("panel").focus();
    });
    byId("new-link").hidden = byId("map-new").hidden = byId("compose").hidden = !this.mayWrite;
    byId("compose").addEventListener("click", () => this.rooms.dialogs.add());
    for (const [form, field] of [["top-search", "search"], ["map-search", "find-posts"]]) {
      byId(form).addEventListener("submit", (event) => {
        event.preventDefault();
        this.search(byId(field).value.trim());
      });
    }
    addEventListener("pagehide", ({ persisted }) => {
      leaveNotes();
      if (!persisted) this.draft.photo?.drop();
    });
    this.show();
    this.news.listen();
    if (this.api.isLooking) this.nameSheet.open();
    this.mesh.welcome();
    addEventListener("online", () => this.news.hurry());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.news.hurry(); });
    byId("banner-act").addEventListener("click", () => (this.news.isLive ? this.nameSheet.open() : this.news.hurry()));
    setInterval(() => refreshTimes(document, this.now()), TICK_MS);
    setInterval(() => { if (!document.hidden && this.news.isLive) this.refresh(); }, REFRESH_MS);
  }

  go(hash) {
    if (location.hash === hash) this.show();
    else location.hash = hash;
  }

  /// To the view before, or to where its tab begins if this is the first one.
  back() {
    if (this.past?.length > 0) history.back();
    else this.go(homeOf(this.route));
  }

  /// Looks for posts where those are shown, else for messages.
  search(words) {
    if (this.route.tab === "map") this.go(words ? `#/search/${encodeURIComponent(words)}` : "#/posts");
    else if (words) this.go(`#/messages/${encodeURIComponent(words)}`);
  }

  moved() {
    if (!hasToken(location.hash)) {
      this.show();
      return;
    }
    // The link was opened in this tab.
    takeToken();
    location.reload();
  }

  async signOut() {
    try {
      if (!this.api.token) await this.api.delete("/visit");
    } catch (error) {
      noteFault(error);
      return;
    }
    signOut();
    await forgetSeen();
    location.replace(location.pathname);
  }

  show() {
    const wanted = routeOf(location.hash);
    const isAsked = this.api.isLooking && wanted.needsName === true;
    const route = isAsked ? routeOf(homeOf(wanted)) : wanted;
    const isFirst = this.route === null;
    this.past = isFirst ? [] : [...(this.past ?? []), this.route].slice(-1);
    if (this.view && this.route.name !== "map") this.view.leave?.();
    this.route = route;
    this.#drawFrame(route);
    this.view = viewOf(this, route);
    document.body.toggleAttribute("data-picks", Boolean(this.view.picks));
    // What is there already keeps its focus.
    if (byId("panel").firstElementChild !== this.view.element) replace(byId("panel"), this.view.element);
    this.drawTitle();
    if (!this.view.isKept) byId("panel").scrollTop = 0;
    // The focus moves to where the view begins, unless it is in the part that chose the view, which stays.
    const at = document.activeElement;
    const isChosenFrom = byId("map").contains(at) || at?.closest?.(".choice-set, .tabs, .room-list")?.checkVisibility();
    if (!isFirst && !isChosenFrom) this.view.heading?.focus({ preventScroll: true });
    this.view.enter?.();
    this.view.entered?.();
    if (isAsked) this.nameSheet.open();
  }

  #drawFrame({ name, tab, argument, source, isInner }) {
    const { body } = document;
    Object.assign(body.dataset, { name, tab, side: name === "map" ? "stage" : "panel" });
    body.toggleAttribute("data-inner", isInner === true);
    byId("stage").hidden = tab !== "map";
    if (tab === "map") this.map.open();
    byId("graph-stage").hidden = tab !== "mesh";
    // The map of a phone has no bar but its search.
    const bar = this.narrow.matches && ["map", "posts"].includes(name) ? byId("map-search") : document.querySelector(".top");
    if (byId("who").parentElement !== bar) bar.append(byId("who"));
    // On a phone the mesh is a part of People.
    const shown = tab === "mesh" && this.narrow.matches ? "people" : tab;
    for (const link of document.querySelectorAll("a[data-tab]")) {
      setAttribute(link, "aria-current", link.dataset.tab === shown ? "page" : null);
    }
    const what = tab === "map" ? "Search places and posts" : "Search messages";
    setAttribute(byId("search"), "aria-label", what);
    setAttribute(byId("search"), "placeholder", what);
    byId("find-posts").value = source === "search" ? argument : "";
    byId("search").value = source === "search" || name === "messages" ? argument : "";
  }

  /// Whether somebody has what was just written.
  async isOut(made) {
    if (!made.waiting) return true;
    await new Promise((resolve) => setTimeout(resolve, SENT_WAIT_MS));
    return this.posts.store.state.sent.includes(made.id);
  }

  refresh() {
    this.posts.refresh();
    this.urgent.changed();
    this.view?.refresh?.();
  }

  refreshAll() {
    this.refresh();
    this.rooms.refresh();
    this.marks.load();
    this.rooms.unread.refresh();
    this.notifications.refresh();
    this.rooms.pins.refresh();
    this.urgent.refresh();
  }

  // Who and where one is.

  async loadMe() {
    try {
      const { id } = this.me;
      const there = await whoIsThere(this.api);
      // Removed, signed out, or somebody else by now.
      if (there.me.id !== id && !this.api.token) {
        location.reload();
        return;
      }
      Object.assign(this, there);
      this.drawMe();
    } catch {
      // The banner says that the node is away; who one is stays as it was.
    }
  }

  drawMe() {
    this.away.draw();
    this.drawMeshName();
    const isSomebody = this.me.writable || !this.visit.open;
    byId("who").hidden = !this.mayWrite;
    replace(byId("who"), isSomebody ? face(this.me, this.photos) : icon("people"),
      make("bdi", { class: "unseen" }, isSomebody ? `You: ${nameOf(this.me)}` : "Come in"));
  }

  drawMeshName() { setText(byId("mesh-name"), this.mesh.name || oneLine(this.me.mesh)); }

  /// The card of the mesh may be another one, with other distances to read and another length of texts.
  async loadMesh() {
    await this.mesh.load();
    this.drawMeshName();
    this.mesh.welcome();
    try {
      Object.assign(this.me.limits, (await this.api.get("/me")).limits);
    } catch {
      // The banner says that the node is away.
      return;
    }
    this.posts.head.setRadii(this.me.limits.radius_choices);
    const radius = this.#keptRadius();
    if (radius === this.radius) return;
    this.radius = radius;
    this.posts.reach();
  }

  /// The place that the person chose.
  async setHere(point) {
    saveHere(point);
    this.here = point;
    this.drawHere();
    this.posts.moved(true);
  }

  /// The receiver of this machine found another place; the map does not move.
  movedTo(point) {
    if (this.here && distance(this.here, point) <= MOVE_METRES) return;
    const isFirst = this.here === null;
    saveHere(point);
    this.here = point;
    this.drawHere();
    this.posts.moved(isFirst);
  }

  drawHere() {
    const words = this.here ? this.posts.nameAt(this.here) || "Here ✓" : "Where are you?";
    setText(byId("here-link"), words);
    setAttribute(byId("here-link"), "aria-label", this.here ? `Your place: ${words}. Change it.` : null);
    setAttribute(byId("here-link"), "title", this.here ? "Change your place" : null);
  }

  setRadius(radius) {
    this.radius = radius;
    keep(RADIUS_KEY, String(radius));
    this.posts.reach();
    this.posts.lookNear();
  }

  recentre() {
    if (this.route.tab !== "map") this.go("#/posts");
    if (this.here) this.posts.lookNear();
    else this.go("#/here");
  }

  // What one does on the map.

  point(point) {
    if (this.view?.picks) this.view.picks(point);
    else this.card.point(point);
  }

  selectPin(id) {
    if (this.route?.name !== "posts" && this.route?.name !== "map") this.go("#/posts");
    this.posts.select(id);
  }

  #listSpot(items, place) {
    if (this.route?.name !== "posts" && this.route?.name !== "map") this.go("#/posts");
    if (place) this.posts.openPlace(place);
    else this.posts.listSpot(items, null);
  }

  /// The reader and the thing, side by side; what is listed then is what is there.
  showOnMap(item) {
    if (this.narrow.matches || this.route.tab !== "map") this.go("#/map");
    this.sheet.to("peek");
    this.map.fitBoth(this.here, item);
    const point = { lat: item.lat, lon: item.lon };
    this.posts.look({ ...point, metres: Math.min(this.me.limits.search_max, this.here ? 2 * distance(this.here, point) + 500 : 1_000) }, item.id);
  }

  showUnread(count) {
    const badge = byId("chats-badge");
    const lines = count.lines + count.direct;
    badge.hidden = lines === 0;
    badge.classList.toggle("mention", count.mentions > 0);
    setText(badge, count.mentions > 0 ? `@${countText(count.mentions)}` : lines > 0 ? countText(lines) : "");
    const mentions = count.mentions > 0 ? `, ${counted(count.mentions, "mention")}` : "";
    setAttribute(badge, "aria-label", `${counted(lines, "message")} unread${mentions}`);
    this.drawTitle();
  }

  /// The number is of what is meant for this person: mentions and private messages.
  drawTitle() {
    const { mentions, direct } = unreadOf(this.rooms.store.state);
    const count = mentions + direct;
    setText(byId("top-title"), this.view.title ?? "");
    document.title = `${count > 0 ? `(${countText(count)}) ` : ""}${[this.view.title, oneLine(this.me.name), "lattice"].filter(Boolean).join(" – ")}`;
  }

  showKeys() {
    note("Shortcuts: / search, n new post, e new event, h your place, g map, 1–4 Chats, Map, People and Mesh. In a list: arrows move, "
      + "Enter opens, l likes, m shows it on the map. In a chat: r replies, e reacts, Delete deletes, Alt with an arrow opens another chat. Esc goes back.");
  }
}
