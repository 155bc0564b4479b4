// What lies on the map: a pin for each item, one mark for pins that are too close, a square for each named place. When results change,
// those that stay are not touched.

import { NEAR, clusterSize, clustered } from "./clusters.js";
import { make, setAttribute, setText } from "./dom.js";
import { seenFrom, whereText } from "./geo.js";
import { kindAndHours, nameOfPlace } from "./places.js";
import { project, unproject } from "./projection.js";
import { difference } from "./poststate.js";
import { overlap } from "./rings.js";
import { icon } from "./rows.js";
import { colourOf, counted, initial, inkOn, nameOf, oneLine } from "./text.js";
import { clock, day } from "./time.js";

const DAY_MS = 86_400_000;
/// Pixels: of a pin with its tail, of a place, and of a letter of its name.
const PIN = { half: 24, height: 54 };
const PLACE_HALF = 16;
const LETTER = 7.4;
/// What is drawn outside the view for the sake of its tail or its name.
const BESIDE = 70;

export class Pins {
  #pins = new Map();
  #clusters = new Map();
  #places = new Map();
  #items = [];
  #groups = [];
  #named = [];
  #laidOut = "";
  #selected = null;
  #raised = null;
  #stop = null;
  /// Ids of what came while somebody looks and was not chosen yet.
  #news = new Set();

