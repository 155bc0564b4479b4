// Private messages beside the rooms: a conversation is called `@` and the id of the other person, and its messages look like lines.

export const directOf = (id) => `@${id}`;
export const isDirect = (name) => name?.startsWith("@") ?? false;
export const peerOf = (name) => name.slice(1);

export const pathOf = (name) =>
  (isDirect(name) ? `/people/${peerOf(name)}` : `/rooms/${encodeURIComponent(name.replace(/^#/, ""))}`);
export const linkOf = (name) => (isDirect(name) ? `#/chat/${peerOf(name)}` : `#${pathOf(name)}`);

/// Whom the node is asked about: {room} or {peer}, as in the counts of what is unread.
export const placeOf = (name) => (isDirect(name) ? { peer: peerOf(name) } : { room: name });
export const nameOfPlace = ({ room, peer }) => (peer ? directOf(peer) : room);

/// What the node says of a line or a private message, as a line of its room or conversation. `number` tells private messages
/// apart before they have an id.
export function lineOf(said, me) {
  if (!said.peer) return { ...said, mine: said.from.id === me.id };
  const { peer, ...message } = said;
  const from = said.mine ? { id: me.id, short: me.short, name: me.name } : { ...peer, name: peer.name ?? "" };
  return { ...message, id: said.id ?? `number-${said.number}`, room: directOf(peer.id), from, isBare: said.id === undefined };
}

/// How far your private message came, in words.
export function deliveryText(line, name) {
  if (line.state === "waiting") return `Will be sent when ${name} is back`;
  return { relayed: "Sent", delivered: "Delivered", lapsed: "Not sent" }[line.state] ?? "";
}
