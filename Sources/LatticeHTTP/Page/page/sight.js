// Does something once an element comes near to what is seen.

const AHEAD = "800px";
const acts = new WeakMap();
let sight = null;

/// Once. Another `act` of the same element takes the place of the one before.
export function whenNear(element, act) {
  sight ??= new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      sight.unobserve(target);
      acts.get(target)();
    }
  }, { rootMargin: AHEAD, scrollMargin: AHEAD });
  acts.set(element, act);
  // An element that is observed already would not be looked at again.
  sight.unobserve(element);
  sight.observe(element);
}

export const notNear = (element) => sight?.unobserve(element);
