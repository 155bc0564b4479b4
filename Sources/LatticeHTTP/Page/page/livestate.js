// Whether the page hears from its node, as the dot beside the name and a banner say it.

import { byId, setAttribute, setText } from "./dom.js";

const WORDS = { live: "online", waiting: "offline", refused: "signed out" };
/// Shorter waits are over before they are read.
const TOLD_WAIT_MS = 2_000;

/// `wait`: milliseconds until the next attempt. `isWritable`: whether one may do more than look.
export function showLiveState(state, wait, isWritable) {
  setAttribute(byId("live-state"), "data-state", state);
  setText(byId("live-state"), WORDS[state]);
  byId("banner").hidden = state === "live" && isWritable;
  byId("banner-act").hidden = state !== "waiting";
  setText(byId("banner-words"), bannerWords(state, wait, isWritable));
}

function bannerWords(state, wait, isWritable) {
  if (state === "refused") return "This page needs its link. Open the link that 'lattice web' prints.";
  if (state === "waiting") {
    const when = wait > TOLD_WAIT_MS ? ` in ${Math.round(wait / 1_000)} s` : "";
    return `No connection to the node. What you see may be old. Trying again${when}.`;
  }
  return isWritable ? "" : "You can read but not write. To write, open the link that 'lattice web' prints.";
}
