// Which views a change concerns that the node announces: the others need not ask again.

const isProfile = (one) => one.kinds.includes("profile");

/// Whether any of these posts, comments and events may have changed, or what is said of them, or the name and colour of their authors.
export function concerns(changes, items) {
  if (changes.many) return true;
  const ids = new Set(changes.items.flatMap((one) => [one.id, one.about]));
  const people = new Set(changes.people.filter(isProfile).map((one) => one.id));
  return items.some((item) => ids.has(item.id) || people.has(item.author.id));
}

/// Whether something may belong to a list that it did not belong to, because its words or its place changed.
export const mayBring = (changes) => Boolean(changes.many) || changes.items.some((one) => one.kinds.includes("edit"));

/// Whether somebody's name, words, follows or machine may have changed; with `id` only that person counts.
export const concernsPeople = (changes, id) =>
  Boolean(changes.many) || changes.people.some((one) => id === undefined || one.id === id);

/// Whether the card of the mesh may be another one.
export const concernsCard = (changes) => Boolean(changes.many) || changes.people.some(({ kinds }) => kinds.includes("card"));

/// Ids that are remembered to be out: an answer that was on its way meanwhile still calls them waiting.
const SENT_MAX = 256;

export const remembered = (sent, ids) => [...sent, ...ids].slice(-SENT_MAX);

/// The same without the mark that it waits, if somebody has it.
export const unmarked = (sent, one) => (one.waiting && sent.includes(one.id) ? { ...one, waiting: false } : one);
