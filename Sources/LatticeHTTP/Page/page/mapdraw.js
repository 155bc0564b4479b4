// Draws what lies below the pins: continents, degrees, the circle within which one may read, rings of distance and bearings.

import { destination, radiusText } from "./geo.js";
import { metresPerPixel, project, worldSize } from "./projection.js";

/// The outlines are good to some ten kilometres: closer than this they would put a harbour into the sea.
const COAST_ZOOM_MAX = 8;
const STEPS_DEGREES = [90, 45, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001];
/// Pixels: a smaller circle would be hidden by what is said of it.
const LABELLED_MIN = 50;
const LABEL = "11px system-ui, sans-serif";

export function drawMap(context, view, scene) {
  const { palette } = scene;
  context.fillStyle = palette.paper;
  context.fillRect(0, 0, view.width, view.height);
  const tiled = scene.tiles ? scene.tiles.draw(context, view) : false;
  if (!tiled && scene.coastline) drawCoastline(context, view, scene.coastline, palette);
  drawDegrees(context, view, palette);
  if (scene.centre) {
    drawRings(context, view, scene.centre, scene.radius, palette);
    if (scene.radius) drawReach(context, view, scene.centre, scene.radius, palette);
  }
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
  const step = STEPS_DEGREES.findLast((degrees) => (degrees / 360) * world >= 90) ?? STEPS_DEGREES[0];
  const decimals = Math.max(0, Math.ceil(-Math.log10(step)));
  context.strokeStyle = palette.grid;
  context.fillStyle = palette.gridInk;
  context.font = LABEL;
  context.lineWidth = 1;
  const half = (view.width / 2 / world) * 360;
  context.beginPath();
  const labels = [];
  for (let index = Math.ceil((view.lon - half) / step); index * step <= view.lon + half; index += 1) {
    const x = Math.round(view.width / 2 + ((index * step - view.lon) / 360) * world) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, view.height);
    const lon = ((((index * step + 180) % 360) + 360) % 360) - 180;
    // Not under the scale.
    if (x < view.width - 190) labels.push([
      `${Math.abs(lon).toFixed(decimals)}°${lon < -1e-9 ? "W" : lon > 1e-9 ? "E" : ""}`, x + 4, view.height - 8,
    ]);
  }
  for (let index = Math.ceil(Math.max(-85, latBelow(view)) / step); index * step <= 85; index += 1) {
    const y = Math.round(project(view, { lat: index * step, lon: view.lon }).y) + 0.5;
    if (y < -1) break;
    context.moveTo(0, y);
    context.lineTo(view.width, y);
    const lat = index * step;
    if (y > 20 && y < view.height - 40) labels.push([
      `${Math.abs(lat).toFixed(decimals)}°${lat < -1e-9 ? "S" : lat > 1e-9 ? "N" : ""}`, 8, y - 4,
    ]);
  }
  context.stroke();
  for (const [text, x, y] of labels) context.fillText(text, x, y);
}

/// A latitude that is surely below the view: a degree of it takes at least as many pixels as one of longitude.
const latBelow = (view) => view.lat - ((view.height / 2 + 2) / worldSize(view.zoom)) * 360;

function circle(context, view, centre, metres) {
  context.beginPath();
  for (let bearing = 0; bearing < 360; bearing += 4) {
    const { x, y } = project(view, destination(centre, bearing, metres));
    if (bearing === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.closePath();
}

/// The circle within which posts can be read.
function drawReach(context, view, centre, radius, palette) {
  circle(context, view, centre, radius);
  context.fillStyle = palette.reach;
  context.fill();
  context.strokeStyle = palette.accent;
  context.lineWidth = 2;
  context.stroke();
  if (radius < metresPerPixel(view) * LABELLED_MIN) return;
  label(context, view, centre, 0, radius, `You can read posts within ${radiusText(radius)}`, palette.accent, palette);
}

const NICE = [1, 2, 5];

/// The widest round distance of which some four fit between the middle and the edge.
export function ringStep(view) {
  const reach = (metresPerPixel(view) * Math.min(view.width, view.height)) / 2 / 3.5;
  const power = 10 ** Math.floor(Math.log10(reach));
  return (NICE.findLast((one) => one * power <= reach) ?? 1) * power;
}

function drawRings(context, view, centre, radius, palette) {
  const step = ringStep(view);
  if (step > 500_000) return;
  context.strokeStyle = palette.ring;
  context.lineWidth = 1;
  for (let ring = 1; ring <= 5; ring += 1) {
    circle(context, view, centre, ring * step);
    context.setLineDash([2, 4]);
    context.stroke();
    context.setLineDash([]);
    if (ring * step !== radius) label(context, view, centre, 180, ring * step, radiusText(ring * step), palette.gridInk, palette);
  }
  const middle = project(view, centre);
  context.beginPath();
  for (let bearing = 0; bearing < 360; bearing += 30) {
    const from = project(view, destination(centre, bearing, step * 0.12));
    const to = project(view, destination(centre, bearing, step * 5));
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
  }
  context.globalAlpha = 0.5;
  context.stroke();
  context.globalAlpha = 1;
  context.fillStyle = palette.gridInk;
  context.font = `600 ${LABEL}`;
  context.textAlign = "center";
  const off = middle.y - project(view, destination(centre, 0, step * 5)).y + 12;
  // Beside the lines that the coordinates stand on.
  for (const [word, x, y] of [["N", 0, -off], ["E", off, 16], ["S", 0, off + 8], ["W", -off, 16]]) {
    context.fillText(word, middle.x + x, middle.y + y);
  }
  context.textAlign = "start";
}

function label(context, view, centre, bearing, metres, text, colour, palette) {
  const { x, y } = project(view, destination(centre, bearing, metres));
  context.font = LABEL;
  context.textAlign = "center";
  const width = context.measureText(text).width;
  // On the line itself, on a piece of paper of its own: kept in sight at the edge.
  const at = Math.max(width / 2 + 6, Math.min(view.width - width / 2 - 6, x));
  context.fillStyle = palette.paper;
  context.globalAlpha = 0.85;
  context.fillRect(at - width / 2 - 3, y - 8, width + 6, 15);
  context.globalAlpha = 1;
  context.fillStyle = colour;
  context.fillText(text, at, y + 4);
  context.textAlign = "start";
}
