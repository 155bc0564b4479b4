// What the browser remembers of this page, in all its tabs, until somebody signs out. Where a browser keeps nothing, this tab does.

export const TOKEN_KEY = "lattice token";
export const HERE_KEY = "lattice here";
export const RADIUS_KEY = "lattice radius";
export const SOUND_KEY = "lattice sound";
/// The id under which somebody came in with this browser.
export const VISIT_KEY = "lattice visit";

const inTab = new Map();

export function kept(key) {
  try {
    return localStorage.getItem(key) ?? inTab.get(key) ?? null;
  } catch {
    return inTab.get(key) ?? null;
  }
}

export function keep(key, value) {
  inTab.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // A private window, or one without storage: the tab has it.
  }
}

export function forget(key) {
  inTab.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

/// Nothing of the person stays in this browser.
export const signOut = () => [TOKEN_KEY, HERE_KEY, RADIUS_KEY, SOUND_KEY, VISIT_KEY].forEach(forget);
