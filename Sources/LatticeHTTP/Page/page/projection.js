// A view of the globe in Mercator's projection, as values: {lat, lon} of the middle, zoom, width and height in pixels, and {top, right,
// bottom, left} that something lies over. At zoom 0 the world is 256 pixels wide, each step doubles it, as base map tiles have it.

import { distance, wrapped } from "./geo.js";

const TILE = 256;
const LAT_MAX = 85.0511;
export const ZOOM_MIN = 0.5;
export const ZOOM_MAX = 20;
/// Metres of the equator to a pixel at zoom 0.
const METRES_PER_PIXEL = 40_075_016.686 / TILE;

const clamped = (value, low, high) => Math.max(low, Math.min(high, value));
export const worldSize = (zoom) => TILE * 2 ** zoom;

const eastOf = (lon, zoom) => ((lon + 180) / 360) * worldSize(zoom);

function southOf(lat, zoom) {
  const sine = Math.sin((clamped(lat, -LAT_MAX, LAT_MAX) * Math.PI) / 180);
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * worldSize(zoom);
}

function latOf(south, zoom) {
  const turn = Math.PI * (1 - (2 * south) / worldSize(zoom));
  return (Math.atan(Math.sinh(turn)) * 180) / Math.PI;
}

/// Pixels from the top left corner. Of the ways around the globe the nearer one is taken.
export function project(view, point) {
  return {
    x: view.width / 2 + (wrapped(point.lon - view.lon) / 360) * worldSize(view.zoom),
    y: view.height / 2 + southOf(point.lat, view.zoom) - southOf(view.lat, view.zoom),
  };
}

export function unproject(view, { x, y }) {
  const south = southOf(view.lat, view.zoom) + y - view.height / 2;
  const lon = view.lon + ((x - view.width / 2) / worldSize(view.zoom)) * 360;
  return { lat: clamped(latOf(south, view.zoom), -LAT_MAX, LAT_MAX), lon: wrapped(lon) };
}

export const centred = (view, point) =>
  ({ ...view, lat: clamped(point.lat, -LAT_MAX, LAT_MAX), lon: wrapped(point.lon) });

/// Moves the middle by a number of pixels.
export const panned = (view, dx, dy) =>
  centred(view, unproject(view, { x: view.width / 2 - dx, y: view.height / 2 - dy }));

/// What lies under a pixel stays there.
export function zoomedAt(view, at, steps) {
  const zoom = clamped(view.zoom + steps, ZOOM_MIN, ZOOM_MAX);
  const fixed = unproject(view, at);
  const moved = project({ ...view, zoom }, fixed);
  return panned({ ...view, zoom }, at.x - moved.x, at.y - moved.y);
}

export function metresPerPixel(view) {
  return (METRES_PER_PIXEL * Math.cos((view.lat * Math.PI) / 180)) / 2 ** view.zoom;
}

/// The part of the view that nothing lies over.
export function openOf({ width, height, over = {} }) {
  const { top = 0, right = 0, bottom = 0, left = 0 } = over;
  return { left, top, width: Math.max(1, width - left - right), height: Math.max(1, height - top - bottom) };
}

/// A point comes to the middle of the open part.
export function centredOpen(view, point) {
  const open = openOf(view);
  return panned(centred(view, point), open.left + open.width / 2 - view.width / 2, open.top + open.height / 2 - view.height / 2);
}

/// So that a circle of that many metres around a point fills the open part, but for a margin.
export function fitted(view, point, metres) {
  const there = centred(view, point);
  const open = openOf(view);
  const pixels = Math.max(60, Math.min(open.width, open.height)) * 0.44;
  const zoom = Math.log2((METRES_PER_PIXEL * Math.cos((there.lat * Math.PI) / 180) * pixels) / metres);
  return centredOpen({ ...there, zoom: clamped(zoom, ZOOM_MIN, ZOOM_MAX) }, point);
}

/// So that all points fit into the open part with `margin` pixels around them, and their box takes at most the `part` of it.
export function fittedAll(view, points, { margin = 48, part = 1, zoomMax = 18 } = {}) {
  const open = openOf(view);
  // Seen from the first one, on the nearer way around the globe.
  const xs = points.map((point) => wrapped(point.lon - points[0].lon) / 360);
  const ys = points.map((point) => southOf(point.lat, 0) / TILE);
  const [west, east, north, south] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const room = (size) => Math.max(40, Math.min(size - 2 * margin, size * part));
  const world = Math.min(room(open.width) / Math.max(east - west, 1e-12), room(open.height) / Math.max(south - north, 1e-12));
  const middle = { lat: latOf(((north + south) / 2) * TILE, 0), lon: points[0].lon + ((west + east) / 2) * 360 };
  return centredOpen({ ...view, zoom: clamped(Math.log2(world / TILE), ZOOM_MIN, zoomMax) }, middle);
}

/// What is in view, as the node is asked for it: the middle of the open part, and half of its diagonal in metres, at most `most`.
export function regionOf(view, most) {
  const { left, top, width, height } = openOf(view);
  const middle = unproject(view, { x: left + width / 2, y: top + height / 2 });
  const corners = [[left, top], [left + width, top], [left, top + height], [left + width, top + height]];
  const metres = Math.max(...corners.map(([x, y]) => distance(middle, unproject(view, { x, y }))));
  return { ...middle, metres: clamped(metres, 1, most) };
}

export function isWithin(view, point, margin = 0) {
  const { x, y } = project(view, point);
  const { left, top, width, height } = openOf(view);
  return x >= left + margin && y >= top + margin && x <= left + width - margin && y <= top + height - margin;
}

/// The tiles that cover the view, those of the middle first: {z, x, y, left, top, size} in pixels.
export function tilesOf(view, zoomMin, zoomMax) {
  const z = clamped(Math.round(view.zoom), zoomMin, zoomMax);
  const size = TILE * 2 ** (view.zoom - z);
  const count = 2 ** z;
  const left = eastOf(view.lon, view.zoom) - view.width / 2;
  const top = southOf(view.lat, view.zoom) - view.height / 2;
  const tiles = [];
  for (let y = Math.max(0, Math.floor(top / size)); y < count && y * size < top + view.height; y += 1) {
    for (let column = Math.floor(left / size); column * size < left + view.width; column += 1) {
      tiles.push({ z, x: ((column % count) + count) % count, y, left: column * size - left, top: y * size - top, size });
    }
  }
  const off = (tile) => Math.hypot(tile.left + size / 2 - view.width / 2, tile.top + size / 2 - view.height / 2);
  return tiles.sort((a, b) => off(a) - off(b)).slice(0, TILES_MAX);
}

/// A screen of 4K is covered by 150.
const TILES_MAX = 400;
