// The map: a canvas of our own below, pins above it, and what a hand or a keyboard does to them.

import { decodeCoastline } from "./coastline.js";
import { byId, make, setAttribute, setText } from "./dom.js";
import { placeText } from "./geo.js";
import { drawMap, prepared } from "./mapdraw.js";
import { Pins } from "./pins.js";
import { centred, fitted, isWithin, metresPerPixel, panned, project, unproject, zoomedAt } from "./projection.js";

const WORLD = { lat: 25, lon: 10, zoom: 1.4, width: 300, height: 300 };
/// Pixels that a hand shakes while it clicks.
const SHAKE = 5;
const COLOURS = {
  paper: "--map-paper", sea: "--map-sea", land: "--map-land", coast: "--map-coast", grid: "--map-grid", gridInk: "--map-ink",
  ring: "--map-ring", reach: "--map-reach", accent: "--accent",
};

export class MapView {
  #view = WORLD;
  #pointers = new Map();
  #dragged = 0;
  #frame = 0;
  #scene = { palette: {}, coastline: null, centre: null, radius: null, tiles: null };
  #mark = null;

  /// `onSelect`, `onOpen`: of a pin. `onPoint(point)`: a place was pointed at.
  constructor({ onSelect, onOpen, onPoint, photos }) {
    this.root = byId("map");
    this.canvas = byId("map-canvas");
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.onPoint = onPoint;
    this.pins = new Pins(byId("pins"), { onSelect, onOpen, photos });
    this.me = make("div", { class: "me-mark", hidden: true, "aria-hidden": "true" });
    this.cross = make("div", { class: "cross-mark", hidden: true, "aria-hidden": "true" });
    byId("marks").append(this.me, this.cross);
    this.#listen();
    this.recolour();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    new ResizeObserver(() => this.#resize()).observe(this.root);
    this.#resize();
  }

  get view() { return this.#view; }
  get middle() { return { lat: this.#view.lat, lon: this.#view.lon }; }

  async loadCoastline() {
    const response = await fetch("/page/coastline.bin");
    if (!response.ok) return;
    this.#scene.coastline = prepared(decodeCoastline(new Uint8Array(await response.arrayBuffer())));
    this.#redraw();
  }

  useTiles(tiles) {
    this.#scene.tiles = tiles;
    const words = tiles.basemap.attribution ?? "";
    setText(byId("attribution"), words);
    this.#redraw();
  }

  redraw() { this.#redraw(); }

  recolour() {
    const style = getComputedStyle(document.documentElement);
    for (const [name, variable] of Object.entries(COLOURS)) this.#scene.palette[name] = style.getPropertyValue(variable).trim();
    this.#redraw();
  }

  /// Where one is and how far one reads; `null` for neither.
  setReach(centre, radius) {
    this.#scene.centre = centre ?? null;
    this.#scene.radius = radius ?? null;
    this.#redraw();
  }

  fit(centre, radius) { this.#show(fitted(this.#view, centre, radius)); }

  /// Moves only if it is not in sight.
  reveal(point) {
    if (!isWithin(this.#view, point, 40)) this.#show(centred(this.#view, point));
  }

  /// The place that is being chosen, or `null`.
  setMark(point) {
    this.#mark = point;
    this.#placeMarks();
  }

  showItems(items) { this.pins.show(items, this.#view); }

  zoom(steps, at = { x: this.#view.width / 2, y: this.#view.height / 2 }) { this.#show(zoomedAt(this.#view, at, steps)); }

  #show(view) {
    this.#view = view;
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
      drawMap(this.context, this.#view, this.#scene);
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
    setAttribute(this.canvas, "aria-label", `Map around ${placeText(this.middle)}`);
  }

  #resize() {
    const { width, height } = this.root.getBoundingClientRect();
    if (width < 1 || height < 1) return;
    this.#show({ ...this.#view, width, height });
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
      this.#show(panned(this.#view, now.x - before.x, now.y - before.y));
      return;
    }
    // Two fingers: what lies between them stays between them.
    const [other] = others;
    const span = (at) => Math.max(10, Math.hypot(at.x - other.x, at.y - other.y));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const moved = panned(this.#view, (now.x - before.x) / 2, (now.y - before.y) / 2);
    this.#show(zoomedAt(moved, middle, Math.log2(span(now) / span(before))));
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
    if (moves[event.key]) this.#show(panned(this.#view, ...moves[event.key]));
    else if (event.key === "+" || event.key === "=") this.zoom(0.5);
    else if (event.key === "-") this.zoom(-0.5);
    else if (event.key === "Enter") this.onPoint(this.middle);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
