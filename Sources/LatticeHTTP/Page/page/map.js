// The door to the map: its code comes when it is first looked at, and what was wanted of it until then is done when it is there.

import { noteFault } from "./announce.js";

export class MapDoor {
  #map = null;
  #coming = null;
  /// The last wish of each kind.
  #wishes = new Map();

  /// What `MapView` takes.
  constructor(options) { this.options = options; }

  async open() {
    if (this.#map) return;
    this.#coming ??= import("./mapview.js");
    try {
      const { MapView } = await this.#coming;
      this.#map ??= new MapView(this.options);
    } catch (error) {
      // The next time the map is opened, the code is loaded again.
      this.#coming = null;
      noteFault(error, "The map did not load.");
      return;
    }
    for (const [name, values] of this.#wishes) this.#map[name](...values);
    this.#wishes.clear();
  }

  /// Where the middle of the map is; `null` while there is none.
  get middle() { return this.#map?.middle ?? null; }

  /// The reader is at `centre` and reads posts within `radius` metres; `null` for neither.
  setReach(centre, radius) { this.#wish("setReach", centre, radius); }

  /// Shows a place with a radius in metres, as long as nobody moves the map.
  fit(centre, metres) { this.#wish("fit", centre, metres); }

  /// Shows the reader and a place, with as much again around both.
  fitBoth(reader, point) { this.#wish("fitBoth", reader, point); }

  /// Moves only if it is not in sight.
  reveal(point) { this.#wish("reveal", point); }

  /// The place that is being chosen, or `null`.
  setMark(point) { this.#wish("setMark", point); }

  show(items, places) { this.#wish("showItems", items, places); }

  select(id) { this.#wish("select", id); }

  /// Marks items as new that came while the map is open.
  markNew(ids) { this.#wish("markNew", ids); }

  raise(id) { this.#wish("raise", id); }

  /// The number of pixels at the bottom that lie under the list.
  cover(pixels) { this.#wish("cover", pixels); }

  #wish(name, ...values) {
    if (this.#map) {
      this.#map[name](...values);
      return;
    }
    // The newest wish is carried out last.
    this.#wishes.delete(name);
    this.#wishes.set(name, values);
  }
}
