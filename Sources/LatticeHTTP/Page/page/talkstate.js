// What was said in the rooms, as a value and a pure function on it.

import { remembered, unmarked } from "./changes.js";
import { isDirect, nameOfPlace } from "./conversations.js";
import { afterNews } from "./linechanges.js";

/// Lines of one room that are kept; the node has the rest.
export const LINES_MAX = 2_000;

/// - rooms: {name: {lines, more, isLoaded, unread, mentions, isMarked, since, arrived}}; open: the room that is looked at, or `null`.
/// - lines: as the node gave them, in its order; a line that is on its way has a `ticket` and stands last;
/// `isDelayed` if the node cannot be reached.
/// - unread, mentions: lines that the person has not read in any program. isMarked: nothing came since this page marked them read.
/// - rule: id of the first unread line when the person came to look, until they leave the room; else `null`. ruleCount: how many
///   were unread then.
/// - since: ids of lines that were heard after the node was asked: its answer may not have them yet.
/// - arrived: id of the line of somebody else that arrived last, as far as the page knows; else `null`.
/// - sent: ids of lines that waited and somebody has now.
/// - pending: [{ticket, room, id, change, isTold}], what the person did to lines and the node has not confirmed.
/// - unheard: ids of people whose lines are not shown; muted: names of rooms whose lines do not count.
/// A conversation of two is a room, too (`directOf`).
export const emptyTalk = { rooms: {}, open: null, sent: [], pending: [], unheard: [], muted: [] };

const emptyRoom = { lines: [], more: false, isLoaded: false, unread: 0, mentions: 0, isMarked: true, rule: null, ruleCount: 0, since: [], arrived: null };

export function reduceTalk(state, action) {
  switch (action.type) {
    case "opened":
      return withRoom({ ...closed(state), open: action.room }, action.room, (room) => ({ ...room, isLoaded: false }));
    case "closed":
      return closed(state);
    case "asking":
      return withRoom(state, action.room, (room) => ({ ...room, since: [] }));
    case "loaded":
      return ruled(withRoom(state, action.room, (room) => loaded(room, action)));
    case "earlier":
      return withRoom(state, action.room, (room) => ({ ...room, lines: merged(action.lines, room.lines), more: action.more }));
    case "heard":
      return ruled(heard(state, action.line, action.isSeen));
    case "saying":
      return withRoom(state, action.line.room, (room) => ({ ...room, lines: [...room.lines, action.line] }));
    case "said":
      return withRoom(state, action.room, (room) => ({ ...room, lines: told(room.lines, action, state.sent) }));
    case "delayed":
      return withRoom(state, action.room, (room) => ({
        ...room, lines: room.lines.map((line) => (line.ticket === action.ticket ? { ...line, isDelayed: true } : line)),
      }));
    case "unsaid":
      return withRoom(state, action.room,
        (room) => ({ ...room, lines: room.lines.filter((line) => line.ticket !== action.ticket) }));
    case "sent":
      return sent(state, action.ids);
    case "delivery":
      return delivered(state, action);
    case "began": {
      const { ticket, room, id, change } = action;
      return { ...state, pending: [...state.pending, { ticket, room, id, change, isTold: false }] };
    }
    case "settled":
      return settled(state, action);
    case "undone":
      return withoutPending(state, action.ticket);
    case "changed":
      return changed(state, action.line, action.isMine);
    case "unread":
      return ruled(unread(state, action.items));
    case "read":
      return read(state, action.count);
    case "marking":
      return withRoom(state, action.room, (room) => ({ ...room, unread: 0, mentions: 0, isMarked: true }));
    case "marks":
      return { ...state, unheard: same(state.unheard, action.unheard), muted: same(state.muted, action.muted) };
    case "left": {
      const { [action.room]: _, ...rooms } = state.rooms;
      return { ...state, rooms, open: state.open === action.room ? null : state.open };
    }
    default:
      throw new Error(`the rooms know no ${action.type}`);
  }
}

/// The list of before, if the new one says the same.
const same = (before, now) => (before.join() === now.join() ? before : now);

const isHeard = (state, line) => line.mine || !state.unheard.includes(line.from.id);

export const roomOf = (state, name) => state.rooms[name] ?? emptyRoom;

/// The room with everything over its lines that is not confirmed.
export function shownRoom(state, name) {
  const all = roomOf(state, name);
  const pending = state.pending.filter((one) => one.room === name);
  const lines = all.lines.filter((line) => isHeard(state, line));
  const room = lines.length < all.lines.length ? { ...all, lines } : all;
  if (pending.length === 0) return room;
  return { ...room, lines: room.lines.map((line) =>
    pending.reduce((shown, one) => (one.id === line.id ? one.change(shown) : shown), line)) };
}

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

/// {lines, mentions} in all rooms that are not muted, and `direct`: private messages.
export function unreadOf(state) {
  const all = Object.entries(state.rooms).filter(([name]) => !state.muted.includes(name));
  const rooms = all.filter(([name]) => !isDirect(name)).map(([, room]) => room);
  return {
    lines: sum(rooms.map((room) => room.unread)), mentions: sum(rooms.map((room) => room.mentions)),
    direct: sum(all.filter(([name]) => isDirect(name)).map(([, room]) => room.unread)),
  };
}

function closed(state) {
  if (state.open === null) return state;
  return { ...withRoom(state, state.open, (room) => ({ ...room, rule: null })), open: null };
}

