// Sizes, speeds and times left, as people say them.

const UNITS = ["kB", "MB", "GB"];
/// How far back a speed looks, how soon one is known, and how close two samples of it may be.
const WINDOW_MS = 5_000;
const FIRST_MS = 700;
const APART_MS = 200;

/// `812 bytes`, `8.4 kB`, `184 MB`.
export function sizeText(bytes) {
  if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  let size = bytes / 1_000;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

function timeText(seconds) {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}

/// Whole percent; 100 only when all of it is there.
export const percent = (done, size) => (size > 0 ? Math.floor((100 * Math.min(done, size)) / size) : 0);

/// `62%, 1.1 MB/s, 3 s left`. `speed`: bytes in a second; 0 if it is not known.
export function progressText(done, size, speed) {
  const share = `${percent(done, size)}%`;
  return speed > 0 ? `${share}, ${sizeText(Math.round(speed))}/s, ${timeText((size - done) / speed)} left` : share;
}

/// How fast bytes come or go.
export class Pace {
  #seen = [];

  /// - Returns: bytes in a second over the last seconds; 0 if that is not known yet.
  take(bytes, now) {
    const last = this.#seen.at(-1);
    if (last && bytes < last.bytes) this.#seen = [];
    if (this.#seen.length === 0 || now - last.now >= APART_MS) this.#seen.push({ bytes, now });
    while (this.#seen.length > 2 && now - this.#seen[1].now >= WINDOW_MS) this.#seen.shift();
    const [first] = this.#seen;
    const span = now - first.now;
    return span < FIRST_MS ? 0 : (1_000 * (bytes - first.bytes)) / span;
  }
}

/// What a picture is called that was pasted without a name, or just taken: `picture 2026-11-28 14.05.png`.
export function pastedName(type, date) {
  const two = (number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  const end = { "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif" }[type] ?? "png";
  return `picture ${day} ${two(date.getHours())}.${two(date.getMinutes())}.${end}`;
}

/// A name in two parts, so that the end of a long one is still seen: [beginning, `.pdf`].
export function nameParts(name) {
  const [end] = /(?<=.)\.[\p{L}\p{N}]{1,8}$/u.exec(name) ?? [""];
  return [name.slice(0, name.length - end.length), end];
}
