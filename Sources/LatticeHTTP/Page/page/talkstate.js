// What was said in the rooms, as a value and a pure function on it.

import { remembered, unmarked } from "./changes.js";

/// Lines of one room that are kept; whoever wants more asks the node again.
export const LINES_MAX = 2_000;

/// - rooms: {name: {lines, more, isLoaded, unread, since}}; open: the room that is looked at, or `null`.
/// - sent: ids of lines that waited and somebody has now.
/// - since: ids of lines that were heard after the node was asked: its answer may not have them yet.
/// - lines: as the node gave them, in its order; a line that is on its way has a `ticket` and stands last.
export const emptyTalk = { rooms: {}, open: null, sent: [] };

const emptyRoom = { lines: [], more: false, isLoaded: false, unread: 0, since: [] };

export function reduceTalk(state, action) {
  switch (action.type) {
    case "opened":
      return withRoom({ ...state, open: action.room }, action.room, (room) => ({ ...room, unread: 0 }));
    case "closed":
      return state.open === null ? state : { ...state, open: null };
    case "asking":
      return withRoom(state, action.room, (room) => ({ ...room, since: [] }));
    case "loaded":
      return withRoom(state, action.room, (room) => loaded(room, action));
    case "earlier":
      return withRoom(state, action.room, (room) => ({ ...room, lines: merged(action.lines, room.lines), more: action.more }));
    case "heard":
      return heard(state, action.line);
    case "saying":
      return withRoom(state, action.line.room, (room) => ({ ...room, lines: [...room.lines, action.line] }));
    case "said":
      return withRoom(state, action.room, (room) => ({ ...room, lines: told(room.lines, action, state.sent) }));
    case "unsaid":
      return withRoom(state, action.room,
        (room) => ({ ...room, lines: room.lines.filter((line) => line.ticket !== action.ticket) }));
    case "sent":
      return sent(state, action.ids);
    case "left": {
      const { [action.room]: _, ...rooms } = state.rooms;
      return { ...state, rooms, open: state.open === action.room ? null : state.open };
    }
    default:
      throw new Error(`the rooms know no ${action.type}`);
  }
}

export const roomOf = (state, name) => state.rooms[name] ?? emptyRoom;

export const unreadOf = (state) => Object.values(state.rooms).reduce((sum, room) => sum + room.unread, 0);

function withRoom(state, name, change) {
  return { ...state, rooms: { ...state.rooms, [name]: change(roomOf(state, name)) } };
}

/// The last page as it is now; what was loaded before it and is not in it stays in front.
function loaded(room, { lines, more }) {
  const isNew = (line) => line.ticket !== undefined || room.since.includes(line.id);
  const pending = room.lines.filter((line) => isNew(line) && !lines.some((one) => one.id === line.id));
  const joins = lines.length > 0 && room.lines.some((line) => line.id === lines[0].id);
  const before = joins ? room.lines.slice(0, room.lines.findIndex((line) => line.id === lines[0].id)) : [];
  // Lines that say the same stay the same values: whoever draws them leaves them, and what is marked in them, alone.
  const known = new Map(room.lines.map((line) => [line.id, line]));
  const same = lines.map((line) => (isSameLine(known.get(line.id), line) ? known.get(line.id) : line));
  return { ...room, lines: [...before, ...same, ...pending], more: joins ? room.more : more, isLoaded: true, since: [] };
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

function heard(state, line) {
  const isUnread = state.open !== line.room && !line.mine;
  return withRoom(state, line.room, (room) => {
    if (room.lines.some((one) => one.id === line.id)) return room;
    // One's own line is told by the stream, too, and may be before the answer to the request comes.
    const own = line.mine ? room.lines.findIndex((one) => one.ticket !== undefined && one.text === line.text) : -1;
    const lines = own < 0 ? [...room.lines, line].slice(-LINES_MAX)
      : room.lines.map((one, at) => (at === own ? { ...line, key: one.key } : one));
    return { ...room, lines, since: [...room.since, line.id].slice(-LINES_MAX), unread: room.unread + (isUnread ? 1 : 0) };
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

function told(lines, { ticket, id, waiting }, known) {
  // The stream may have told of it before; that it waits only the answer says.
  if (lines.some((line) => line.id === id && line.ticket !== ticket)) {
    return lines.filter((line) => line.ticket !== ticket)
      .map((line) => (line.id === id && waiting ? unmarked(known, { ...line, waiting }) : line));
  }
  return lines.map((line) => {
    if (line.ticket !== ticket) return line;
    const { ticket: _, ...sent } = line;
    return unmarked(known, { ...sent, id, waiting });
  });
}
