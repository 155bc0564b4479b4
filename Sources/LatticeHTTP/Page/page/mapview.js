// The map: a canvas of our own below, pins above it, and what a hand or a keyboard does to them.

import { clustered } from "./clusters.js";
import { decodeCoastline } from "./coastline.js";
import { byId, make, setAttribute, setText } from "./dom.js";
import { seenFrom, whereText } from "./geo.js";
import { COAST_ZOOM_MAX, drawMap, prepared } from "./mapdraw.js";
import { MapOffer } from "./mapoffer.js";
import { Pins } from "./pins.js";
import {
  centredOpen, fitted, fittedAll, isWithin, metresPerPixel, openOf, panned, project, regionOf, unproject, zoomedAt,
} from "./projection.js";
import { Tiles } from "./tiles.js";

const WORLD = { lat: 25, lon: 10, zoom: 1.4, width: 300, height: 300, over: {} };
/// Movement in pixels that still counts as a click.
const SHAKE = 5;
/// A move is over when nothing has moved for this long.
const QUIET_MS = 250;
const FLIGHT_MS = 300;
/// Pixels at the edges where nothing is fitted, besides what lies there.
const EDGE = 8;
const COLOURS = ["map-land", "map-sea", "map-coast", "map-grid", "map-reach", "paper", "ink", "ink2", "teal", "onteal"];

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class MapView {
  #view = WORLD;
  #pointers = new Map();
  #dragged = 0;
  #frame = 0;
  #flight = 0;
  #scene = { palette: {}, coastline: null, centre: null, radius: null, tiles: null };
  #mark = null;
  /// How the view follows from its size, until a hand moves the map: `null` from then on.
  #wish = null;
  #timer = null;

  /// `onSelect`, `onOpen`: of a pin. `onList(items, name)`: what stands at one spot or place. `onPoint(point)`: a place was pointed at.
  /// `onLook(region)`: a hand moved the map there. `basemap`: the base map, if there is one. `isOwner`: whether the person may get one.
  constructor({ onSelect, onOpen, onList, onPoint, onLook, photos, now, searchMax, basemap, api, isOwner }) {
    Object.assign(this, { onPoint, onLook, onList, searchMax });
    this.root = byId("map");
    this.canvas = byId("map-canvas");
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.pins = new Pins(byId("pins"), {
      onSelect, onOpen, photos, now, onCluster: (items) => this.#part(items), reader: () => this.#scene.centre,
      onPlace: (place) => this.onList(null, place),
    });
    this.me = make("div", { class: "me-mark", hidden: true, "aria-hidden": "true" });
    this.cross = make("div", { class: "cross-mark", hidden: true, "aria-hidden": "true" });
    byId("marks").append(this.me, this.cross);
    this.#listen();
    this.#recolour();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#recolour());
    // A setting may fix light or dark.
    new MutationObserver(() => this.#recolour()).observe(document.head, { subtree: true, attributes: true, attributeFilter: ["media"] });
    new ResizeObserver(() => this.#resize()).observe(this.root);
    const show = (map) => {
      this.#scene.tiles = new Tiles(map, api.headers, () => this.#redraw());
      setText(byId("attribution"), map.attribution ?? "");
      this.#redraw();
    };
    if (basemap) show(basemap);
    else new MapOffer(byId("attribution"), { api, isOwner, onCame: show });
    this.#resize();
    this.root.removeAttribute("aria-busy");
  }

  get middle() {
    const { lat, lon } = this.#region;
    return { lat, lon };
  }

  /// All that is seen above the list, also beside the buttons.
  get #region() { return regionOf({ ...this.#view, over: { bottom: this.covered ?? 0 } }, this.searchMax); }

  async #loadCoastline() {
    this.#scene.coastline = { coasts: [], borders: [] };
    const response = await fetch("/page/coastline.bin");
    if (!response.ok) return;
    this.#scene.coastline = prepared(decodeCoastline(new Uint8Array(await response.arrayBuffer())));
    this.#redraw();
  }

  #recolour() {
    const style = getComputedStyle(document.documentElement);
    for (const name of COLOURS) this.#scene.palette[name.replace("map-", "")] = style.getPropertyValue(`--${name}`).trim();
    this.#redraw();
  }

  setReach(centre, radius) {
    Object.assign(this.#scene, { centre: centre ?? null, radius: radius ?? null });
    this.#redraw();
  }

  fit(centre, metres) { this.#follow((view) => fitted(view, centre, metres)); }

  fitBoth(reader, point) {
    this.#follow((view) => fittedAll(view, reader ? [reader, point] : [point], { part: 0.5, zoomMax: 17 }));
  }

  reveal(point) {
    if (!isWithin(this.#view, point, 40)) this.#fly(centredOpen(this.#view, point));
  }

  setMark(point) {
    this.#mark = point;
    this.#placeMarks();
  }

  showItems(items, places) {
    this.pins.show(items, places, this.#view);
    this.#redraw();
  }

  select(id) { this.pins.select(id, this.#view); }

  raise(id) { this.pins.raise(id); }

  markNew(ids) { this.pins.markNew(ids); }

  cover(bottom) {
    this.covered = bottom;
    this.root.parentElement.style.setProperty("--covered", `${bottom}px`);
    this.#resize();
  }

  zoom(steps, at = this.#centre()) { this.#moved(zoomedAt(this.#view, at, steps)); }

  #centre() {
    const { left, top, width, height } = openOf(this.#view);
    return { x: left + width / 2, y: top + height / 2 };
  }

  /// Shows what `wish` makes of the view, also when its size changes.
  #follow(wish) {
    this.#wish = wish;
    clearTimeout(this.#timer);
    this.#fly(wish(this.#view));
  }

  /// By hand, from now on: what is in view is asked for when the move is over.
  #moved(view) {
    this.#wish = null;
    this.#stopFlight();
    this.#show(view);
    this.#look();
  }

  #look() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#pointers.size > 0) this.#look();
      else this.onLook(this.#region);
    }, QUIET_MS);
  }

  /// Zooms in until the pins of a mark are apart; if they never are, lists them.
  #part(items) {
    const view = fittedAll(this.#view, items);
    const points = items.map((item) => ({ ...project(view, item), item }));
    if (view.zoom <= this.#view.zoom + 0.05 || clustered(points).length === 1) {
      this.onList(items, null);
      return;
    }
    this.#wish = null;
    this.#fly(view);
    this.#look();
  }

  #stopFlight() {
    cancelAnimationFrame(this.#flight);
    this.#flight = 0;
  }

  #fly(goal) {
    this.#stopFlight();
    const from = this.#view;
    const way = project(from, goal);
    // Too far for an animation.
    const isFar = Math.hypot(way.x - from.width / 2, way.y - from.height / 2) > 3 * from.width || Math.abs(goal.zoom - from.zoom) > 6;
    if (isStill() || document.hidden || isFar) {
      this.#show(goal);
      return;
    }
    const begun = performance.now();
    const turn = (time) => {
      const part = Math.min(1, Math.max(0, (time - begun) / FLIGHT_MS));
      const done = 1 - (1 - part) ** 3;
      const zoom = from.zoom + (goal.zoom - from.zoom) * done;
      const at = unproject(from, { x: from.width / 2 + (way.x - from.width / 2) * done, y: from.height / 2 + (way.y - from.height / 2) * done });
      this.#flight = part < 1 ? requestAnimationFrame(turn) : 0;
      this.#show(part < 1 ? { ...this.#view, ...at, zoom } : { ...this.#view, lat: goal.lat, lon: goal.lon, zoom: goal.zoom });
    };
    this.#flight = requestAnimationFrame(turn);
  }

  #show(view) {
    this.#view = view;
    if (!this.#scene.coastline && !this.#scene.tiles && view.zoom < COAST_ZOOM_MAX) this.#loadCoastline().catch(() => {});
    this.pins.moveAll(view);
    this.#placeMarks();
    this.#redraw();
  }

  #placeMarks() {
    for (const [element, point] of [[this.me, this.#scene.centre], [this.cross, this.#mark]]) {
      element.hidden = !point;
      if (!point) continue;
      const { x, y } = project(this.#view, point);
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }

  #redraw() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const ratio = Math.min(3, devicePixelRatio || 1);
      const { width, height } = this.#view;
      if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
        this.canvas.width = Math.round(width * ratio);
        this.canvas.height = Math.round(height * ratio);
      }
      this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawMap(this.context, this.#view, this.#scene, this.pins.boxes);
      this.#placeMarks();
      this.#showScale();
    });
  }

  #showScale() {
    const metres = metresPerPixel(this.#view) * 110;
    const power = 10 ** Math.floor(Math.log10(metres));
    const nice = [5, 2, 1].find((one) => one * power <= metres) * power;
    byId("scale").style.width = `${(nice / metresPerPixel(this.#view)).toFixed(0)}px`;
    setText(byId("scale"), nice >= 1000 ? `${nice / 1000} km` : `${nice} m`);
    setAttribute(this.canvas, "aria-label", ["Map", whereText(seenFrom(this.#scene.centre, this.middle))].filter(Boolean).join(", "));
  }

  #resize() {
    const { width, height } = this.root.getBoundingClientRect();
    if (width < 1 || height < 1) return;
    // What lies over it is measured, so that a larger font is right, too.
    const sizeOf = (part, side) => this.root.parentElement.querySelector(part)?.[side] ?? 0;
    const search = sizeOf(".map-search", "offsetHeight");
    const over = {
      left: EDGE, right: EDGE + sizeOf(".map-tools", "offsetWidth"), top: EDGE + (search > 0 ? search + 12 : 0),
      bottom: EDGE + sizeOf(".map-foot", "offsetHeight") + 6 + (this.covered ?? 0),
    };
    const view = { ...this.#view, width, height, over };
    this.#stopFlight();
    this.#show(this.#wish ? this.#wish(view) : view);
  }

  #listen() {
    const root = this.root;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointercancel"]) root.addEventListener(name, (event) => this.#up(event));
    root.addEventListener("wheel", (event) => {
      event.preventDefault();
      const pixels = event.deltaMode === 1 ? event.deltaY * 20 : event.deltaY;
      this.zoom(Math.max(-1, Math.min(1, -pixels / 250)), this.#at(event));
    }, { passive: false });
    root.addEventListener("dblclick", (event) => {
      if (event.target === this.canvas) this.zoom(1, this.#at(event));
    });
    root.addEventListener("keydown", (event) => this.#key(event));
    byId("zoom-in").addEventListener("click", () => this.zoom(1));
    byId("zoom-out").addEventListener("click", () => this.zoom(-1));
  }

  #at(event) {
    const box = this.root.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #down(event) {
    if (event.target !== this.canvas || event.button !== 0) return;
    if (this.#pointers.size === 0) this.#dragged = 0;
    this.#pointers.set(event.pointerId, this.#at(event));
    this.canvas.setPointerCapture(event.pointerId);
  }

  #drag(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#at(event);
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    this.#pointers.set(event.pointerId, now);
    this.#dragged += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.#dragged < SHAKE) return;
    if (others.length === 0) {
      this.#moved(panned(this.#view, now.x - before.x, now.y - before.y));
      return;
    }
    // Two fingers: what lies between them stays between them.
    const [other] = others;
    const span = (at) => Math.max(10, Math.hypot(at.x - other.x, at.y - other.y));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const moved = panned(this.#view, (now.x - before.x) / 2, (now.y - before.y) / 2);
    this.#moved(zoomedAt(moved, middle, Math.log2(span(now) / span(before))));
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    if (event.type === "pointerup" && this.#pointers.size === 0 && this.#dragged < SHAKE) {
      this.onPoint(unproject(this.#view, this.#at(event)));
    }
  }

  #key(event) {
    if (event.target !== this.root || event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 200 : 60;
    const moves = { ArrowLeft: [far, 0], ArrowRight: [-far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] };
    if (moves[event.key]) this.#moved(panned(this.#view, ...moves[event.key]));
    else if (event.key === "+" || event.key === "=") this.zoom(0.5);
    else if (event.key === "-") this.zoom(-0.5);
    else if (event.key === "Enter") this.onPoint(this.middle);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
