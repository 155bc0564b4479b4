// Arithmetic on the globe: degrees of WGS 84, metres on the mean sphere. The node reckons in the same way.

const EARTH_RADIUS = 6_371_008.8;
const radians = (degrees) => (degrees * Math.PI) / 180;
const degrees = (angle) => (angle * 180) / Math.PI;

/// -180 up to and without 180.
export const wrapped = (lon) => ((((lon + 180) % 360) + 360) % 360) - 180;

export function distance(a, b) {
  const lat = radians(b.lat - a.lat);
  const lon = radians(b.lon - a.lon);
  const h = Math.sin(lat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(lon / 2) ** 2;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(h)));
}

/// The initial bearing to a point, in degrees clockwise from north.
export function bearing(from, to) {
  const lon = radians(to.lon - from.lon);
  const [here, there] = [radians(from.lat), radians(to.lat)];
  const east = Math.sin(lon) * Math.cos(there);
  const north = Math.cos(here) * Math.sin(there) - Math.sin(here) * Math.cos(there) * Math.cos(lon);
  return (degrees(Math.atan2(east, north)) + 360) % 360;
}

/// The place at a distance in metres and a direction in degrees clockwise from north.
export function destination(from, bearing, metres) {
  const angle = metres / EARTH_RADIUS;
  const turn = radians(bearing);
  const lat = radians(from.lat);
  const sine = Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(turn);
  const east = Math.atan2(Math.sin(turn) * Math.sin(angle) * Math.cos(lat), Math.cos(angle) - Math.sin(lat) * sine);
  return { lat: degrees(Math.asin(Math.max(-1, Math.min(1, sine)))), lon: wrapped(from.lon + degrees(east)) };
}

const points = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"];

export const compass = (bearing) => points[Math.floor((((bearing % 360) + 360) % 360) / 22.5 + 0.5) % 16];

/// `18 m`, `1.8 km`, `1,204 km`
export function distanceText(metres) {
  if (!Number.isFinite(metres)) return "unknown distance";
  const whole = Math.round(Math.max(0, metres));
  if (whole < 1000) return `${whole} m`;
  const tenths = Math.round(metres / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} km`;
  return `${Math.round(metres / 1000).toLocaleString("en")} km`;
}

/// A round distance that somebody chose: `2 km`, `1.5 km`.
export const radiusText = (metres) => distanceText(metres).replace(".0 ", " ");

/// Metres that somebody walks in a minute, at 5 km/h.
export const WALK_METRES = 5_000 / 60;
const HERE_METRES = 10;
/// The longest walk, in minutes, that is shown in minutes.
const WALK_MINUTES_MAX = 15;

/// `231 m WSW, 3 min`, `1.2 km N, 14 min`, `1.6 km N, far`, `here ✓`.
export function awayText({ metres, bearing }) {
  if (metres < HERE_METRES || bearing === undefined) return "here ✓";
  const minutes = metres / WALK_METRES;
  return `${distanceText(metres)} ${compass(bearing)}, ${minutes > WALK_MINUTES_MAX ? "far" : `${Math.max(1, Math.round(minutes))} min`}`;
}

/// Where an item is, seen from the reader: `Old oak, 231 m WSW, 3 min`, `about 2.1 km S, far`, `Here ✓`. `name`: of the place, which
/// stands alone without a place of the reader.
export function whereText(item, name = "") {
  const about = item.blur === undefined ? "" : "about ";
  const away = item.metres === undefined ? "" : about + awayText(item);
  const words = [name, away].filter(Boolean).join(", ");
  return words.startsWith("here") ? `H${words.slice(1)}` : words;
}

/// The same for a point that is seen from another.
export const seenFrom = (from, point) => (from ? { ...point, metres: distance(from, point), bearing: bearing(from, point) } : point);

/// Five decimals are a metre.
export const placeText = (point) => `${point.lat.toFixed(5)}, ${point.lon.toFixed(5)}`;

export const isPlace = (point) =>
  Number.isFinite(point?.lat) && Number.isFinite(point?.lon) && Math.abs(point.lat) <= 90 && Math.abs(point.lon) <= 180;

const number = String.raw`([+-]?\d{1,3}(?:\.\d+)?)`;
const decimal = new RegExp(String.raw`^(?:geo:)?\s*${number}\s*°?\s*([NS])?\s*[,; ]\s*${number}\s*°?\s*([EW])?(?:;.*)?$`, "i");

/// `40.7128, -74.0060`, `40.7128 N 74.0060 W`, `geo:40.7128,-74.0060`; `null` for anything else, because a message at the
/// wrong end of the earth is worse than a question.
export function parsePlace(text) {
  const found = decimal.exec(text.trim().replace(/\u2212/g, "-"));
  if (!found) return null;
  const [, lat, ns, lon, ew] = found;
  const point = { lat: signed(lat, ns, "S"), lon: signed(lon, ew, "W") };
  return isPlace(point) ? point : null;
}

/// A sign and a letter at once may mean two things.
function signed(digits, letter, negative) {
  if (!letter) return Number(digits);
  if (/^[+-]/.test(digits)) return Number.NaN;
  return letter.toUpperCase() === negative ? -Number(digits) : Number(digits);
}
