// The mesh as a picture: who is linked to whom, how long a round trip takes, and what travels just now.

import { make, setText, shape } from "./dom.js";
import { NODES_MAX, path, placed } from "./layout.js";
import { counted, nameOf } from "./text.js";

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const HOP_MS = 350;
const PULSES_MAX = 30;
/// Pixels across, by hops; further away it is the last one.
const SIZES = [60, 46, 38, 30];
/// Pixels around the last circle for squares and names.
const EDGE = { x: 56, top: 34, bottom: 54 };
const NAME_MAX = 16;

export const roundTripText = (ms) => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);

/// Where the picture is smaller than this, squares and names are smaller, and only round trips are written.
const COMPACT = 480;
const COMPACT_PART = 0.72;

const shortened = (name) => (name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name);

export class Graph {
  #nodes = [];
  #links = [];
  #spots = {};
  /// By visitor, the machine that they visit.
  #homes = new Map();
  #parts = { nodes: new Map(), links: new Map(), circles: new Map() };
  #pulses = 0;
  /// The factor of the size of squares.
  #part = 1;

  constructor() {
    this.rings = shape("g");
    this.lines = shape("g");
    this.dots = shape("g");
    this.sparks = shape("g");
    this.svg = shape("svg", { class: "graph", role: "img", "aria-label": "The mesh" }, this.rings, this.lines, this.dots, this.sparks);
    this.words = make("p", { class: "graph-words" });
    const key = (kind, words) => make("li", {}, shape("svg", { width: 34, height: 8, "aria-hidden": "true" },
      shape("line", { class: `link ${kind}`, x1: 2, y1: 4, x2: 32, y2: 4 })), words);
    this.key = make("ul", { class: "graph-key" }, key("mine", "linked to this machine"), key("path", "known path through others"));
    this.element = make("div", { class: "graph-box" }, this.svg, this.key, this.words);
    new ResizeObserver(() => this.#lay()).observe(this.element);
  }

  show({ nodes, links }) {
    this.#nodes = [...nodes].sort((a, b) => Number(b.me) - Number(a.me) || (a.hops ?? 99) - (b.hops ?? 99) || (a.id < b.id ? -1 : 1))
      .slice(0, NODES_MAX);
    const known = new Set(this.#nodes.map((node) => node.id));
    this.#homes = new Map(nodes.flatMap(({ id, people = [] }) => people.map((person) => [person.id, id])));
    this.#links = links.filter(({ a, b }) => known.has(a) && known.has(b) && a !== b);
    const others = nodes.length - 1;
    const drawn = nodes.length > NODES_MAX ? ` Only the nearest ${NODES_MAX} are shown.` : "";
    const direct = links.filter(({ hops }) => hops === 1).length;
    const paths = links.length - direct;
    const dashed = paths > 0 ? ` Dashed: ${counted(paths, "longer path")}.` : "";
    const summary = others <= 0 ? "No other machine is known yet."
      : `${counted(others, "other machine")}, ${counted(direct, "link")}.${dashed}${drawn}`;
    setText(this.words, summary);
    this.svg.setAttribute("aria-label", `The mesh: ${summary} The table has the same content.`);
    this.#lay();
  }

  /// A line by `author` came here, or an own line went from here to all.
  pulse(author) {
    const from = this.#homes.get(author) ?? author;
    const me = this.#nodes.find((node) => node.me)?.id;
    if (!me || isStill() || document.hidden) return;
    const mine = this.#links.filter(({ a, b }) => a === me || b === me);
    const ways = from === me ? mine.map(({ a, b }) => [me, a === me ? b : a]) : [path(this.#links, from, me)];
    for (const way of ways) if (way.length > 1) this.#travel(way);
  }

  #travel(way) {
    if (this.#pulses >= PULSES_MAX) return;
    this.#pulses += 1;
    const spark = shape("circle", { class: "pulse", r: 6 });
    this.sparks.append(spark);
    const begun = performance.now();
    const move = (now) => {
      const at = (now - begun) / HOP_MS;
      const hop = Math.floor(at);
      const [a, b] = [this.#spots[way[hop]], this.#spots[way[hop + 1]]];
      if (!a || !b || !this.element.isConnected) {
        spark.remove();
        this.#pulses -= 1;
        return;
      }
      spark.setAttribute("cx", a.x + (b.x - a.x) * (at - hop));
      spark.setAttribute("cy", a.y + (b.y - a.y) * (at - hop));
      requestAnimationFrame(move);
    };
    requestAnimationFrame(move);
  }

  /// Everything where it stands, for the size that there is. Letters and squares stay as large as they are; where many stand on a circle
  /// the picture is larger than its frame and is made smaller as a whole.
  #lay() {
    const { width, height } = this.element.getBoundingClientRect();
    if (width < 1 || this.#nodes.length === 0) return;
    const [across, down] = [Math.max(90, width / 2 - EDGE.x), Math.max(90, (height - EDGE.top - EDGE.bottom) / 2)];
    const isCompact = Math.min(width, height) < COMPACT;
    this.#part = isCompact ? COMPACT_PART : 1;
    this.svg.classList.toggle("compact", isCompact);
    this.svg.classList.toggle("crowded", isCompact && this.#nodes.some(({ hops }) => hops > 1));
    const radius = isCompact ? Math.max(across, down) : Math.min(across, down);
    const { spots, circles } = placed(this.#nodes, this.#links, radius, 70 * this.#part);
    // On a phone the circles are as wide and as high as there is room.
    const [x, y] = isCompact ? [across / radius, down / radius] : [1, 1];
    for (const spot of Object.values(spots)) Object.assign(spot, { x: spot.x * x, y: spot.y * y });
    this.#spots = spots;
    const out = circles.at(-1);
    const wide = Math.max(width, 2 * (out * x + EDGE.x));
    const high = Math.max(height, 2 * out * y + EDGE.top + EDGE.bottom);
    const top = -(high + EDGE.top - EDGE.bottom) / 2;
    this.svg.setAttribute("viewBox", [-wide / 2, top, wide, high].map((one) => one.toFixed(1)).join(" "));
    this.#drawCircles(circles.map((r) => ({ rx: r * x, ry: r * y })));
    this.#drawLinks();
    this.#drawNodes();
  }

  #drawCircles(circles) {
    this.#keep("circles", this.rings, circles.map((radii, at) => ({ ...radii, hops: at + 1 })), ({ hops }) => hops,
      () => shape("g", {}, shape("ellipse", { class: "hop" }), shape("text", { class: "hop-words" })), (part, { rx, ry, hops }) => {
        part.firstChild.setAttribute("rx", rx.toFixed(1));
        part.firstChild.setAttribute("ry", ry.toFixed(1));
        part.lastChild.setAttribute("x", (Math.cos(0.9) * rx).toFixed(1));
        part.lastChild.setAttribute("y", (Math.sin(0.9) * ry).toFixed(1));
        setText(part.lastChild, `${hops} ${hops === 1 ? "hop" : "hops"}${hops === circles.length && hops === 4 ? " or more" : ""}`);
      });
  }

  #drawLinks() {
    const me = this.#nodes.find((node) => node.me)?.id;
    this.#keep("links", this.lines, this.#links, ({ a, b }) => `${a} ${b}`,
      () => shape("g", {}, shape("line", { class: "link" }), shape("text", { class: "trip" })), (part, { a, b, hops, round_trip_ms: trip }) => {
        const [line, words] = part.children;
        const [from, to] = [this.#spots[a], this.#spots[b]];
        line.classList.toggle("mine", hops === 1 && (a === me || b === me));
        line.classList.toggle("path", hops > 1);
        for (const [name, value] of [["x1", from.x], ["y1", from.y], ["x2", to.x], ["y2", to.y]]) line.setAttribute(name, value.toFixed(1));
        words.setAttribute("x", ((from.x + to.x) / 2).toFixed(1));
        words.setAttribute("y", ((from.y + to.y) / 2 + 4).toFixed(1));
        setText(words, hops > 1 ? counted(hops, "hop") : trip === undefined ? "" : roundTripText(trip));
      });
  }

  #drawNodes() {
    this.#keep("nodes", this.dots, this.#nodes, (node) => node.id, () => shape("g", { class: "node" }, shape("rect"),
      shape("use", { class: "node-sign" }), shape("text", { class: "node-name" }), shape("text", { class: "node-more" })), (part, node) => {
      const { x, y, hops } = this.#spots[node.id];
      const size = Math.round(SIZES[Math.min(hops, SIZES.length - 1)] * this.#part);
      const sign = size * 0.5;
      part.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      part.classList.toggle("me", node.me === true);
      part.classList.toggle("gone", !node.here && !node.me);
      part.dataset.hops = Math.min(hops, 3);
      const [square, icon, name, more] = part.children;
      for (const [key, value] of [["x", -size / 2], ["y", -size / 2], ["width", size], ["height", size], ["rx", size * 0.29]]) square.setAttribute(key, value);
      for (const [key, value] of [["x", -sign / 2], ["y", -sign / 2], ["width", sign], ["height", sign]]) icon.setAttribute(key, value);
      icon.setAttribute("href", "/page/icons.svg#machine");
      name.setAttribute("y", size / 2 + (this.#part < 1 ? 15 : 18));
      more.setAttribute("y", size / 2 + (this.#part < 1 ? 29 : 36));
      setText(name, shortened(nameOf(node)));
      setText(more, [node.me ? "This machine" : "", node.people ? counted(node.people.length, "visitor") : ""].filter(Boolean).join(", "));
    });
  }

  #keep(kind, parent, values, keyOf, build, dress) {
    const parts = this.#parts[kind];
    const keys = new Set(values.map(keyOf));
    for (const [key, part] of parts) {
      if (keys.has(key)) continue;
      part.remove();
      parts.delete(key);
    }
    for (const value of values) {
      const key = keyOf(value);
      if (!parts.has(key)) {
        parts.set(key, build());
        parent.append(parts.get(key));
      }
      dress(parts.get(key), value);
    }
  }
}
