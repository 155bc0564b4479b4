// Where the nodes of a graph stand: springs along the links, everybody pushes everybody away. Pure, without chance: the same
// graph is drawn alike on every screen, and who stays, stays about where they were.

const REST = 110;
const PUSH = 40_000;
const PULL = 0.08;
const HOME = 0.01;
const STEP_MAX = 30;
/// As many as are drawn; a picture of more tells nobody anything.
export const NODES_MAX = 150;

/// `before`: {id: {x, y}} of the last layout. Newcomers begin on a spiral around the middle, or beside somebody they are
/// linked to.
export function placed(nodes, links, before = {}) {
  const spots = {};
  nodes.forEach((node, index) => {
    const friend = links.flatMap(({ a, b }) => (a === node.id ? [b] : b === node.id ? [a] : [])).find((id) => before[id]);
    const turn = index * 2.399963;
    const out = node.me ? 0 : 40 + 22 * Math.sqrt(index);
    const base = before[friend] ?? { x: 0, y: 0 };
    spots[node.id] = before[node.id] ?? {
      x: base.x + Math.cos(turn) * (friend ? 40 : out), y: base.y + Math.sin(turn) * (friend ? 40 : out),
    };
  });
  return spots;
}

/// One step towards rest. `heat` 1 … 0 is how far anybody may go. The node of oneself stays in the middle.
export function stepped(nodes, links, spots, heat) {
  const forces = Object.fromEntries(nodes.map((node) => [node.id, { x: -spots[node.id].x * HOME, y: -spots[node.id].y * HOME }]));
  for (let i = 0; i < nodes.length; i += 1) {
    for (let j = i + 1; j < nodes.length; j += 1) {
      const [a, b] = [nodes[i].id, nodes[j].id];
      // Two on one spot part in a direction of their own.
      const dx = spots[b].x - spots[a].x || 0.01 * (i + 1);
      const dy = spots[b].y - spots[a].y || 0.01 * (j + 1);
      const square = Math.max(100, dx * dx + dy * dy);
      const force = PUSH / square / Math.sqrt(square);
      forces[a].x -= dx * force;
      forces[a].y -= dy * force;
      forces[b].x += dx * force;
      forces[b].y += dy * force;
    }
  }
  for (const { a, b } of links) {
    if (!spots[a] || !spots[b]) continue;
    const dx = spots[b].x - spots[a].x;
    const dy = spots[b].y - spots[a].y;
    const length = Math.max(1, Math.hypot(dx, dy));
    const force = (PULL * (length - REST)) / length;
    forces[a].x += dx * force;
    forces[a].y += dy * force;
    forces[b].x -= dx * force;
    forces[b].y -= dy * force;
  }
  return Object.fromEntries(nodes.map((node) => {
    if (node.me) return [node.id, { x: 0, y: 0 }];
    const { x, y } = forces[node.id];
    const length = Math.hypot(x, y);
    const step = Math.min(length, STEP_MAX * heat) / Math.max(length, 1e-9);
    return [node.id, { x: spots[node.id].x + x * step, y: spots[node.id].y + y * step }];
  }));
}

/// The box that holds all of them, with room for their names.
export function boxOf(spots, margin = 60) {
  const all = Object.values(spots);
  const xs = all.map(({ x }) => x);
  const ys = all.map(({ y }) => y);
  const left = Math.min(-120, ...xs) - margin;
  const top = Math.min(-90, ...ys) - margin;
  return { left, top, width: Math.max(120, ...xs) + margin - left, height: Math.max(90, ...ys) + margin - top };
}

/// The shortest way along the links, both ends with it; empty where there is none.
export function path(links, from, to) {
  const beside = new Map();
  for (const { a, b } of links) {
    beside.set(a, [...(beside.get(a) ?? []), b]);
    beside.set(b, [...(beside.get(b) ?? []), a]);
  }
  const came = new Map([[from, null]]);
  for (const at of came.keys()) {
    if (at === to) break;
    for (const next of beside.get(at) ?? []) if (!came.has(next)) came.set(next, at);
  }
  if (!came.has(to)) return [];
  const way = [];
  for (let at = to; at !== null; at = came.get(at)) way.unshift(at);
  return way;
}
