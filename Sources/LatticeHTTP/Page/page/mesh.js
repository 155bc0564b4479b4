// The mesh: the picture beside, here the same in words, and how far this node is with what others have.

import { noteFault, note } from "./announce.js";
import { concernsPeople } from "./changes.js";
import { byId, make, replace, setText } from "./dom.js";
import { Latest, gathered } from "./latest.js";
import { counted, nameOf, oneLine } from "./text.js";
import { timeElement } from "./time.js";

/// Visitors of one machine that are listed by name.
const VISITORS_MAX = 20;

/// `Direct`, `3 hops, through bob`. Why a peer is no neighbour matters to nobody as long as it is reached.
function connectionText(peer, nodes) {
  if (nodes.get(peer.id)?.me) return "This machine";
  if (peer.state === "connected") return "Direct";
  if (peer.hops > 0) {
    const via = nodes.get(peer.via);
    return [counted(peer.hops, "hop"), via ? `through ${nameOf(via)}` : ""].filter(Boolean).join(", ");
  }
  return peer.state === "connecting" ? "Connecting…" : "Not reachable";
}

function progressWords(progress) {
  if (!progress) return "Unknown.";
  if (!progress.caught_up) {
    return `Fetching ${progress.fetched.toLocaleString("en")} of ${progress.total.toLocaleString("en")} records.`;
  }
  return progress.peers > 0 ? `Up to date with ${counted(progress.peers, "peer")}.` : "Up to date.";
}

const nameLink = (person) => {
  const name = make("bdi", {}, nameOf(person));
  return person.id ? make("a", { href: `#/people/${person.id}` }, name) : name;
};

/// Who visits a machine, below its name.
function visitorsOf(node) {
  if (!node?.people) return null;
  const names = node.people.slice(0, VISITORS_MAX).flatMap((person, at) => [at > 0 ? ", " : "", nameLink(person)]);
  const more = node.people.length - VISITORS_MAX;
  return make("div", { class: "soft small-text mesh-people" }, `${counted(node.people.length, "visitor")}: `, names,
    more > 0 ? ` and ${more} more` : null);
}

export function meshView(app) {
  const heading = make("h2", { tabindex: "-1" }, "The mesh");
  const about = make("p", { class: "soft" });
  const sync = make("div", { class: "stack" });
  const card = make("section", { class: "stack", "aria-label": "About this mesh" });
  const table = make("tbody");
  const elsewhere = make("p", { class: "small-text", hidden: true });
  const empty = make("p", { class: "empty", hidden: true });
  const latest = new Latest();
  const button = make("button", { class: "button small", onclick: askSync }, "Sync now");
  const element = make("div", { class: "view" }, heading, card, sync,
    make("table", { class: "mesh-table" }, make("caption", { class: "unseen" }, "Machines"),
      make("thead", {}, make("tr", {}, ["Machine", "Path", "Round trip"].map((words) => make("th", { scope: "col" }, words)))),
      table), elsewhere, empty, about, app.visit.owner ? make("div", {}, button) : null);

  /// The picture and how it says a round trip; its code comes when the mesh is first looked at.
  async function pictured() {
    const { Graph, roundTripText } = await import("./graph.js");
    app.graph ??= new Graph();
    const stage = byId("graph-stage");
    if (app.graph.element.parentElement !== stage) stage.append(app.graph.element);
    return roundTripText;
  }

  async function load() {
    try {
      const found = await latest.run((signal) => Promise.all([
        app.api.get("/graph", {}, signal), app.api.get("/peers", {}, signal), app.api.get("/sync", {}, signal), pictured(),
        app.mesh.load(signal),
      ]));
      if (!found) return;
      const [picture, peers, status, tripText] = found.answer;
      app.graph.show(picture);
      draw(peers.items, new Map(picture.nodes.map((node) => [node.id, node])), tripText);
      drawSync(status);
      replace(card, ...app.mesh.parts());
    } catch (error) {
      setText(empty, error.message);
      empty.hidden = false;
    }
  }

  function draw(peers, nodes, tripText) {
    const home = [...nodes.values()].find(({ me }) => me);
    // Visitors are listed with the machine that they visit.
    const others = peers.filter(({ id, host, state }) => id !== home.id && (!host || state === "connected"));
    const machines = [{ ...home, state: "", hops: 0 }, ...others];
    const visitors = [...nodes.values()].flatMap(({ people = [] }) => people.map(({ id }) => id));
    const lost = peers.filter(({ id, host, state }) => host && state !== "connected" && !visitors.includes(id));
    setText(heading, [counted(machines.length, "machine"), counted(1 + peers.length, "person", "people")].join(", "));
    elsewhere.hidden = lost.length === 0;
    setText(elsewhere, `On machines that are not known here: ${lost.map(nameOf).join(", ")}.`);
    const looks = app.me.discovery !== "off";
    setText(about, `You are ${nameOf(app.me)}#${app.me.short} in the mesh ${oneLine(app.me.mesh)}. `
      + (looks ? "lattice finds peers on this network by itself." : "Discovery is off: only peers with a given address connect."));
    empty.hidden = others.length > 0;
    setText(empty, "Nobody else is here yet. Start lattice on another machine on this network, "
      + "or give the address of a peer with --peer.");
    replace(table, machines.map((peer) => make("tr", {},
      make("th", { scope: "row", title: peer.address ?? null }, nameLink(peer),
        peer.short ? make("span", { class: "soft short" }, ` #${peer.short}`) : null, visitorsOf(nodes.get(peer.id))),
      make("td", {}, connectionText(peer, nodes)),
      make("td", {}, peer.round_trip_ms === undefined ? "–" : tripText(peer.round_trip_ms)))));
  }

  function drawSync({ progress, caught_up_at: date }) {
    const isBehind = progress && !progress.caught_up;
    const last = date ? make("span", { class: "soft" }, "Last ", timeElement(date, app.now())) : null;
    const bar = isBehind
      ? make("progress", { class: "progress", max: progress.total, value: progress.fetched, "aria-label": "Records fetched" }) : null;
    replace(sync, make("p", {}, progressWords(progress), " ", last), bar);
  }

  async function askSync() {
    try {
      await app.api.post("/sync");
      note("Syncing with all neighbours.");
      refresh();
    } catch (error) {
      noteFault(error);
    }
  }

  const refresh = gathered(load, 200, 1_000);
  // Where a visitor is may become known later than that they are here.
  const changed = (changes) => { if (concernsPeople(changes)) refresh(); };
  return { element, heading, refresh, changed, title: "Mesh", enter: load, leave: () => latest.drop() };
}
