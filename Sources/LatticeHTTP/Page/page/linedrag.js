// A message that a finger drags in reading direction is answered. It moves with the finger and springs back.

/// Pixels that answer, how far a message moves at most, and those at the edges of the screen that are the browser's.
const ANSWER = 64;
const FAR = 80;
const EDGE = 32;
/// Movement that tells a drag from a press.
const SHAKE = 10;

/// Pixels that a finger moved in reading direction, or `null` while it scrolls, or moves the other way.
export function pulled(x, y, isRightToLeft) {
  const way = isRightToLeft ? -x : x;
  return way > SHAKE && way > 2 * Math.abs(y) ? Math.min(FAR, way) : null;
}

export const answers = (pull) => pull !== null && pull >= ANSWER;

/// `rowAt(target)` gives {element, line, can}; `reply(line)`.
export function listenToDrags(list, rowAt, reply) {
  list.addEventListener("pointerdown", ({ target, pointerType, clientX, clientY, pointerId }) => {
    const row = rowAt(target);
    // Code scrolls sideways by itself.
    if (pointerType !== "touch" || !row?.can.reply || target.closest("pre") || clientX < EDGE || clientX > innerWidth - EDGE) return;
    const { element, line } = row;
    const isRightToLeft = getComputedStyle(list).direction === "rtl";
    const stop = new AbortController();
    let pull = null;
    const move = (event) => {
      if (event.pointerId !== pointerId) return;
      pull = pulled(event.clientX - clientX, event.clientY - clientY, isRightToLeft);
      element.style.setProperty("--pull", `${(isRightToLeft ? -1 : 1) * (pull ?? 0)}px`);
      element.classList.toggle("pulled", pull !== null);
      element.classList.toggle("answers", answers(pull));
    };
    const end = ({ type, pointerId: other }) => {
      if (other !== pointerId) return;
      stop.abort();
      element.classList.remove("pulled", "answers");
      if (type === "pointerup" && answers(pull)) reply(line);
    };
    addEventListener("pointermove", move, { signal: stop.signal });
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, { signal: stop.signal });
  });
}
