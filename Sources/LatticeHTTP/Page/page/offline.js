// The page without its node: the browser keeps the files of the page, and what was seen last.

import { SEEN_KEY, forget, keep, kept } from "./kept.js";

/// Only pages over HTTPS, or of this machine, may keep anything; a browser that refuses shows the page as before.
export async function keepPage(app) {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/service-worker.js");
    navigator.serviceWorker.addEventListener("message", ({ data }) => { if (data?.go) app.go(data.go); });
  } catch {
    // A certificate that the browser does not know, or a private window.
  }
}

/// Removes what the node told one person before another one uses this browser.
export async function forgetSeen() {
  try {
    // Answers that are on their way are not kept either.
    navigator.serviceWorker?.controller?.postMessage({ forget: true });
    await globalThis.caches?.delete("seen");
  } catch {
    // Nothing was kept.
  }
}

/// `id`: who is at this browser now; empty for nobody.
export async function isSeenBy(id) {
  const before = kept(SEEN_KEY);
  if (before !== null && before !== id) await forgetSeen();
  if (id) keep(SEEN_KEY, id);
  else forget(SEEN_KEY);
}
