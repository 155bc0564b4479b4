// What the browser remembers of this page, in all its tabs, until somebody signs out. Where a browser keeps nothing, this tab does.

export const TOKEN_KEY = "lattice token";
export const HERE_KEY = "lattice here";
/// Whether the place follows the receiver of this machine.
export const WATCH_KEY = "lattice watch";
export const RADIUS_KEY = "lattice radius";
export const SOUND_KEY = "lattice sound";
/// Whether the browser shows notifications.
export const ALERTS_KEY = "lattice alerts";
/// Whose answers the browser keeps for when the node is away.
export const SEEN_KEY = "lattice seen";
/// What waits for the node.
export const OUTBOX_KEY = "lattice outbox";
export const DRAFTS_KEY = "lattice drafts";
export const LOOK_KEY = "lattice look";
/// What the mesh greeted this person with.
export const WELCOME_KEY = "lattice welcome";
/// The id under which somebody came in with this browser.
export const VISIT_KEY = "lattice visit";

const inTab = new Map();
/// What the browser did not keep: only this tab has it.
const onlyInTab = new Set();

export function kept(key) {
  if (onlyInTab.has(key)) return inTab.get(key) ?? null;
  try {
    return localStorage.getItem(key) ?? inTab.get(key) ?? null;
  } catch {
    return inTab.get(key) ?? null;
  }
}

/// - Returns: whether it outlives this tab.
export function keep(key, value) {
  inTab.set(key, value);
  try {
    localStorage.setItem(key, value);
    onlyInTab.delete(key);
    return true;
  } catch {
    // A private window, or one whose storage is full.
    onlyInTab.add(key);
    return false;
  }
}

export function forget(key) {
  inTab.delete(key);
  onlyInTab.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

/// Nothing of the person stays in this browser.
export const signOut = () => [
  TOKEN_KEY, HERE_KEY, WATCH_KEY, RADIUS_KEY, SOUND_KEY, ALERTS_KEY, OUTBOX_KEY, SEEN_KEY, VISIT_KEY, DRAFTS_KEY, LOOK_KEY, WELCOME_KEY,
].forEach(forget);
