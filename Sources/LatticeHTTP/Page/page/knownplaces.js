// The named places that the page knows: those around the reader, and those of the part of the map that is looked at.

import { Latest } from "./latest.js";

/// No more are given at once (`/v1/places`).
const PAGE = 100;

export class KnownPlaces {
  #latest = new Latest();

  /// `region()`: {lat, lon, metres} of what is looked at, or `null`.
  constructor(app, store, region) { Object.assign(this, { app, store, region }); }

  async load() {
    const { app } = this;
    const region = this.region();
    const asked = [];
    if (app.here) asked.push({ lat: app.here.lat, lon: app.here.lon });
    // Who may only look has no place that the node knows.
    else if (app.me.writable) asked.push({});
    if (region) asked.push({ lat: region.lat, lon: region.lon, within: Math.ceil(region.metres) });
    try {
      const found = await this.#latest.run((signal) =>
        Promise.all(asked.map((query) => app.api.get("/places", { ...query, limit: PAGE }, signal))));
      // How far they are is reckoned from the reader, wherever they were asked for.
      if (found) this.store.dispatch({ type: "named", items: found.answer.flatMap(({ items }) => items).map(({ metres, bearing, ...item }) => item) });
    } catch {
      // The list says that the node is away; places that are known stay.
    }
  }

  get isAsking() { return this.#latest.isAsking; }
}
