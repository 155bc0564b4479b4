// The mesh: the picture beside, here the same in words, and how far this node is with what others have.

import { noteFault, note } from "./announce.js";
import { byId, make, replace, setText } from "./dom.js";
import { Graph, roundTripText } from "./graph.js";
import { Latest, gathered } from "./latest.js";
import { counted, nameOf, oneLine } from "./text.js";
import { timeElement } from "./time.js";

const STATES = { connected: "linked", connecting: "linking", not_connected: "not linked" };

/// `linked, found by embedded`, `2 hops away, through bob`
function wayTo(peer, nodes) {
  const isFar = peer.state !== "connected" && peer.hops > 1;
  const via = peer.via ? nodes.get(peer.via) : null;
  return [
    isFar ? `${counted(peer.hops, "hop")} away` : STATES[peer.state] ?? peer.state,
    via ? `through ${nameOf(via)}` : "",
    oneLine(peer.reason),
    peer.source ? `found by ${oneLine(peer.source)}` : "",
  ].filter(Boolean).join(", ");
}

function progressWords(progress) {
  if (!progress) return "Not known.";
  if (!progress.caught_up) {
    return `Getting ${progress.fetched.toLocaleString("en")} of ${progress.total.toLocaleString("en")} records.`;
  }
  return progress.peers > 0 ? `Caught up with ${counted(progress.peers, "peer")}.` : "Caught up.";
}

export function meshView(app) {
  const graph = app.graph ?? (app.graph = new Graph());
  const heading = make("h2", { tabindex: "-1" }, "The mesh");
  const about = make("p", { class: "soft" });
  const table = make("tbody");
  const empty = make("p", { class: "empty", hidden: true });
  const sync = make("div", { class: "stack" });
  const latest = new Latest();
  const button = make("button", { type: "button", class: "button small", onclick: askSync }, "Compare now");
  const element = make("div", { class: "view" }, heading, about,
    make("table", {}, make("caption", { class: "unseen" }, "Peers"),
      make("thead", {}, make("tr", {}, ["Who", "How", "Round trip"].map((words) => make("th", { scope: "col" }, words)))),
      table), empty,
    make("h3", {}, "What others have and you lack"), sync, app.me.writable ? make("div", {}, button) : null);

  async function load() {
    try {
      const found = await latest.run((signal) => Promise.all([
        app.api.get("/graph", {}, signal), app.api.get("/peers", {}, signal), app.api.get("/sync", {}, signal),
      ]));
      if (!found) return;
      const [picture, peers, status] = found.answer;
      graph.show(picture);
      draw(peers.items, new Map(picture.nodes.map((node) => [node.id, node])));
      drawSync(status);
    } catch (error) {
      setText(empty, error.message);
      empty.hidden = false;
    }
  }

  function draw(peers, nodes) {
    const looks = app.me.discovery !== "off";
    setText(about, `You are ${nameOf(app.me)}#${app.me.short} in the mesh ${oneLine(app.me.mesh)}. `
      + (looks ? "Who is on this network is found by itself." : "Nobody is looked for: peers are those that were given."));
    empty.hidden = peers.length > 0;
    setText(empty, "Nobody else is here yet. Start lattice on another machine of this network, "
      + "or give this one the address of a peer.");
    replace(table, peers.map((peer) => make("tr", {},
      make("th", { scope: "row", title: peer.address ?? null }, make("bdi", {}, nameOf(peer)),
        peer.short ? make("span", { class: "soft" }, ` #${peer.short}`) : null),
      make("td", {}, wayTo(peer, nodes)),
      make("td", {}, peer.round_trip_ms === undefined ? "–" : roundTripText(peer.round_trip_ms)))));
  }

  function drawSync({ progress, caught_up_at: date }) {
    const isBehind = progress && !progress.caught_up;
    const last = date ? make("span", { class: "soft" }, "Last ", timeElement(date, app.now())) : null;
    const bar = isBehind
      ? make("progress", { class: "progress", max: progress.total, value: progress.fetched, "aria-label": "Records got" }) : null;
    replace(sync, make("p", {}, progressWords(progress), " ", last), bar);
  }

  async function askSync() {
    try {
      await app.api.post("/sync");
      note("Comparing with everybody who is linked.");
      refresh();
    } catch (error) {
      noteFault(error);
    }
  }

  const refresh = gathered(load, 200, 1_000);
  return { element, heading, refresh, title: "Mesh", leave: () => latest.drop(), enter() {
    const stage = byId("graph-stage");
    if (graph.element.parentElement !== stage) stage.append(graph.element);
    load();
  } };
}
