// What others did that concerns one: a list, a badge, and what of it one wants to hear of.

import { showAlert } from "./alerts.js";
import { note, noteFault } from "./announce.js";
import { byId, make, put, replace, setAttribute, setText } from "./dom.js";
import { Latest, gathered } from "./latest.js";
import { KeyedList } from "./list.js";
import { countText } from "./chatlist.js";
import { face, icon, nameElement, wordsOf } from "./rows.js";
import { counted, nameOf, oneLine } from "./text.js";
import { timeElement } from "./time.js";

const SHOWN = 100;
const SHOWN_BRIEFLY = 20;
const DID = {
  mention: "mentioned you", private: "wrote to you", reply: "answered you", reaction: "gave", comment: "commented on",
  like: "likes", follow: "follows you", attendance: "is going to", post: "posted", urgent: "says it is urgent",
};
const ICONS = {
  private: "lock", reply: "reply", reaction: "react", comment: "comment", like: "heart", follow: "people", attendance: "come", post: "posts",
  urgent: "warn",
};
const KINDS = [
  ["mention", "Your name in a room"], ["reply", "Answers to your messages"], ["reaction", "Emoji on your messages"],
  ["private", "Private messages"], ["comment", "Comments on your posts"], ["like", "Likes of your posts"],
  ["follow", "New followers"], ["attendance", "People going to your events"], ["post", "Posts of people you follow"],
  ["urgent", "What is urgent"],
];

/// What is new, on its tab and on the bell, in whatever view one is.
export class Notifications {
  #count = 0;
  #popover = null;

  constructor(app) {
    this.app = app;
    const bell = byId("bell");
    setAttribute(bell, "aria-haspopup", "dialog");
    bell.addEventListener("click", (event) => {
      // Another tab is opened as usual; without a name, there is nothing to show.
      if (event.ctrlKey || event.metaKey || event.shiftKey || this.isShown || !app.me.writable) return;
      event.preventDefault();
      this.#popover ??= new Popover(app);
      this.#popover.open();
    });
    this.refresh = gathered(() => this.#load());
  }

  get isShown() { return this.app.route?.name === "notifications"; }

  async #load() {
    if (!this.app.me.writable) return;
    try {
      this.show((await this.app.api.get("/notifications", { limit: 1 })).new);
    } catch {
      // The badge stays as it was.
    }
  }

