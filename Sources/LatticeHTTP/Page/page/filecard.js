// A file in a line: what it is, how far it is, and what can be done with it; a picture that is here shows itself.

import { progressText, nameParts, percent, sizeText } from "./bytes.js";
import { make, replace, setAttribute, setText } from "./dom.js";
import { isPicture, isSmallPicture } from "./files.js";
import { PictureFrame } from "./picture.js";
import { icon } from "./rows.js";
import { save } from "./save.js";

const KINDS = [[/^image\//, "photo"], [/^audio\//, "sound"], [/^video\//, "film"], [/zip|tar|compressed|7z|rar/, "archive"]];
const iconOf = (type) => KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? "file";

/// How a file looks, on its way here or away.
export class Card {
  #type = null;

  constructor({ onAct, onStop }) {
    this.icon = make("span", { class: "file-icon", "aria-hidden": "true" });
    this.begin = make("span", { class: "file-begin" });
    this.end = make("span", { class: "file-end" });
    this.name = make("bdi", { class: "file-name", dir: "auto" }, this.begin, this.end);
    this.bar = make("progress", { class: "file-bar", max: "100", hidden: true });
    this.words = make("span", { class: "file-words" });
    this.act = make("button", { class: "button quiet small", onclick: onAct, hidden: true });
    this.stop = make("button", { class: "line-act", onclick: onStop, hidden: true }, icon("close"));
    this.element = make("div", { class: "file-card", role: "group" }, this.icon,
      make("div", { class: "file-in" }, this.name, this.bar, this.words), this.act, this.stop);
  }

  /// `share`: percent of it, or `null` for no bar. `act`, `stop`: what the buttons say; none without.
  dress({ name, type = "", words, share = null, act, stop, isBad = false }) {
    if (this.#type !== type) replace(this.icon, icon(iconOf(type)));
    this.#type = type;
    const [begin, end] = nameParts(name);
    setText(this.begin, begin);
    setText(this.end, end);
    setAttribute(this.name, "title", name);
    setAttribute(this.element, "aria-label", `File ${name}`);
    this.bar.hidden = share === null;
    if (share !== null) this.bar.value = share;
    setAttribute(this.bar, "aria-label", name);
    setText(this.words, words);
    this.element.classList.toggle("bad", isBad);
    const focused = document.activeElement;
    this.act.hidden = !act;
    setText(this.act, act ?? "");
    setAttribute(this.act, "aria-label", act ? `${act} ${name}` : null);
    this.stop.hidden = !stop;
    setAttribute(this.stop, "aria-label", stop ? `${stop} ${name}` : null);
    setAttribute(this.stop, "title", stop);
    // The button that was pressed made way for another one.
    if ([this.act, this.stop].includes(focused) && focused.hidden) (act ? this.act : this.stop).focus({ preventScroll: true });
  }
}

/// What stands in a line in place of "shares the file …", while the node knows the file.
export class FileCard {
  #file = null;
  #isBusy = false;
  #isBroken = false;

  /// `on`: {keep(change), look(file)}.
  constructor(line, { files, on }) {
    Object.assign(this, { id: line.file, files, on });
    this.card = new Card({ onAct: () => this.#act(), onStop: () => this.#do(() => files.stop(this.#file)) });
    this.frame = new PictureFrame(files.app.api, {
      onPress: () => on.look(this.#file),
      onBroken: () => {
        this.#isBroken = true;
        this.#keep(() => this.#dress());
      },
    });
    this.element = make("div", { class: "line-file", hidden: true }, this.card.element, this.frame.element);
    this.frame.element.hidden = true;
    this.end = files.watch(this.id, Date.parse(line.at), (file) => this.#keep(() => {
      this.#file = file;
      this.#dress();
    }));
  }

  /// The line is no longer there.
  gone() {
    this.end();
    this.frame.clear();
  }

  #keep(change) {
    if (this.element.isConnected) this.on.keep(change);
    else change();
  }

  #dress() {
    const file = this.#file;
    this.element.hidden = !file;
    if (!file) return;
    const isShown = file.state === "here" && isPicture(file) && !this.#isBroken;
    const hadFocus = this.card.element.contains(document.activeElement);
    this.card.dress({ name: file.name, type: file.type, ...this.#looks(file) });
    this.card.element.hidden = isShown;
    this.frame.element.hidden = !isShown;
    if (!isShown) return;
    this.frame.show(file);
    if (hadFocus) this.frame.element.focus({ preventScroll: true });
  }

  #looks(file) {
    const size = `${sizeText(file.size)}${file.private ? ", encrypted" : ""}${file.delivered ? ", delivered" : ""}`;
    const share = percent(file.here, file.size);
    const stop = file.stoppable ? "Stop fetching" : undefined;
    switch (file.state) {
      case "here": return { words: size, act: this.#isBusy ? "Saving…" : "Save" };
      case "coming": return { words: progressText(file.here, file.size, file.speed), share, stop };
      case "waiting":
        return { words: "Waiting: nobody here has it now", share: file.here > 0 ? share : null, stop };
      default:
        if (file.here > 0) return { words: `Stopped at ${share}%, ${size}`, act: "Go on" };
        return { words: size, act: isSmallPicture(file) ? "Show" : "Get" };
    }
  }

  #act() {
    const file = this.#file;
    this.#do(() => (file.state === "here" ? save(this.files.app.api, file) : this.files.get(file)));
  }

  /// One thing at a time.
  async #do(act) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#dress();
    await act();
    this.#isBusy = false;
    this.#dress();
  }
}

/// An upload as a card: {name, type, size, place, state: waiting, going or failed, sent, speed, fault}.
export function dressUpload(card, upload, place) {
  const elsewhere = upload.place.to === place?.to ? "" : ` ${upload.place.to}`;
  const looks = () => {
    switch (upload.state) {
      case "waiting": return { words: `${sizeText(upload.size)}, waits${elsewhere}`, share: 0, stop: "Cancel" };
      case "failed": return { words: `Not shared${elsewhere}. ${upload.fault}`, isBad: true, act: "Try again", stop: "Remove" };
      default: {
        const words = upload.sent < upload.size ? progressText(upload.sent, upload.size, upload.speed) : "Almost done";
        return { words: `${sizeText(upload.size)}, ${words}${elsewhere}`, share: percent(upload.sent, upload.size), stop: "Cancel" };
      }
    }
  };
  card.dress({ name: upload.name, type: upload.type, ...looks() });
}