/// The rule of the open room stands before as many lines of others as are unread, and stays there.
function ruled(state) {
  const room = state.rooms[state.open];
  if (!room?.isLoaded || room.rule !== null || room.unread === 0) return state;
  const rule = room.lines.filter((line) => !line.mine && isHeard(state, line)).slice(-room.unread)[0]?.id ?? null;
  return withRoom(state, state.open, () => ({ ...room, rule, ruleCount: room.unread }));
}

function withRoom(state, name, change) {
  return { ...state, rooms: { ...state.rooms, [name]: change(roomOf(state, name)) } };
}

/// The last page as it is now; what was loaded before it and is not in it stays in front.
function loaded(room, { lines, more }) {
  const isNew = (line) => line.ticket !== undefined || room.since.includes(line.id);
  const pending = room.lines.filter((line) => isNew(line) && !lines.some((one) => one.id === line.id));
  const joins = lines.length > 0 && room.lines.some((line) => line.id === lines[0].id);
  const before = joins ? room.lines.slice(0, room.lines.findIndex((line) => line.id === lines[0].id)) : [];
  // Lines that say the same stay the same values, so their rows are not drawn again.
  const known = new Map(room.lines.map((line) => [line.id, line]));
  const same = lines.map((line) => (isSameLine(known.get(line.id), line) ? known.get(line.id) : line));
  return { ...room, lines: [...before, ...same, ...pending], more: joins ? room.more : more, isLoaded: true, since: [],
    arrived: room.arrived ?? lines.findLast((line) => !line.mine)?.id ?? null };
}

/// What only a page knows of a line does not make it another one.
function isSameLine(known, line) {
  if (!known || known.ticket !== undefined) return false;
  const { key: _, waiting, ...told } = known;
  return !waiting && JSON.stringify(told) === JSON.stringify(line);
}

function merged(earlier, lines) {
  const known = new Set(lines.map((line) => line.id));
  return [...earlier.filter((line) => !known.has(line.id)), ...lines].slice(-LINES_MAX);
}

/// `isSeen`: the person looks at the room.
function heard(state, line, isSeen = state.open === line.room) {
  return withRoom(state, line.room, (room) => {
    if (room.lines.some((one) => one.id === line.id)) return room;
    // The stream reports own lines as well, sometimes before the answer to the request comes.
    const own = line.mine ? room.lines.findIndex((one) => one.ticket !== undefined && one.text === line.text) : -1;
    const lines = own < 0 ? [...room.lines, line].slice(-LINES_MAX)
      : room.lines.map((one, at) => (at === own ? { ...line, key: one.key } : one));
    return {
      ...room, lines, since: [...room.since, line.id].slice(-LINES_MAX), unread: room.unread + (isSeen || line.mine || !isHeard(state, line) ? 0 : 1),
      isMarked: room.isMarked && line.mine === true, arrived: line.mine ? room.arrived : line.id,
    };
  });
}

function sent(state, ids) {
  const known = remembered(state.sent, ids);
  const rooms = Object.fromEntries(Object.entries(state.rooms).map(([name, room]) => {
    const lines = room.lines.map((line) => unmarked(known, line));
    return [name, lines.some((line, at) => line !== room.lines[at]) ? { ...room, lines } : room];
  }));
  return { ...state, sent: known, rooms };
}

/// A private message is a step further.
function delivered(state, { room: name, number, delivery }) {
  if (!state.rooms[name]?.lines.some((line) => line.number === number && line.state !== delivery)) return state;
  return withRoom(state, name, (room) => ({
    ...room, lines: room.lines.map((line) => (line.number === number ? { ...line, state: delivery } : line)),
  }));
}

function told(lines, { ticket, id, waiting, more = {} }, known) {
  // The stream may have reported it before. Only the answer says that it waits.
  if (lines.some((line) => line.id === id && line.ticket !== ticket)) {
    return lines.filter((line) => line.ticket !== ticket)
      .map((line) => (line.id === id && waiting ? unmarked(known, { ...line, waiting }) : line));
  }
  return lines.map((line) => {
    if (line.ticket !== ticket) return line;
    const { ticket: _, isDelayed: __, ...sent } = line;
    return unmarked(known, { ...sent, ...more, id, waiting });
  });
}

const withoutPending = (state, ticket) => ({ ...state, pending: state.pending.filter((one) => one.ticket !== ticket) });

/// The stream reports what others did after it reported this, so its word counts more than the answer.
function settled(state, { ticket, line }) {
  const isTold = state.pending.some((one) => one.ticket === ticket && one.isTold);
  const after = withoutPending(state, ticket);
  return isTold ? after : withNews(after, line);
}

function changed(state, line, isMine) {
  const pending = isMine && state.pending.some((one) => one.id === line.id)
    ? state.pending.map((one) => (one.id === line.id ? { ...one, isTold: true } : one)) : state.pending;
  return withNews({ ...state, pending }, line);
}

function withNews(state, news) {
  const room = state.rooms[news.room];
  if (!room) return state;
  const lines = room.lines.map((line) => afterNews(line, news));
  return lines.every((line, at) => line === room.lines[at]) ? state
    : { ...state, rooms: { ...state.rooms, [news.room]: { ...room, lines } } };
}

/// `items`: all conversations in which something is unread.
function unread(state, items) {
  const none = Object.fromEntries(Object.entries(state.rooms).map(([name, room]) =>
    [name, room.unread + room.mentions > 0 ? { ...room, unread: 0, mentions: 0 } : room]));
  return items.reduce(read, { ...state, rooms: none });
}

/// What is still unread in one conversation.
function read(state, { lines, mentions, ...place }) {
  const name = nameOfPlace(place);
  const room = roomOf(state, name);
  if (room.unread === lines && room.mentions === mentions) return state;
  return withRoom(state, name, () => ({ ...room, unread: lines, mentions }));
}
