// The base map that somebody else shares, offered where this node has none.

import { percent, sizeText } from "./bytes.js";
import { make, replace, setText } from "./dom.js";
import { nameOf, oneLine } from "./text.js";

const LOOK_MS = 2_000;
/// What is here only as a file is offered as well: it is not kept as a map.
const isComing = ({ state }) => state === "coming" || state === "waiting";

export class MapOffer {
  #timer = null;

  /// `element`: where it is said. `onCame(basemap)`: a map is kept here from now on, as `/v1/me` says it.
  constructor(element, { api, isOwner, onCame }) {
    Object.assign(this, { element, api, isOwner, onCame });
    this.#rest();
    this.#look();
    // Somebody may have shared one meanwhile.
    document.addEventListener("visibilitychange", () => this.#look());
  }

  #rest() { setText(this.element, this.isOwner ? "No map yet: lattice map add FILE.mbtiles adds one." : "The hub has no map yet."); }

  async #look() {
    if (!this.isOwner || document.hidden || this.#timer || !this.element.isConnected) return;
    try {
      const { items, shared } = await this.api.get("/maps");
      if (items.some((map) => map.minzoom !== undefined)) {
        this.#came();
        return;
      }
      const file = shared.find(isComing) ?? shared[0];
      if (!file) this.#rest();
      else if (isComing(file)) this.#wait(file);
      else this.#offer(file);
    } catch {
      // The banner says that the node is away.
    }
  }

  #offer(file) {
    const get = make("button", { class: "button", onclick: () => this.#get(file) }, `Get it (${sizeText(file.size)})`);
    replace(this.element, make("span", {}, `${nameOf(file.by)} has a map: ${oneLine(file.name)} `), get);
  }

  async #get(file) {
    setText(this.element, "Asking for the map…");
    try {
      this.#wait(await this.api.post("/maps", { file: file.id }));
    } catch (error) {
      setText(this.element, error.message);
    }
  }

  #wait(file) {
    setText(this.element, file.state === "waiting" ? "The map is wanted: nobody who has it is connected."
      : `The map is coming: ${percent(file.here, file.size)}%`);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#look();
    }, LOOK_MS);
  }

  async #came() {
    try {
      const { basemap } = await this.api.get("/me");
      if (basemap) this.onCame(basemap);
    } catch {
      // It is there when the page is opened anew.
    }
  }
}
