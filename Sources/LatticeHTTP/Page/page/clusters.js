// What stands too close together on the map becomes one mark with a number.

/// Pixels within which two pins are one.
export const NEAR = 44;

/// `points`: [{x, y, item}] in pixels. Groups of them, [{x, y, members}], none nearer to another than `near`. A point that stands alone
/// is a group with one member, at the place of that point. The same points give the same groups.
export function clustered(points, near = NEAR) {
  const groups = points.map(({ x, y, item }) => ({ x, y, members: [item] }));
  let hasMerged = true;
  while (hasMerged) {
    hasMerged = false;
    for (let first = 0; first < groups.length; first += 1) {
      for (let second = groups.length - 1; second > first; second -= 1) {
        if (Math.hypot(groups[first].x - groups[second].x, groups[first].y - groups[second].y) >= near) continue;
        groups[first] = merged(groups[first], groups[second]);
        groups.splice(second, 1);
        hasMerged = true;
      }
    }
  }
  return groups;
}

function merged(one, other) {
  const [a, b] = [one.members.length, other.members.length];
  return {
    x: (one.x * a + other.x * b) / (a + b), y: (one.y * a + other.y * b) / (a + b), members: [...one.members, ...other.members],
  };
}

/// Pixels across, of a mark with that many.
export const clusterSize = (count) => (count > 20 ? 52 : count > 8 ? 46 : 40);