  /// `onSelect(id)` when one is chosen, `onOpen(id)` when one that is chosen is chosen again, `onCluster(items)`, `onPlace(place)`.
  /// `reader()`: the place of the reader.
  constructor(layer, { onSelect, onOpen, onCluster, onPlace, reader, photos, now }) {
    Object.assign(this, { layer, onSelect, onOpen, onCluster, onPlace, reader, photos, now });
    layer.addEventListener("keydown", (event) => this.#key(event));
  }

  /// Boxes in pixels of all that is shown: nothing else should be written there.
  boxes = [];

  show(items, places, view) {
    const shown = items.filter((item) => item.lat !== undefined && !item.state.startsWith("deleted"));
    const { added, changed, removed } = difference(this.#items, shown);
    for (const item of removed) this.#drop(this.#pins, item.id);
    for (const item of added) this.#add(item);
    for (const item of changed) {
      const pin = this.#pins.get(item.id);
      pin.item = item;
      this.#dress(pin);
    }
    this.#items = shown;
    this.#named = places;
    this.#laidOut = "";
    this.moveAll(view);
  }

  /// The view is another one: all of them stand elsewhere.
  moveAll(view) {
    // Where one looks changes nothing of what is together; how close does.
    const now = `${view.zoom} ${this.#selected}`;
    if (now !== this.#laidOut) this.#layOut(view);
    this.#laidOut = now;
    this.#place(view);
  }

  select(id, view) {
    if (id === this.#selected) return;
    this.#mark(this.#selected, "selected", false);
    this.#news.delete(id);
    this.#selected = id;
    this.#mark(id, "selected", true);
    if (view) this.moveAll(view);
  }

  markNew(ids) {
    for (const id of ids) this.#news.add(id);
    for (const { element, members } of this.#clusters.values()) this.#dot(element, members);
  }

  /// Something in it is new.
  #dot(element, members) { element.classList.toggle("news", members.some(({ id }) => this.#news.has(id))); }

  /// The pin whose row the pointer or the keyboard is at, or the mark that it is in.
  raise(id) {
    if (id === this.#raised) return;
    this.#mark(this.#raised, "raised", false);
    this.#raised = id;
    this.#mark(id, "raised", true);
  }

  #mark(id, name, isOn) {
    const pin = this.#pins.get(id);
    if (!pin) return;
    pin.element.classList.toggle(name, isOn);
    if (name === "selected") setAttribute(pin.element, "aria-pressed", String(isOn));
    if (name !== "raised") return;
    for (const { element, members } of this.#clusters.values()) {
      if (members.some((item) => item.id === id)) element.classList.toggle(name, isOn);
    }
  }

  #drop(marks, key) {
    const { element } = marks.get(key);
    // If the focused mark goes, the map gets the focus.
    if (element === document.activeElement) this.layer.closest("[tabindex]")?.focus();
    element.remove();
    marks.delete(key);
  }

  #button(marks, key, kind, children, act) {
    const element = make("button", { class: `mark ${kind} away`, tabindex: "-1" }, children);
    element.addEventListener("click", (event) => {
      event.stopPropagation();
      act();
    });
    const mark = { element, isShown: false, at: "" };
    marks.set(key, mark);
    this.layer.append(element);
    return mark;
  }

  #add(item) {
    const letter = make("span", { class: "pin-letter", "aria-hidden": "true" });
    const pin = this.#button(this.#pins, item.id, "pin", [letter],
      () => (this.#selected === item.id ? this.onOpen(item.id) : this.onSelect(item.id)));
    Object.assign(pin, { letter, item });
    pin.element.dataset.id = item.id;
    setAttribute(pin.element, "aria-pressed", "false");
    this.#dress(pin);
    if (item.id === this.#selected) this.#mark(item.id, "selected", true);
  }

  #dress({ element, letter, item }) {
    const isFar = item.state === "too_far";
    const isEvent = item.kind === "event";
    const colour = colourOf(item.author);
    element.classList.toggle("far", isFar);
    element.classList.toggle("event", isEvent);
    element.classList.toggle("blurred", item.blur !== undefined);
    element.style.setProperty("--pin", colour);
    element.style.setProperty("--pin-ink", inkOn(colour));
    if (item.photo || isEvent || isFar) this.photos.dress(letter, item);
    else this.photos.dress(letter, item.author, true);
    const words = isFar ? "" : isEvent ? this.#hour(item) : initial(item.author.name);
    if (letter.dataset.words !== words || (isFar && letter.childElementCount === 0)) {
      letter.dataset.words = words;
      for (const node of [...letter.childNodes]) if (node.nodeName !== "IMG") node.remove();
      letter.prepend(isFar ? icon("lock") : words);
    }
    const label = this.#label(item);
    setAttribute(element, "aria-label", label);
    setAttribute(element, "title", label);
  }

  /// When it begins; the day, if that is not soon.
  #hour(item) {
    const starts = Date.parse(item.starts);
    return Math.abs(starts - this.now()) < DAY_MS ? clock(starts) : day(starts, this.now());
  }

  #label(item) {
    const words = item.state === "too_far" ? "too far to read" : oneLine(item.title ?? item.text ?? "").slice(0, 80);
    return [nameOf(item.author), whereText(item, nameOfPlace(item, this.#named)), words].filter(Boolean).join(", ");
  }

  /// The groups of pins and the names that are written, for one zoom.
  #layOut(view) {
    const points = [];
    const alone = [];
    for (const item of this.#items) {
      const point = { ...project(view, item), item };
      if (item.id === this.#selected) alone.push({ ...point, members: [item] });
      else points.push(point);
    }
    this.#groups = [...clustered(points, NEAR), ...alone].map((group) => ({
      ...unproject(view, group), x: group.x, y: group.y, members: group.members,
      size: group.members.length === 1 ? 0 : clusterSize(group.members.length),
    }));
    this.#keepClusters();
    this.#keepPlaces(view);
    this.#rove(this.#stops());
  }

  #keepClusters() {
    const many = this.#groups.filter(({ size }) => size > 0);
    const keys = new Set(many.map(({ members }) => members[0].id));
    for (const key of [...this.#clusters.keys()]) if (!keys.has(key)) this.#drop(this.#clusters, key);
    for (const group of many) {
      const [first] = group.members;
      const cluster = this.#clusters.get(first.id)
        ?? this.#button(this.#clusters, first.id, "cluster", [], () => this.#open(this.#clusters.get(first.id).members));
      cluster.members = group.members;
      group.mark = cluster;
      setText(cluster.element, String(group.members.length));
      cluster.element.style.setProperty("--size", `${group.size}px`);
      this.#dot(cluster.element, group.members);
      cluster.element.classList.toggle("raised", group.members.some(({ id }) => id === this.#raised));
      const events = group.members.every(({ kind }) => kind === "event");
      const label = [counted(group.members.length, events ? "event" : "post"), whereText(first, nameOfPlace(first, this.#named))].filter(Boolean).join(", ");
      setAttribute(cluster.element, "aria-label", label);
      setAttribute(cluster.element, "title", label);
    }
    for (const group of this.#groups) group.mark ??= this.#pins.get(group.members[0].id);
  }

  #open(members) {
    for (const { id } of members) this.#news.delete(id);
    this.onCluster(members);
    this.markNew([]);
  }

  /// Squares that have room, and their names where they lie over nothing. Pins and marks at a place stand upon its square.
  #keepPlaces(view) {
    const keys = new Set(this.#named.map(({ key }) => key));
    for (const key of [...this.#places.keys()]) if (!keys.has(key)) this.#drop(this.#places, key);
    const squares = [];
    for (const place of this.#named) {
      const at = project(view, place);
      const square = { left: at.x - PLACE_HALF, right: at.x + PLACE_HALF, top: at.y - PLACE_HALF, bottom: at.y + PLACE_HALF };
      squares.push({ place, at, square, hasRoom: !squares.some((other) => other.hasRoom && overlap(other.square, square)) });
    }
    for (const group of this.#groups) {
      const beside = squares.find(({ at, hasRoom }) => hasRoom && Math.hypot(at.x - group.x, at.y - group.y) < PLACE_HALF);
      group.lift = beside ? PLACE_HALF + (group.size > 0 ? group.size / 2 + 6 : -2) : 0;
    }
    const taken = this.#groups.map((group) => boxOf(group, group));
    for (const { place, at, square, hasRoom } of squares) {
      const half = (place.name.length * LETTER) / 2;
      const words = { left: at.x - half, right: at.x + half, top: square.bottom, bottom: square.bottom + 18 };
      const isNamed = hasRoom && !taken.some((box) => overlap(box, words));
      if (hasRoom) taken.push(square);
      if (isNamed) taken.push(words);
      this.#keepPlace(place, hasRoom, isNamed);
    }
  }

  #keepPlace(place, hasRoom, isNamed) {
    let mark = this.#places.get(place.key);
    if (!mark) {
      mark = this.#button(this.#places, place.key, "place", [
        make("span", { class: "place-square" }, icon("posts")), make("bdi", { class: "place-name" }),
      ], () => this.onPlace(this.#places.get(place.key).place));
    }
    if (mark.place !== place) {
      const [square, name] = mark.element.children;
      if (mark.element.dataset.kind !== place.kind) square.replaceChildren(icon(place.kind));
      mark.element.dataset.kind = place.kind;
      setText(name, place.name);
      const count = place.count > 0 ? counted(place.count, "post") : "";
      const label = [whereText(seenFrom(this.reader(), place), place.name), kindAndHours(place), count].filter(Boolean).join(", ");
      setAttribute(mark.element, "aria-label", label);
    }
    Object.assign(mark, { place, hasRoom });
    mark.element.classList.toggle("unnamed", !isNamed);
  }

  #place(view) {
    const shown = new Set();
    this.boxes = [];
    const isNear = ({ x, y }) => x > -BESIDE && y > -BESIDE && x < view.width + BESIDE && y < view.height + BESIDE;
    for (const place of this.#places.values()) {
      if (!place.hasRoom) continue;
      const at = project(view, place.place);
      if (!isNear(at)) continue;
      put(place, at);
      shown.add(place);
      this.boxes.push({ left: at.x - 24, right: at.x + 24, top: at.y - PLACE_HALF, bottom: at.y + PLACE_HALF + 20 });
    }
    for (const group of this.#groups) {
      const at = project(view, group);
      if (!isNear(at)) continue;
      put(group.mark, { x: at.x, y: at.y - group.lift });
      shown.add(group.mark);
      this.boxes.push(boxOf(group, at));
    }
    for (const mark of this.#all()) show(mark, shown.has(mark));
  }

  * #all() {
    yield* this.#places.values();
    yield* this.#pins.values();
    yield* this.#clusters.values();
  }

  /// What the arrow keys go through, in the order of the list.
  #stops() {
    return [...this.#groups.map(({ mark }) => mark), ...[...this.#places.values()].filter(({ hasRoom }) => hasRoom)].map(({ element }) => element);
  }

  /// One stop of the Tab key for all of them: where one was, else the chosen one, else the first.
  #rove(stops) {
    const chosen = this.#pins.get(this.#selected)?.element;
    if (!stops.includes(this.#stop)) this.#stop = null;
    const stop = this.#stop ?? (stops.includes(chosen) ? chosen : stops[0]);
    for (const { element } of this.#all()) setAttribute(element, "tabindex", element === stop ? "0" : "-1");
  }

  #key(event) {
    const stops = this.#stops().filter((element) => !element.classList.contains("away") || element === event.target);
    const at = stops.indexOf(event.target.closest?.(".mark"));
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (at < 0 || steps === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = stops[(at + steps + stops.length) % stops.length];
    this.#stop = next;
    if (next.dataset.id) this.onSelect(next.dataset.id);
    this.#rove(this.#stops());
    next.focus({ preventScroll: true });
  }
}

function boxOf({ size, lift }, { x, y }) {
  const half = size > 0 ? size / 2 + 4 : PIN.half;
  const bottom = y - lift + (size > 0 ? half : 0);
  return { left: x - half, right: x + half, top: bottom - (size > 0 ? 2 * half : PIN.height), bottom };
}

/// Sets a style only if it is different: setting it again would be a change for the browser.
function put(mark, { x, y }) {
  const at = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  if (at === mark.at) return;
  mark.at = at;
  mark.element.style.transform = at;
}

function show(mark, isShown) {
  if (mark.isShown === isShown) return;
  mark.isShown = isShown;
  mark.element.classList.toggle("away", !isShown);
}
