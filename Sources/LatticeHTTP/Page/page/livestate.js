// Whether the page hears from its node, as the dot beside the name and a banner say it.

import { byId, setAttribute, setText } from "./dom.js";

const WORDS = { live: "online", waiting: "offline", refused: "signed out" };
/// Shorter waits are over before they are read.
const TOLD_WAIT_MS = 2_000;

/// `wait`: milliseconds until the next attempt. `only`: what somebody hears who may only look, and what they can do about it:
/// {words, act}; `null` for everybody else.
export function showLiveState(state, wait, only) {
  setAttribute(byId("live-state"), "data-state", state);
  setText(byId("live-state"), WORDS[state]);
  byId("banner").hidden = state === "live" && only === null;
  byId("banner-act").hidden = state === "refused" || (state === "live" && !only?.act);
  setText(byId("banner-act"), state === "live" ? only?.act ?? "" : "Try now");
  setText(byId("banner-words"), bannerWords(state, wait, only));
}

function bannerWords(state, wait, only) {
  if (state === "refused") return "This page needs its link. Open the link that 'lattice web' prints.";
  if (state === "waiting") {
    const when = wait > TOLD_WAIT_MS ? ` in ${Math.round(wait / 1_000)} s` : "";
    return `No connection to the node. What you see may be old. Trying again${when}.`;
  }
  return only?.words ?? "";
}
