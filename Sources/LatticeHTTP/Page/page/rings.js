// The rings around the place of the reader, and where on them a word stands.

import { WALK_METRES, destination, radiusText } from "./geo.js";
import { metresPerPixel, openOf, project } from "./projection.js";

/// In pixels: a smaller ring says nothing, and neither does one that is all around the view.
const RADIUS_MIN = 40;
const RADIUS_MAX = 4_000;
const WALKS_MINUTES = [5, 15];
/// 0, -5, 5, -10, … to 180: further and further from where it stands best.
const TURNS = Array.from({ length: 73 }, (_, at) => (at % 2 === 0 ? 5 : -5) * Math.ceil(at / 2));

/// [{metres, words, bearing, isReach}]: the reading radius and the walks that can be seen. `bearing`: where its word stands best.
export function ringsOf(view, radius) {
  const walks = WALKS_MINUTES.map((minutes) =>
    ({ metres: minutes * WALK_METRES, words: `${minutes} min walk`, bearing: minutes === 5 ? 45 : 225, isReach: false }));
  const reach = radius ? [{ metres: radius, words: radiusText(radius), bearing: 180, isReach: true }] : [];
  return [...walks, ...reach].filter(({ metres }) => {
    const pixels = metres / metresPerPixel(view);
    return pixels >= RADIUS_MIN && pixels <= RADIUS_MAX;
  });
}

/// The point of a ring, nearest to its best bearing, at which a box of that size is wholly in the open part; `null` if there is none.
/// `taken`: boxes {left, top, right, bottom} that it must not lie over.
export function wordPlace(view, centre, ring, { width, height }, taken = []) {
  const open = openOf(view);
  const edge = 6;
  for (const turn of TURNS) {
    const { x, y } = project(view, destination(centre, ring.bearing + turn, ring.metres));
    const box = { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
    const isOpen = box.left >= open.left + edge && box.right <= open.left + open.width - edge
      && box.top >= open.top + edge && box.bottom <= open.top + open.height - edge;
    if (isOpen && !taken.some((other) => overlap(box, other))) return { x, y };
  }
  return null;
}

export const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
