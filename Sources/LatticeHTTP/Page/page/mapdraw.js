// Draws what lies below the pins: the base map, or land with a fine grid; far out the continents; the rings around the reader.

import { destination, radiusText } from "./geo.js";
import { metresPerPixel, openOf, project, worldSize } from "./projection.js";
import { ringsOf, wordPlace } from "./rings.js";

/// The outlines are good to some ten kilometres: closer than this they would put a harbour into the sea.
export const COAST_ZOOM_MAX = 8;
const STEPS_DEGREES = [90, 45, 30, 15, 10, 5, 2, 1, 0.5];
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const NICE = [1, 2, 5];

/// `taken`: boxes in pixels that words must not lie over.
export function drawMap(context, view, scene, taken = []) {
  const { palette } = scene;
  context.fillStyle = palette.land;
  context.fillRect(0, 0, view.width, view.height);
  const tiled = scene.tiles ? scene.tiles.draw(context, view) : false;
  if (!tiled && scene.coastline) drawCoastline(context, view, scene.coastline, palette);
  if (!tiled) {
    if (view.zoom < COAST_ZOOM_MAX) drawDegrees(context, view, palette);
    else drawGrid(context, view, scene.centre ?? view, palette);
  }
  if (scene.centre) drawRings(context, view, scene, taken);
}

function drawCoastline(context, view, coastline, palette) {
  const strength = Math.max(0, Math.min(1, COAST_ZOOM_MAX - view.zoom));
  if (strength === 0) return;
  context.save();
  context.globalAlpha = strength;
  context.fillStyle = palette.sea;
  context.fillRect(0, 0, view.width, view.height);
  context.fillStyle = palette.land;
  context.strokeStyle = palette.coast;
  context.lineJoin = "round";
  context.lineWidth = 1;
  const world = worldSize(view.zoom);
  // The world is as many times beside itself as the view is wide.
  const copies = Math.ceil(view.width / 2 / world + 0.5);
  for (let copy = -copies; copy <= copies; copy += 1) {
    context.beginPath();
    for (const line of coastline.coasts) trace(context, view, line, copy * world, true);
    context.fill("evenodd");
    context.beginPath();
    for (const line of coastline.coasts) traceShore(context, view, line, copy * world);
    context.stroke();
    context.save();
    context.globalAlpha = strength * 0.5;
    context.beginPath();
    for (const line of coastline.borders) trace(context, view, line, copy * world, false);
    context.stroke();
    context.restore();
  }
  context.restore();
}

/// Every point is taken on the same way around the globe, so that a line across its back does not cross the whole view.
function placed(view, point, offset) {
  const { y } = project(view, { lat: point.lat, lon: view.lon });
  return { x: view.width / 2 + ((point.lon - view.lon) / 360) * worldSize(view.zoom) + offset, y };
}

function isVisible(view, line, offset) {
  const left = placed(view, { lat: 0, lon: line.west }, offset).x;
  const right = placed(view, { lat: 0, lon: line.east }, offset).x;
  return right >= 0 && left <= view.width;
}

