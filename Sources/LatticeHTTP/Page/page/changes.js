// Whom a word of the node concerns, that something is another now: what is not shown need not be asked for anew.

const isProfile = (one) => one.kinds.includes("profile");

/// Whether any of these posts, comments and events may be another: they, what is said of them, or the name and colour of who left them.
export function concerns(changes, items) {
  if (changes.many) return true;
  const ids = new Set(changes.items.flatMap((one) => [one.id, one.about]));
  const people = new Set(changes.people.filter(isProfile).map((one) => one.id));
  return items.some((item) => ids.has(item.id) || people.has(item.author.id));
}

/// Whether something may be in a list now that was not, because its words or its place are others.
export const mayBring = (changes) => Boolean(changes.many) || changes.items.some((one) => one.kinds.includes("edit"));

/// Whether somebody's name, words or follows may be others; `id` leaves out everybody else.
export const concernsPeople = (changes, id) =>
  Boolean(changes.many) || changes.people.some((one) => id === undefined || one.id === id);

/// Ids that are remembered to be out: an answer that was on its way meanwhile still calls them waiting.
const SENT_MAX = 256;

export const remembered = (sent, ids) => [...sent, ...ids].slice(-SENT_MAX);

/// The same without the mark that it waits, if somebody has it.
export const unmarked = (sent, one) => (one.waiting && sent.includes(one.id) ? { ...one, waiting: false } : one);
