// Where the machines of a graph stand: this one in the middle, every other on the circle of its hops, beside the one that leads to it.
// Pure and without chance: the same graph is drawn alike on every screen.

/// As many as are drawn; a picture of more tells nobody anything.
export const NODES_MAX = 150;
/// What is further away stands on the last circle.
export const HOPS_MAX = 4;
/// A share of the radius of the last circle, by the number of circles.
const CIRCLES = { 1: [0.85], 2: [0.52, 0.96], 3: [0.47, 0.76, 1], 4: [0.36, 0.6, 0.82, 1] };

/// {id: {x, y, hops}} around 0, 0, and `circles`, the radii by hops. `radius`: of the last circle; it grows where `gap` pixels between
/// neighbours on a circle need more.
export function placed(nodes, links, radius, gap = 70) {
  const tree = treeOf(nodes, links);
  const most = Math.max(1, ...[...tree.values()].map(({ hops }) => hops));
  const counts = Array.from({ length: most }, (_, at) => [...tree.values()].filter(({ hops }) => hops === at + 1).length);
  const fractions = CIRCLES[most];
  const whole = Math.max(radius, ...counts.map((count, at) => (count * gap) / (2 * Math.PI) / fractions[at]));
  const circles = fractions.map((part) => part * whole);
  const spots = {};
  const me = nodes.find((node) => node.me)?.id;
  spread(tree, me, -1.5 * Math.PI + 0.6, 2 * Math.PI, (id, turn, hops) => {
    spots[id] = hops === 0 ? { x: 0, y: 0, hops } : { x: Math.cos(turn) * circles[hops - 1], y: Math.sin(turn) * circles[hops - 1], hops };
  });
  // Close together in a narrow wedge: apart along their circle.
  circles.forEach((out, at) => part(spots, at + 1, out, gap));
  return { spots, circles };
}

/// {id: {hops, children, leaves}}: the tree of shortest paths.
function treeOf(nodes, links) {
  const me = nodes.find((node) => node.me)?.id;
  const beside = new Map(nodes.map((node) => [node.id, []]));
  for (const { a, b, hops } of links) {
    beside.get(a)?.push({ id: b, hops });
    beside.get(b)?.push({ id: a, hops });
  }
  const tree = new Map([[me, { hops: 0, children: [] }]]);
  for (const [id, one] of tree) {
    for (const next of (beside.get(id) ?? []).sort((x, y) => (x.id < y.id ? -1 : 1))) {
      if (tree.has(next.id)) continue;
      tree.set(next.id, { hops: Math.min(HOPS_MAX, one.hops + (next.hops ?? 1)), children: [] });
      one.children.push(next.id);
    }
  }
  // Machines without a known path are on the last circle.
  const last = Math.max(1, ...[...tree.values()].map(({ hops }) => hops));
  for (const { id } of nodes) {
    if (tree.has(id)) continue;
    tree.set(id, { hops: last, children: [] });
    tree.get(me)?.children.push(id);
  }
  return tree;
}

const leaves = (tree, id) => {
  const { children } = tree.get(id);
  return children.length === 0 ? 1 : children.reduce((sum, child) => sum + leaves(tree, child), 0);
};

/// Each subtree has a wedge as wide as its leaves need, and stands in the middle of it.
function spread(tree, id, from, width, put) {
  const { hops, children } = tree.get(id);
  put(id, from + width / 2, hops);
  const all = leaves(tree, id);
  let at = from;
  for (const child of children) {
    const share = (width * leaves(tree, child)) / all;
    spread(tree, child, at, share, put);
    at += share;
  }
}

function part(spots, hops, out, gap) {
  const ring = Object.values(spots).filter((spot) => spot.hops === hops)
    .map((spot) => ({ spot, turn: Math.atan2(spot.y, spot.x) })).sort((a, b) => a.turn - b.turn);
  if (ring.length < 2) return;
  const least = Math.min(gap / out, (2 * Math.PI) / ring.length);
  // A few rounds: each pair that is too close parts evenly.
  for (let round = 0; round < 60; round += 1) {
    ring.forEach((one, index) => {
      const next = ring[(index + 1) % ring.length];
      const between = next.turn - one.turn + (index + 1 === ring.length ? 2 * Math.PI : 0);
      const lack = least - between;
      if (lack <= 1e-6) return;
      one.turn -= lack / 2;
      next.turn += lack / 2;
    });
  }
  for (const { spot, turn } of ring) Object.assign(spot, { x: Math.cos(turn) * out, y: Math.sin(turn) * out });
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
