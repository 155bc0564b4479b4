// The mesh as a picture: who is linked to whom, how long a round trip takes, and what travels just now.

import { make, setText, shape } from "./dom.js";
import { NODES_MAX, boxOf, path, placed, stepped } from "./layout.js";
import { colourOf, counted, initial, inkOn, nameOf } from "./text.js";

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const STEPS = 240;
const HOP_MS = 350;
const PULSES_MAX = 30;

export const roundTripText = (ms) => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`);

export class Graph {
  #nodes = [];
  #links = [];
  #spots = {};
  #left = 0;
  #frame = 0;
  #parts = { nodes: new Map(), links: new Map() };
  #pulses = 0;

  constructor() {
    this.lines = shape("g");
    this.dots = shape("g");
    this.sparks = shape("g");
    this.svg = shape("svg", { class: "graph", role: "img", "aria-label": "The mesh", preserveAspectRatio: "xMidYMid meet" },
      this.lines, this.dots, this.sparks);
    this.words = make("p", { class: "graph-words" });
    this.element = make("div", { class: "graph-box" }, this.svg, this.words);
  }

  show({ nodes, links }) {
    this.#nodes = [...nodes].sort((a, b) => Number(b.me) - Number(a.me) || (a.hops ?? 99) - (b.hops ?? 99)).slice(0, NODES_MAX);
    const known = new Set(this.#nodes.map((node) => node.id));
    this.#links = links.filter(({ a, b }) => known.has(a) && known.has(b) && a !== b);
    this.#spots = placed(this.#nodes, this.#links, this.#spots);
    this.#dress();
    const others = nodes.length - 1;
    const drawn = nodes.length > NODES_MAX ? ` Only the nearest ${NODES_MAX} are shown.` : "";
    const direct = links.filter(({ hops }) => hops === 1).length;
    const paths = links.length - direct;
    const dashed = paths > 0 ? ` Dashed: ${counted(paths, "longer path")}.` : "";
    const summary = others <= 0 ? "Nobody else is known yet."
      : `${counted(others, "peer")}, ${counted(direct, "link")}.${dashed}${drawn}`;
    setText(this.words, summary);
    this.svg.setAttribute("aria-label", `The mesh: ${summary} The table has the same content.`);
    this.#settle();
  }

  /// Something said by `from` came here, or went from here to all if it is one's own.
  pulse(from) {
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

  #dress() {
    this.#keep("links", this.lines, this.#links, ({ a, b }) => `${a} ${b}`,
      () => shape("g", {}, shape("line", { class: "link" }), shape("text", { class: "trip" })), (part, link) => {
      const me = this.#nodes.find((node) => node.me)?.id;
      part.firstChild.classList.toggle("mine", link.hops === 1 && (link.a === me || link.b === me));
      part.firstChild.classList.toggle("path", link.hops > 1);
      setText(part.lastChild, link.hops > 1 ? counted(link.hops, "hop")
        : link.round_trip_ms === undefined ? "" : roundTripText(link.round_trip_ms));
    });
    this.#keep("nodes", this.dots, this.#nodes, (node) => node.id,
      () => shape("g", { class: "node" }, shape("circle", { r: 15 }), shape("text", { y: 4 }), shape("text", { y: 30 })),
      (part, node) => {
      const colour = colourOf(node);
      part.style.setProperty("--pin", colour);
      part.classList.toggle("me", node.me === true);
      part.classList.toggle("gone", !node.here && !node.me);
      part.children[1].style.fill = inkOn(colour);
      part.children[1].style.stroke = "none";
      setText(part.children[1], initial(node.name));
      setText(part.children[2], node.me ? `${nameOf(node)} (you)` : nameOf(node));
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

  #settle() {
    this.#left = STEPS;
    if (isStill()) {
      while (this.#left > 0) this.#step();
      this.#place();
      return;
    }
    if (this.#frame) return;
    const turn = () => {
      this.#frame = 0;
      for (let times = 0; times < 3 && this.#left > 0; times += 1) this.#step();
      this.#place();
      if (this.#left > 0 && this.element.isConnected) this.#frame = requestAnimationFrame(turn);
    };
    this.#frame = requestAnimationFrame(turn);
  }

  #step() {
    this.#spots = stepped(this.#nodes, this.#links, this.#spots, this.#left / STEPS);
    this.#left -= 1;
  }

  #place() {
    const { left, top, width, height } = boxOf(this.#spots);
    this.svg.setAttribute("viewBox", `${left.toFixed(1)} ${top.toFixed(1)} ${width.toFixed(1)} ${height.toFixed(1)}`);
    for (const node of this.#nodes) {
      const { x, y } = this.#spots[node.id];
      this.#parts.nodes.get(node.id).setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    }
    for (const { a, b } of this.#links) {
      const [line, words] = this.#parts.links.get(`${a} ${b}`).children;
      const [from, to] = [this.#spots[a], this.#spots[b]];
      for (const [name, value] of [
        ["x1", from.x], ["y1", from.y], ["x2", to.x], ["y2", to.y],
      ]) line.setAttribute(name, value.toFixed(1));
      words.setAttribute("x", ((from.x + to.x) / 2).toFixed(1));
      words.setAttribute("y", ((from.y + to.y) / 2 - 4).toFixed(1));
    }
  }
}
