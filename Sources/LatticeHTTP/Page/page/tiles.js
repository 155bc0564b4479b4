// The base map, where the node has one: images that come as they are needed, and the coarser ones until they are here.

import { tilesOf } from "./projection.js";

/// Images that are kept; a screen of 4K shows 150.
const KEPT_MAX = 600;
/// Asked for at once.
const ASKED_MAX = 12;
const PARENTS_MAX = 4;

export class Tiles {
  #images = new Map();
  #asked = 0;

  /// `basemap`: {minzoom, maxzoom, attribution}. `onCame` draws anew.
  constructor(basemap, headers, onCame) {
    this.basemap = basemap;
    this.headers = headers;
    this.onCame = onCame;
  }

  /// Whether anything of it was drawn.
  draw(context, view) {
    let drawn = false;
    for (const tile of tilesOf(view, this.basemap.minzoom ?? 0, this.basemap.maxzoom ?? 14)) {
      const image = this.#image(tile.z, tile.x, tile.y, true);
      drawn = (image ? this.#put(context, image, tile, 0, 0, 1) : this.#putParent(context, tile)) || drawn;
    }
    return drawn;
  }

  #put(context, image, tile, column, row, parts) {
    const width = image.width / parts;
    const height = image.height / parts;
    // A pixel more to the right and below hides the seams that fractions would leave.
    context.drawImage(image, column * width, row * height, width, height,
      Math.floor(tile.left), Math.floor(tile.top), Math.ceil(tile.size) + 1, Math.ceil(tile.size) + 1);
    return true;
  }

  #putParent(context, tile) {
    for (let up = 1; up <= PARENTS_MAX && tile.z - up >= (this.basemap.minzoom ?? 0); up += 1) {
      const parts = 2 ** up;
      const image = this.#image(tile.z - up, Math.floor(tile.x / parts), Math.floor(tile.y / parts), false);
      if (image) return this.#put(context, image, tile, tile.x % parts, tile.y % parts, parts);
    }
    return false;
  }

  #image(z, x, y, asks) {
    const key = `${z}/${x}/${y}`;
    const known = this.#images.get(key);
    if (known) {
      // Last used, last to go.
      this.#images.delete(key);
      this.#images.set(key, known);
      return known.image;
    }
    if (asks && this.#asked < ASKED_MAX) this.#ask(key);
    return null;
  }

  async #ask(key) {
    const entry = { image: null };
    this.#images.set(key, entry);
    this.#asked += 1;
    try {
      const response = await fetch(`/tiles/${key}`, { headers: this.headers });
      if (response.ok) entry.image = await createImageBitmap(await response.blob());
    } catch {
      // The node is away: the tile is asked for again when it is next in sight.
      this.#images.delete(key);
    }
    this.#asked -= 1;
    while (this.#images.size > KEPT_MAX) {
      const [oldest, { image }] = this.#images.entries().next().value;
      this.#images.delete(oldest);
      image?.close();
    }
    this.onCame();
  }
}
