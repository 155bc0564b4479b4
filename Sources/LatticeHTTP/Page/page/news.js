// What the node tells while the page is open: whom it concerns, and whether the node is there at all.

import { note, say } from "./announce.js";
import { concernsCard, concernsPeople } from "./changes.js";
import { directOf } from "./conversations.js";
import { distance } from "./geo.js";
import { showLiveState } from "./livestate.js";
import { Stream } from "./stream.js";
import { counted, nameOf, oneLine } from "./text.js";
import { isForgotten } from "./visit.js";

export class News {
  isLive = false;
  #stream = null;
  /// What is said with the lines that are sent after an interruption.
  #again = "";
  #wasAway = false;

  constructor(app) { this.app = app; }

  listen() {
    this.#stream = new Stream({
      api: this.app.api, onEvent: (name, value) => this.#heard(name, value), onState: (state, wait) => this.#live(state, wait),
    });
    this.#stream.run();
  }

  /// Asks at once whether the node is there.
  hurry() { this.#stream.hurry(); }

  /// Somebody else listens from now on.
  stop() {
    this.#stream.stop();
    this.isLive = this.#wasAway = false;
  }

  #heard(name, value) {
    const { app } = this;
    switch (name) {
      case "message": app.rooms.heard(value); app.graph?.pulse(value.from.id); break;
      case "line_changed": app.rooms.changed(value); app.urgent.changed(); break;
      case "pinned": app.rooms.pins.heard(value); break;
      case "read": app.rooms.store.dispatch({ type: "read", count: value }); break;
      case "notification": app.notifications.heard(value); break;
      case "urgent_dismissed": app.urgent.went(value.ids); break;
      case "marks": app.marks.take(value); break;
      case "notifications_seen": app.notifications.show(0); break;
      case "placed": this.#placed(value); break;
      case "changed": this.#changed(value); break;
      case "sent": this.#sent(value.ids); break;
      case "peer": case "presence": app.rooms.names.learn([value]); this.#meshChanged(); break;
      case "sync": this.#synced(value); break;
      case "private_message": this.#written(value); break;
      case "private_message_changed": app.rooms.changed({ ...value, line: value.message }); break;
      case "private_message_state":
        if (value.file) app.view?.written?.({ peer: { id: value.peer } });
        app.rooms.delivered(value);
        break;
      case "notice": note(value.text, { bad: value.level === "problem" }); break;
      case "me": app.loadMe(); break;
      case "missed": app.refreshAll(); break;
      default: break;
    }
  }

  #written(message) {
    const { app } = this;
    app.view?.written?.(message);
    app.rooms.heard(message);
    const isOpen = app.rooms.store.state.open === directOf(message.peer.id);
    if (!message.mine && !isOpen && !app.marks.isUnheard(message.peer.id)) note(`Private message from ${nameOf(message.peer)}: ${oneLine(message.text)}`);
  }

  /// A post or event arrived, anywhere: only one within the list's reach changes the list.
  #placed(place) {
    const { app } = this;
    const metres = app.here ? distance(app.here, place) : 0;
    if (app.here && metres <= app.radius) app.posts.arrived(place.id);
    else if (metres <= app.me.limits.search_max) app.posts.refresh();
    app.view?.refresh?.();
  }

  /// Somebody liked, commented, changed or took back something, or is called otherwise: others, or oneself elsewhere.
  #changed(changes) {
    const { app } = this;
    app.posts.changed(changes);
    app.urgent.changed();
    if (concernsPeople(changes)) app.rooms.names.refresh();
    if (concernsCard(changes)) app.loadMesh();
    app.view?.changed?.(changes);
  }

  /// What waited is out: its mark goes.
  #sent(ids) {
    const { app } = this;
    for (const { store } of [app.posts, app.rooms, app.view ?? {}]) store?.dispatch({ type: "sent", ids });
  }

  #meshChanged() {
    const { app } = this;
    app.view?.came?.();
    if (app.route?.name === "mesh" || app.route?.name === "rooms") app.view.refresh();
  }

  #synced(progress) {
    const { app } = this;
    if (progress.caught_up) app.refresh();
    if (app.route?.name === "mesh") app.view.refresh();
  }

  #live(state, wait) {
    const { app } = this;
    const was = this.isLive;
    this.isLive = state === "live";
    showLiveState(state, wait, this.#only);
    if (state === "live" && !was) {
      const again = this.#wasAway ? "Connected again." : "";
      if (again) {
        say(again);
        app.loadMe();
      }
      this.#again = again;
      this.sendWhatWaits();
      app.refreshAll();
    }
    if (state === "waiting") {
      // What was kept says whom the person does not want to hear.
      if (!this.#wasAway) app.marks.load();
      this.#wasAway = true;
    }
  }

  /// A node that has just come back may not take lines yet: then this is called again.
  async sendWhatWaits() {
    const count = await this.app.rooms.sending.flush();
    if (count === 0) return;
    note([this.#again, `${counted(count, "message")} sent.`].filter(Boolean).join(" "));
    this.#again = "";
  }

  get #only() {
    if (this.app.me.writable) return null;
    if (this.app.api.isLooking) return { words: "You are looking around.", act: "Come in" };
    if (isForgotten(this.app)) return { words: "Scan the code at the hub again" };
    return { words: "You can read but not write. To write, open the link that 'lattice web' prints." };
  }
}