function trace(context, view, line, offset, isClosed) {
  if (!isVisible(view, line, offset)) return;
  line.points.forEach((point, index) => {
    const { x, y } = placed(view, point, offset);
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
  if (isClosed) context.closePath();
}

/// Without the edges of the sheet, where the data cuts land in two at the 180th meridian and at the pole.
function traceShore(context, view, line, offset) {
  if (!isVisible(view, line, offset)) return;
  const isCut = (a, b) => (Math.abs(a.lon) > 179.9 && Math.abs(b.lon) > 179.9) || (a.lat < -89 && b.lat < -89);
  line.points.forEach((point, index) => {
    const before = line.points[(index + line.points.length - 1) % line.points.length];
    if (isCut(before, point)) return;
    const from = placed(view, before, offset);
    const to = placed(view, point, offset);
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
  });
}

/// Outlines with what it takes to skip those out of sight.
export function prepared({ coasts, borders }) {
  const boxed = (points) => {
    const lons = points.map((point) => point.lon);
    return { points, west: Math.min(...lons), east: Math.max(...lons) };
  };
  return { coasts: coasts.map(boxed), borders: borders.map(boxed) };
}

function drawDegrees(context, view, palette) {
  const world = worldSize(view.zoom);
  const open = openOf(view);
  const step = STEPS_DEGREES.findLast((degrees) => (degrees / 360) * world >= 90) ?? STEPS_DEGREES[0];
  const decimals = Math.max(0, Math.ceil(-Math.log10(step)));
  context.strokeStyle = palette.grid;
  context.lineWidth = 1;
  const half = (view.width / 2 / world) * 360;
  context.beginPath();
  const labels = [];
  for (let index = Math.ceil((view.lon - half) / step); index * step <= view.lon + half; index += 1) {
    const x = Math.round(view.width / 2 + ((index * step - view.lon) / 360) * world) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, view.height);
    const lon = ((((index * step + 180) % 360) + 360) % 360) - 180;
    // It must not cover the scale.
    if (x > open.left + 130 && x < open.left + open.width - 60) labels.push([
      `${Math.abs(lon).toFixed(decimals)}°${lon < -1e-9 ? "W" : lon > 1e-9 ? "E" : ""}`, x + 4, open.top + open.height - 10,
    ]);
  }
  for (let index = Math.ceil(Math.max(-85, latBelow(view)) / step); index * step <= 85; index += 1) {
    const y = Math.round(project(view, { lat: index * step, lon: view.lon }).y) + 0.5;
    if (y < -1) break;
    context.moveTo(0, y);
    context.lineTo(view.width, y);
    const lat = index * step;
    if (y > open.top + 20 && y < open.top + open.height - 60) labels.push([
      `${Math.abs(lat).toFixed(decimals)}°${lat < -1e-9 ? "S" : lat > 1e-9 ? "N" : ""}`, open.left + 10, y - 4,
    ]);
  }
  context.stroke();
  for (const [text, x, y] of labels) write(context, text, x, y, { align: "start", ink: palette.ink2, halo: palette.land });
}

/// A latitude that is surely below the view: a degree of it takes at least as many pixels as one of longitude.
const latBelow = (view) => view.lat - ((view.height / 2 + 2) / worldSize(view.zoom)) * 360;

/// The smallest round distance that is some 50 pixels or more.
export function gridStep(view) {
  const least = metresPerPixel(view) * 50;
  const power = 10 ** Math.floor(Math.log10(least));
  return [...NICE.map((one) => one * power), 10 * power].find((one) => one >= least);
}

/// Lines at equal distances from a place, every second one with its distance at the edge.
function drawGrid(context, view, centre, palette) {
  const step = gridStep(view);
  const pixels = step / metresPerPixel(view);
  const { x, y } = project(view, centre);
  const open = openOf(view);
  context.strokeStyle = palette.grid;
  context.lineWidth = 1;
  context.beginPath();
  const words = [];
  for (let index = Math.ceil(-x / pixels); x + index * pixels <= view.width; index += 1) {
    const at = Math.round(x + index * pixels) + 0.5;
    context.moveTo(at, 0);
    context.lineTo(at, view.height);
    if (index !== 0 && index % 2 === 0 && at > open.left + 130 && at < open.left + open.width - 76) {
      words.push([radiusText(Math.abs(index) * step), at, open.top + open.height - 10, "center"]);
    }
  }
  for (let index = Math.ceil(-y / pixels); y + index * pixels <= view.height; index += 1) {
    const at = Math.round(y + index * pixels) + 0.5;
    context.moveTo(0, at);
    context.lineTo(view.width, at);
    if (index !== 0 && index % 2 === 0 && at > open.top + 20 && at < open.top + open.height - 60) {
      words.push([radiusText(Math.abs(index) * step), open.left + 10, at + 4, "start"]);
    }
  }
  context.stroke();
  for (const [text, left, top, align] of words) write(context, text, left, top, { align, ink: palette.ink2, halo: palette.land });
}

function write(context, text, x, y, { align = "center", ink, halo, font = `500 12px ${FONT}` }) {
  context.font = font;
  context.textAlign = align;
  context.lineJoin = "round";
  context.lineWidth = 3.5;
  context.strokeStyle = halo;
  context.strokeText(text, x, y);
  context.fillStyle = ink;
  context.fillText(text, x, y);
  context.textAlign = "start";
}

function circle(context, view, centre, metres) {
  context.beginPath();
  for (let bearing = 0; bearing < 360; bearing += 3) {
    const { x, y } = project(view, destination(centre, bearing, metres));
    if (bearing === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.closePath();
}

/// The circle within which posts can be read is solid, those of walking time are dotted. Their words stand on them, where they are in sight.
function drawRings(context, view, { centre, radius, palette }, taken) {
  const rings = ringsOf(view, radius);
  for (const ring of rings) {
    circle(context, view, centre, ring.metres);
    if (ring.isReach) {
      context.fillStyle = palette.reach;
      context.fill();
      stroke(context, palette.teal, 2.5);
    } else {
      stroke(context, palette.paper, 4);
      context.setLineDash([2, 6]);
      context.lineCap = "round";
      stroke(context, palette.ink, 1.75);
      context.lineCap = "butt";
      context.setLineDash([]);
    }
  }
  const words = [...taken];
  for (const ring of [...rings].reverse()) {
    context.font = `600 13px ${FONT}`;
    const size = { width: context.measureText(ring.words).width + 20, height: 26 };
    const place = wordPlace(view, centre, ring, size, words) ?? wordPlace(view, centre, ring, size);
    if (!place) continue;
    pill(context, place, size, ring, palette);
    words.push({
      left: place.x - size.width / 2, right: place.x + size.width / 2, top: place.y - size.height / 2, bottom: place.y + size.height / 2,
    });
  }
}

function stroke(context, colour, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

function pill(context, { x, y }, { width, height }, { words, isReach }, palette) {
  context.beginPath();
  context.roundRect(x - width / 2, y - height / 2, width, height, height / 2);
  context.fillStyle = isReach ? palette.teal : palette.paper;
  context.fill();
  if (!isReach) stroke(context, palette.ink, 1.5);
  context.fillStyle = isReach ? palette.onteal : palette.ink;
  context.textAlign = "center";
  context.fillText(words, x, y + 4.5);
  context.textAlign = "start";
}
