// Which view a route has. A view is {element, heading, title}, and as it needs them: enter, entered, leave; refresh, when what
// it shows may be another; picks, a point on the map; store, of items; isKept, where the element is the same one each time.

import { eventView } from "./event.js";
import { hereView } from "./here.js";
import { itemView } from "./item.js";
import { meshView } from "./mesh.js";
import { activityView, peopleView, personView } from "./people.js";
import { postView } from "./post.js";

export function viewOf(app, route) {
  switch (route.name) {
    case "item": return itemView(app, route.argument);
    case "newPost": return postView(app);
    case "newEvent": return eventView(app);
    case "here": return hereView(app);
    case "people": return peopleView(app);
    case "person": return personView(app, route.argument);
    case "activity": return activityView(app);
    case "mesh": return meshView(app);
    case "rooms": return roomsView(app, route);
    default: return wallView(app, route);
  }
}

function roomsView({ rooms }, route) {
  return {
    element: rooms.element, heading: rooms.heading, title: "Rooms", isKept: true, refresh: rooms.refreshRooms,
    enter: () => rooms.enter(route.argument), leave: () => rooms.leave(),
  };
}

function wallView({ wall }, route) {
  return {
    element: wall.element, heading: wall.heading, title: route.name === "map" ? "Map" : "Posts", isKept: true,
    refresh: wall.refresh, enter: () => (route.name === "map" ? wall.enter() : wall.enter(route.source, route.argument)),
    entered: () => wall.entered(), leave: () => wall.leave(),
  };
}
