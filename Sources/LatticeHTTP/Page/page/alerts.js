// Notifications of the browser, while the page is open and nobody looks at it.

import { ALERTS_KEY, forget, keep, kept } from "./kept.js";

/// Browsers show them only for pages over HTTPS, or of this machine.
export const mayAlert = () => window.isSecureContext && "Notification" in window;

export const isAlerting = () => mayAlert() && kept(ALERTS_KEY) !== null && Notification.permission === "granted";

/// - Returns: whether the person and the browser agree.
export async function allowAlerts(isAllowed) {
  if (!isAllowed) {
    forget(ALERTS_KEY);
    return false;
  }
  if (await Notification.requestPermission() !== "granted") return false;
  keep(ALERTS_KEY, "yes");
  return true;
}

/// Shows the newest notification of each `tag`. `hash` is the view that it opens.
export async function showAlert({ title, text, tag, hash }) {
  if (!isAlerting() || document.visibilityState === "visible") return;
  const options = { body: text, tag, icon: "/page/icon-192.png", data: { hash } };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) {
    await worker.showNotification(title, options);
    return;
  }
  // Without a service worker, some browsers show no notification.
  try {
    const shown = new Notification(title, options);
    shown.addEventListener("click", () => {
      window.focus();
      location.hash = hash;
      shown.close();
    });
  } catch {
    // This browser shows none.
  }
}
