// The posts at a named place, below it.

import { make, setText } from "./dom.js";
import { Latest } from "./latest.js";
import { KeyedList } from "./list.js";
import { isAt, placesOf } from "./places.js";
import { itemRow } from "./rows.js";
import { counted } from "./text.js";

/// Metres from the place within which its posts are asked for, and how many.
const WITHIN = 300;
const COUNT = 100;

export class PostsAt {
  #latest = new Latest();

  constructor(app) {
    this.app = app;
    this.heading = make("h3", {});
    this.list = new KeyedList({ label: "Posts here", create: (item) => itemRow(item, app) });
    this.element = make("div", { hidden: true }, this.heading, this.list.element);
  }

  async load(place) {
    const { lat, lon } = place;
    const { here, radius, api } = this.app;
    const reader = here ? { from_lat: here.lat, from_lon: here.lon } : {};
    const query = { lat, lon, within: WITHIN, ...reader, radius: here ? radius : 1, limit: COUNT };
    try {
      const found = await this.#latest.run((signal) => api.get("/posts/near", query, signal));
      if (!found) return;
      const places = placesOf([place]);
      // Without a place of the reader, distances would be those from the place.
      const items = found.answer.items.filter((item) => places.length > 0 && isAt(item, places[0], places))
        .map(({ metres, bearing, ...item }) => (here ? { ...item, metres, bearing } : item));
      this.list.show(items);
      setText(this.heading, counted(items.length, "post here", "posts here"));
      this.element.hidden = items.length === 0;
    } catch {
      // The place itself says why nothing comes.
    }
  }

  drop() { this.#latest.drop(); }
}
