// The head of the list of posts: what is listed, around where, how far one reads, and in which order.

import { icon } from "./rows.js";
import { make, replace, setText } from "./dom.js";
import { radiusText } from "./geo.js";

/// A choice that looks like the words it is a part of.
function words(label, values, onChange, sign = "chevron") {
  const select = make("select", { "aria-label": label, onchange: () => onChange(select.value) },
    values.map(([value, text]) => make("option", { value }, text)));
  const element = make("span", { class: "words-choice" }, sign === "sort" ? icon(sign) : null, select, sign === "sort" ? null : icon(sign));
  return { element, select };
}

export class ListHead {
  /// `sources`: [[value, words]] of what can be listed. `onSource(value)`, `onRadius(metres)`, `onOrder(order)`, `onBack()`.
  constructor({ sources, radii, onSource, onRadius, onOrder, onBack }) {
    this.heading = make("h2", { tabindex: "-1" });
    this.status = make("p", { class: "soft" });
    this.radius = words("Reading distance", [], (value) => onRadius(Number(value)));
    this.setRadii(radii);
    this.order = words("Order", [["closest", "Closest"], ["newest", "Newest"]], onOrder, "sort");
    this.back = make("button", { class: "button small", hidden: true, onclick: onBack });
    this.add = make("a", { class: "button small" });
    this.place = make("a", { class: "narrow-only", href: "#/here" }, "Change your place");
    this.sources = make("fieldset", { class: "choice-set", "aria-label": "Feed", onchange: ({ target }) => onSource(target.value) },
      make("div", { class: "choice" }, sources.map(([value, text]) =>
        make("label", {}, make("input", { type: "radio", name: "source", value }), make("span", {}, text)))));
    this.element = make("div", { class: "list-head" },
      make("div", { class: "list-title" }, this.heading, this.radius.element, this.order.element),
      make("div", { class: "list-status" }, this.status, this.place, this.back, this.add), this.sources);
  }

  /// `add`: what can be made here, or empty. `back`: what the button back says, or empty. `order`: whether there is one to choose; `newest`: its second word.
  show({ source, heading, radius, back, hasRadius, hasOrder, newest, add, hasPlace }) {
    setText(this.heading, heading);
    this.radius.element.hidden = !hasRadius;
    this.radius.select.value = String(radius);
    this.order.element.hidden = !hasOrder;
    setText(this.order.select.lastElementChild, newest);
    this.back.hidden = !back;
    if (back && this.back.textContent !== back) replace(this.back, icon(back === "Near you" ? "locate" : "before"), back);
    this.add.hidden = !add;
    this.add.href = `#/new/${add}`;
    setText(this.add, add === "place" ? "Name a place" : "New event");
    this.place.hidden = !hasPlace;
    for (const input of this.sources.querySelectorAll("input")) input.checked = input.value === source;
  }

  /// Metres that people choose among; what is chosen stays if it is still there.
  setRadii(radii) {
    const { select } = this.radius;
    const chosen = select.value;
    replace(select, radii.map((one) => make("option", { value: String(one) }, radiusText(one))));
    if (radii.includes(Number(chosen))) select.value = chosen;
  }

  say(text) { setText(this.status, text); }
}
