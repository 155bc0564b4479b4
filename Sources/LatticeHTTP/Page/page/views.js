// Which view a route has. A view is {element, heading, title}, and as it needs them: enter, entered, leave; refresh, when what
// it shows may be another; named, when places have other names; picks, a point on the map; store, of items; isKept, where the element is the same one each time.

import { eventView } from "./event.js";
import { foundLinesView } from "./foundlines.js";
import { hereView } from "./here.js";
import { itemView } from "./item.js";
import { meshView } from "./mesh.js";
import { newPlaceView } from "./newplace.js";
import { notificationsView } from "./notifications.js";
import { peopleView, personView } from "./people.js";
import { postView } from "./post.js";
import { visitorsView } from "./visitors.js";

export function viewOf(app, route) {
  switch (route.name) {
    case "item": return itemView(app, route.argument);
    case "newPost": return postView(app);
    case "newEvent": return eventView(app);
    case "newPlace": return newPlaceView(app);
    case "here": return hereView(app);
    case "people": return peopleView(app);
    case "person": return personView(app, route.argument);
    case "visitors": return visitorsView(app);
    case "notifications": return notificationsView(app);
    case "messages": return foundLinesView(app, route.argument);
    case "mesh": return meshView(app);
    case "rooms": return roomsView(app, route);
    default: return postsView(app, route);
  }
}

function roomsView({ rooms }, route) {
  return {
    element: rooms.element, heading: rooms.heading, title: "Chats", isKept: true, refresh: rooms.refreshRooms,
    enter: () => rooms.enter(route.argument), leave: () => rooms.leave(),
  };
}

function postsView({ posts }, route) {
  return {
    element: posts.element, heading: posts.heading, title: route.name === "map" ? "Map" : "Posts", isKept: true,
    refresh: posts.refresh, enter: () => (route.name === "map" ? posts.enter() : posts.enter(route.source, route.argument)),
    entered: () => posts.entered(), leave: () => posts.leave(),
  };
}
