// What the list of posts can show.

/// Of each: its word, its address, its heading near you and elsewhere, and what is said where it is empty.
export const SOURCES = {
  near: {
    words: "Posts", hash: "#/posts", heading: "Near you", elsewhere: "In this part of the map", isAround: true,
    nothing: "No posts in this part of the map.",
  },
  events: {
    words: "Events", hash: "#/events", heading: "Events near you", elsewhere: "Events in this part of the map", isAround: true,
    empty: "No events near here.", nothing: "No events in this part of the map.",
  },
  places: { words: "Places", heading: "Places", empty: "No places have a name here yet." },
  following: {
    words: "Following", hash: "#/following", heading: "You and people you follow", isPrivate: true,
    empty: "Nothing yet. Follow somebody, or write a post.",
  },
  search: { heading: "Results" },
};
