// What the page knows of the files of a room or of two people: asked of the node once, and again while one of them comes.

import { noteFault, say } from "./announce.js";
import { Pace } from "./bytes.js";
import { oneLine } from "./text.js";

/// How often the node is asked while bytes come, and while nobody has them or the node does not answer.
const COMING_MS = 1_000;
const WAITING_MS = 5_000;
/// Lines do not wait for their files longer than this.
const OPEN_WAIT_MS = 500;
/// A line may arrive before the record of its file does: how old it may be, and when the node is asked again.
const NEW_MS = 10 * 60_000;
const AGAIN_MS = [1_000, 4_000, 15_000, 60_000];
/// What is known of files whose lines went, so that a room looks the same when it is opened again.
const KNOWN_MAX = 1_000;
/// Up to this number, files on their way are asked for one by one.
const SINGLE_MAX = 4;
const PICTURES = ["image/jpeg", "image/png", "image/webp", "image/gif"];
const PICTURE_BYTES_MAX = 5 * 1_048_576;
const SMALL_BYTES_MAX = 1_048_576;

const isOnItsWay = (file) => file?.state === "coming" || file?.state === "waiting";
/// Shown in the line as soon as it is here.
export const isPicture = (file) => PICTURES.includes(file.type) && file.size <= PICTURE_BYTES_MAX;
/// Small enough to be fetched for a look.
export const isSmallPicture = (file) => isPicture(file) && file.size <= SMALL_BYTES_MAX;

const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));

export class Files {
  /// {id: the file, or `null` if the node does not know it}
  #known = new Map();
  #paces = new Map();
  /// {id: {readers, at, tries}}
  #watched = new Map();
  /// {room} or {person}.
  #place = null;
  /// The question for all files of the room; those it does not name are asked for after it.
  #opening = null;
  #isAsking = false;
  #timer = null;

  /// `inRoom()`: ids of the files of the open room, as their lines stand.
  /// `onListed(files)`: all files there, newest first.
  constructor(app, inRoom, onListed = () => {}) {
    Object.assign(this, { app, inRoom, onListed });
    document.addEventListener("visibilitychange", () => this.#keepAsking());
  }

  /// Whether the person may fetch files on this node.
  get isOpen() { return this.app.me.writable; }

  /// Asks for the files of a place. It is over soon even if the answer is not.
  open(place) {
    if (!this.isOpen) return Promise.resolve();
    this.#place = place;
    this.#opening = this.#loadRoom();
    this.#loadMissing();
    return Promise.race([this.#opening, wait(OPEN_WAIT_MS)]);
  }

  /// - Parameters:
  ///   - reader: gets the file each time it is another, and `null` if the node does not know it.
  ///   - at: when the line was said, in milliseconds.
  /// - Returns: a function that ends it.
  watch(id, at, reader) {
    const watched = this.#watched.get(id) ?? { readers: new Set(), at, tries: 0 };
    this.#watched.set(id, watched);
    watched.readers.add(reader);
    if (this.#known.has(id)) reader(this.#known.get(id));
    else queueMicrotask(() => this.#loadMissing());
    this.#keepAsking();
    return () => {
      watched.readers.delete(reader);
      if (watched.readers.size > 0 || this.#watched.get(id) !== watched) return;
      this.#watched.delete(id);
      this.#paces.delete(id);
      if (this.#known.size > KNOWN_MAX) this.#known.delete(id);
    };
  }

  /// The pictures of the room that can be looked at, as their lines stand.
  get pictures() {
    const files = [...new Set(this.inRoom())].map((id) => this.#known.get(id));
    return files.filter((file) => file?.state === "here" && isPicture(file));
  }

  get(file) { return this.#change("POST", file, `${file.name} is not fetched.`); }
  stop(file) { return this.#change("DELETE", file, `${file.name} is still fetched.`); }

  async #change(method, { id }, undoneWords) {
    try {
      this.learn(await this.app.api.send(method, `/files/${id}/fetch`));
    } catch (error) {
      noteFault(error, undoneWords);
    }
    this.#restart();
  }

  /// The node said what a file is.
  learn(news) {
    const { id } = news;
    const before = this.#known.get(id);
    const file = { ...news, name: oneLine(news.name) || "file", speed: 0 };
    if (file.state === "coming") {
      const pace = this.#paces.get(id) ?? new Pace();
      this.#paces.set(id, pace);
      file.speed = pace.take(file.here, performance.now());
    } else this.#paces.delete(id);
    this.#known.set(id, file);
    if (isOnItsWay(before) && file.state === "here") say(`${file.name} is saved here.`);
    if (before && !before.delivered && file.delivered) say(`${file.name} is delivered.`);
    this.#tell(id);
    this.#keepAsking();
  }

  #tell(id) { for (const reader of this.#watched.get(id)?.readers ?? []) reader(this.#known.get(id)); }

  async #loadRoom() {
    try {
      const place = this.#place;
      const { items } = await this.app.api.get("/files", place);
      for (const file of items) this.learn(file);
      if (place === this.#place) this.onListed(items);
      return true;
    } catch {
      // The banner says that the node is away; the lines have their words.
      return false;
    }
  }

  async #load(id) {
    try {
      this.learn(await this.app.api.get(`/files/${id}`));
      return true;
    } catch (error) {
      if (error.status !== 404) return false;
      this.#known.set(id, null);
      this.#tell(id);
      this.#loadLater(id);
      return true;
    }
  }

  #loadLater(id) {
    const watched = this.#watched.get(id);
    if (!watched || this.app.now() - watched.at > NEW_MS || watched.tries >= AGAIN_MS.length) return;
    setTimeout(() => {
      if (this.#known.get(id) === null) this.#known.delete(id);
      this.#loadMissing();
    }, AGAIN_MS[watched.tries]);
    watched.tries += 1;
  }

  /// Files that were not among those of the room, one after the other.
  async #loadMissing() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    await this.#opening;
    let goesOn = true;
    while (goesOn) {
      const id = [...this.#watched.keys()].find((one) => !this.#known.has(one));
      goesOn = id !== undefined && await this.#load(id);
    }
    this.#isAsking = false;
  }

  async #loadAgain(files) {
    if (files.length > SINGLE_MAX) return this.#loadRoom();
    return (await Promise.all(files.map(({ id }) => this.#load(id)))).every(Boolean);
  }

  #restart() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#keepAsking();
  }

  #keepAsking(isLost = false) {
    if (this.#timer !== null || document.hidden) return;
    const files = [...this.#watched.keys()].map((id) => this.#known.get(id)).filter(isOnItsWay);
    if (files.length === 0) return;
    const isComing = files.some((file) => file.state === "coming");
    const timer = setTimeout(async () => {
      let isThere = document.hidden;
      if (!isThere) isThere = await this.#loadAgain(files);
      if (this.#timer !== timer) return;
      this.#timer = null;
      this.#keepAsking(!isThere);
    }, isComing && !isLost ? COMING_MS : WAITING_MS);
    this.#timer = timer;
  }
}
