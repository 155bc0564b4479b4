// Times as people say them, exact where one looks closer.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/// `now`, `3 min ago`, `5 h ago`, `2 days ago`, then the date; ahead `in 3 min`, … Clocks of others run a little ahead:
/// within a minute it is now.
export function relative(date, now) {
  const span = now - date;
  const size = Math.abs(span);
  if (!Number.isFinite(size)) return "";
  if (size < MINUTE) return "now";
  if (size >= 7 * DAY) return day(date, now);
  const [count, word] =
    size < HOUR ? [size / MINUTE, "min"] : size < DAY ? [size / HOUR, "h"] : [size / DAY, size < 2 * DAY ? "day" : "days"];
  const words = `${Math.floor(count)} ${word}`;
  return span >= 0 ? `${words} ago` : `in ${words}`;
}

/// The same beside a name, where it is plain what it is: `3 min`, `5 h`.
export const age = (date, now) => relative(date, now).replace(" ago", "");

export function exact(date) {
  return new Intl.DateTimeFormat("en-GB", {
    weekday: "short", year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit",
    timeZoneName: "short",
  }).format(date);
}

export function day(date, now) {
  const ofThisYear = new Date(date).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", ...(ofThisYear ? {} : { year: "numeric" }) })
    .format(date);
}

export const clock = (date) => new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(date);

export const weekday = (date) =>
  new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" }).format(date);

/// `Today`, `Yesterday`, else the day of the week and the date.
export function dayWords(date, now) {
  const days = [0, 1].map((ago) => {
    const day = new Date(now);
    day.setDate(day.getDate() - ago);
    return day.toDateString();
  });
  return ["Today", "Yesterday"][days.indexOf(new Date(date).toDateString())] ?? weekday(date);
}

/// When something was said last, short: the hour today, the day within a week, else the date.
export function shortWhen(date, now) {
  if (new Date(date).toDateString() === new Date(now).toDateString()) return clock(date);
  if (Math.abs(now - date) < 6 * DAY) return new Intl.DateTimeFormat("en-GB", { weekday: "short" }).format(date);
  return day(date, now);
}

/// `Tue 1 Dec 18:00 to 22:00`; the day is said twice only where it is another.
export function fromTo(starts, ends) {
  const from = `${shortDay(starts)} ${clock(starts)}`;
  if (ends === undefined || Number.isNaN(ends)) return from;
  const sameDay = new Date(starts).toDateString() === new Date(ends).toDateString();
  return sameDay ? `${from} to ${clock(ends)}` : `${from} to ${shortDay(ends)} ${clock(ends)}`;
}

const shortDay = (date) =>
  new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" }).format(date);

/// `5 days`, `3 hours`: how long something still stays.
export function left(until, now) {
  const span = until - now;
  if (span <= 0) return "no time";
  const [count, word] = span < HOUR ? [span / MINUTE, "minute"] : span < 2 * DAY ? [span / HOUR, "hour"] : [span / DAY, "day"];
  const whole = Math.max(1, Math.round(count));
  return `${whole} ${word}${whole === 1 ? "" : "s"}`;
}

/// A `time` element that keeps itself right as `refresh` is called.
export function timeElement(text, now) {
  const date = Date.parse(text);
  const element = document.createElement("time");
  if (Number.isNaN(date)) return element;
  element.dateTime = new Date(date).toISOString();
  element.title = exact(date);
  element.textContent = relative(date, now);
  element.dataset.relative = "";
  return element;
}

export function refresh(root, now) {
  for (const element of root.querySelectorAll("time[data-relative]")) {
    const text = (element.dataset.relative === "short" ? age : relative)(Date.parse(element.dateTime), now);
    if (element.textContent !== text) element.textContent = text;
  }
}
