// The card of the mesh: what its owner calls it, greets people with and asks of them. It is shown once, and in the view of the mesh.

import { make, put, replace } from "./dom.js";
import { radiusText } from "./geo.js";
import { WELCOME_KEY, keep, kept } from "./kept.js";
import { oneLine, plain, shortOf } from "./text.js";
import { timeElement } from "./time.js";

const lines = (text) => plain(text).split("\n").map((line) => line.trim()).filter(Boolean).map((line) => make("p", {}, make("bdi", {}, line)));

const rulesOf = ({ rules }) => (rules ? [make("h3", {}, "House rules"), ...lines(rules)] : []);

const pinsOf = ({ pins = [] }) => {
  const here = pins.filter(({ name }) => name);
  return here.length === 0 ? null : make("p", {}, "Places: ", here.flatMap(({ id, name }, at) =>
    [at > 0 ? ", " : "", make("a", { href: `#/item/${id}` }, make("bdi", {}, oneLine(name)))]));
};

export class MeshCard {
  /// As the node gave it; without a name there is none.
  card = {};

  constructor(app) {
    this.app = app;
    this.element = make("dialog", { class: "sheet", "aria-labelledby": "welcome-title" });
    put(document.body, this.element);
  }

  /// Errors are not shown: the page works without.
  async load(signal) {
    try {
      this.card = await this.app.api.get("/mesh", {}, signal);
    } catch {
      // The banner says that the node is away.
    }
    return this.card;
  }

  get name() { return this.card.name ? oneLine(this.card.name) : ""; }

  /// The part of the map for those without a place: {lat, lon, metres}, or nothing.
  get area() { return this.card.area; }

  /// Greets people once. What is only signed again is not news, and its author knows it.
  welcome() {
    const { name, welcome, rules, mine, signer } = this.card;
    if (!name || mine || !(welcome || rules)) return;
    const said = JSON.stringify([signer, name, welcome, rules]);
    if (kept(WELCOME_KEY) === said || this.element.open) return;
    replace(this.element, make("h2", { id: "welcome-title" }, make("bdi", {}, this.name)), lines(welcome ?? ""), rulesOf(this.card),
      make("button", { class: "button primary wide", onclick: () => this.element.close() }, "Got it"));
    this.element.addEventListener("close", () => keep(WELCOME_KEY, said), { once: true });
    this.element.showModal();
  }

  /// For the view of the mesh.
  parts() {
    const { card } = this;
    if (!card.name) {
      return this.app.visit.owner ? [make("p", { class: "soft small-text" },
        "This mesh has no card, which would give its name, rules and defaults. Write one: lattice mesh set --called NAME")] : [];
    }
    const choices = (card.radius_choices ?? []).map(radiusText).join(", ");
    return [
      make("h3", {}, make("bdi", {}, this.name)),
      make("p", { class: "soft small-text" }, "Signed by ", make("a", { href: `#/people/${card.signer}` }, make("bdi", {}, oneLine(card.signer_name))),
        `#${shortOf(card.signer)} `, timeElement(card.at, this.app.now())),
      ...lines(card.description ?? ""), ...lines(card.welcome ?? ""), pinsOf(card),
      choices ? make("p", { class: "soft" }, `Reading distances: ${choices}`) : null,
      card.text_length ? make("p", { class: "soft" }, `Posts and comments have up to ${card.text_length} characters.`) : null,
      ...rulesOf(card),
    ];
  }
}
