// A new event.

import { note } from "./announce.js";
import { composer, draftPhoto, draftPlace, labelled, line } from "./compose.js";
import { make, setText } from "./dom.js";

const WORDS_MAX = 140;

export function eventView(app) {
  const { draft } = app;
  const title = line("event-name", draft.name, WORDS_MAX);
  const address = line("event-address", draft.address, WORDS_MAX);
  const starts = make("input", { type: "datetime-local", id: "event-starts", value: draft.starts ?? "" });
  const ends = make("input", { type: "datetime-local", id: "event-ends", value: draft.ends ?? "" });
  const photo = draftPhoto(app);
  const place = draftPlace(app, "Where?");
  const view = composer(app, {
    title: "New event", send: "Create event", first: title, place, read, submit,
    fields: [
      labelled("Name of the event", title), labelled("Starts", starts), labelled("Ends (optional)", ends),
      photo, place.element, labelled("Address (optional)", address),
    ],
  });
  view.element.addEventListener("input", () =>
    Object.assign(draft, { name: title.value, address: address.value, starts: starts.value, ends: ends.value }));

  const missing = () => {
    if (title.value.trim() === "") return "Enter a name.";
    if (starts.value === "") return "Enter when it starts.";
    return ends.value && ends.value < starts.value ? "The end is before the start. Change one of them." : "";
  };

  function read() {
    const point = place.take();
    setText(view.fault, missing());
    return missing() || !point ? null : {
      name: title.value.trim(), address: address.value.trim(), lat: point.lat, lon: point.lon,
      started_at: new Date(starts.value).toISOString(),
      ...(ends.value ? { ended_at: new Date(ends.value).toISOString() } : {}),
    };
  }

  async function submit(event) {
    try {
      await app.api.post("/events", { event });
      draft.photo.clear();
      app.draft = {};
      note("Event created.");
      app.go("#/events");
      app.posts.refresh();
    } catch (error) {
      draft.photo.refused(error);
      setText(view.fault, error.message);
    }
  }
  return view;
}