  /// One that just came. Lines and private messages are announced where they are shown.
  heard(one) {
    if (one.kind === "urgent") this.app.urgent.heard(one);
    showAlert({ title: `${nameOf(one.by)} ${phrase(one)}`, text: one.comment ? wordsOf(one.comment) : "", tag: `${one.kind} ${one.by.id}`, hash: target(one) });
    if (this.isShown) this.app.view.refresh();
    else if (this.#popover?.element.open) this.#popover.load();
    else this.show(this.#count + 1);
    if (["comment", "like", "follow", "attendance"].includes(one.kind)) note(`${nameOf(one.by)} ${phrase(one)}`);
  }

  show(count) {
    this.#count = count;
    for (const badge of document.querySelectorAll(".notifications-badge")) {
      badge.hidden = count === 0;
      setText(badge, count > 0 ? countText(count) : "");
      setAttribute(badge, "aria-label", counted(count, "new notification"));
    }
  }
}

/// The newest `count` in a list, which are no longer new once they are shown.
function newest(app, count) {
  const words = make("p", { class: "soft small-text" });
  const list = new KeyedList({
    label: "Notifications", keyOf: (one) => `${one.kind} ${one.record} ${one.by.id} ${one.emoji ?? ""}`, create: (one) => row(app, one),
  });
  list.waits = true;
  const latest = new Latest();
  const load = async () => {
    try {
      const found = await latest.run((signal) => app.api.get("/notifications", { limit: count }, signal));
      if (!found) return;
      const { items } = found.answer;
      list.show(items.map((one) => (one.by.name ? one : { ...one, by: { ...one.by, name: app.rooms.names.of(one.by.id) } })));
      setText(words, items.length === 0 ? "No notifications yet." : "");
      if (found.answer.new > 0) await app.api.post("/notifications/seen");
      app.notifications.show(0);
    } catch (error) {
      setText(words, error.message);
    }
    list.waits = false;
  };
  return { words, list, load, latest };
}

export function notificationsView(app) {
  const heading = make("h2", { tabindex: "-1" }, "Notifications");
  const { words, list, load, latest } = newest(app, SHOWN);
  const element = make("div", { class: "view" }, heading, words, list.element, new Switches(app).element);
  const refresh = gathered(load);
  return { element, heading, title: "Notifications", enter: load, refresh, changed: refresh, leave: () => latest.drop() };
}

/// The newest ones over the view, below the bell.
class Popover {
  constructor(app) {
    const { words, list, load, latest } = newest(app, SHOWN_BRIEFLY);
    this.load = load;
    this.element = make("dialog", { class: "popover", "aria-labelledby": "popover-title", onclose: () => {
      latest.drop();
      setAttribute(byId("bell"), "aria-expanded", null);
    }, onclick: ({ target }) => {
      // Beside it, or on something that leads elsewhere.
      if (target === this.element || target.closest("a")) this.element.close();
    } }, make("h2", { id: "popover-title" }, "Notifications"), words, list.element, make("a", { class: "button quiet", href: "#/notifications" }, "Show all"));
    put(document.body, this.element);
  }

  open() {
    this.element.showModal();
    setAttribute(byId("bell"), "aria-expanded", "true");
    this.load();
  }
}

/// What one wants to hear of, as boxes to tick.
class Switches {
  #boxes = new Map();

  constructor(app) {
    this.app = app;
    const rows = KINDS.map(([kind, words]) => {
      const box = make("input", { type: "checkbox", onchange: () => this.#turn(kind, box) });
      this.#boxes.set(kind, box);
      return make("li", {}, make("label", {}, box, ` ${words}`));
    });
    this.element = make("details", { class: "switches", ontoggle: () => this.#load() },
      make("summary", {}, "What you hear of"), make("ul", { class: "stack" }, rows, this.#sound()));
  }

  /// Of this browser alone.
  #sound() {
    const { chime } = this.app.urgent;
    const box = make("input", { type: "checkbox", checked: chime.isAllowed, onchange: () => chime.allow(box.checked) });
    return make("li", {}, make("label", {}, box, " A sound for what is urgent"));
  }

  async #load() {
    if (!this.element.open) return;
    try {
      this.#draw(await this.app.api.get("/notifications/switches"));
    } catch (error) {
      noteFault(error);
    }
  }

  async #turn(kind, box) {
    try {
      this.#draw(await this.app.api.put("/notifications/switches", { kinds: [kind], on: box.checked }));
      this.app.view.refresh();
    } catch (error) {
      box.checked = !box.checked;
      noteFault(error);
    }
  }

  #draw({ off }) {
    for (const [kind, box] of this.#boxes) box.checked = !off.includes(kind);
  }
}

const target = (one) => {
  if (one.item) return `#/item/${one.item.id}`;
  if (one.room) return `#/rooms/${encodeURIComponent(one.room.slice(1))}`;
  return one.kind === "private" ? `#/chat/${one.by.id}` : `#/people/${one.by.id}`;
};

const quoted = (one) => (one.item ? oneLine(one.item.title ?? wordsOf(one.item)).slice(0, 60) : oneLine(one.text ?? "").slice(0, 60));

const did = (one) => `${one.kind === "reaction" ? `gave ${one.emoji} to your message` : DID[one.kind] ?? one.kind}${one.room ? ` in ${one.room}` : ""}`;

/// `likes “Water at the gate”`
const phrase = (one) => [did(one), quoted(one) ? `“${quoted(one)}”` : ""].filter(Boolean).join(" ");

function row(app, first) {
  const link = make("a", { class: "row-link", href: target(first) });
  const element = make("li", { class: "row notice" },
    make("span", { class: "notice-face" }, face(app.rooms.names.person(first.by), app.photos, "person-face"),
      make("span", { class: `notice-kind ${first.kind}` }, first.kind === "mention" ? "@" : icon(ICONS[first.kind] ?? "info"))),
    make("div", { class: "main" }, link, make("p", { class: "words soft" }, first.comment ? wordsOf(first.comment) : ""),
      make("p", { class: "meta" }, timeElement(first.at, app.now()))));
  return { element, link, dress(one) {
    element.classList.toggle("new", one.new);
    if (one.item) app.photos.dress(element, one.item);
    replace(link, nameElement(one.by), " ", make("bdi", {}, did(one)), quoted(one) ? [" ", make("bdi", { class: "quoted" }, `“${quoted(one)}”`)] : null);
  } };
}
