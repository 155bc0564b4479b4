// A state that changes only by a pure function, and those who want to know.

export function createStore(reduce, state) {
  const readers = new Set();
  return {
    get state() { return state; },
    /// Readers get the new state and the one before it.
    dispatch(action) {
      const before = state;
      state = reduce(state, action);
      if (state !== before) for (const reader of [...readers]) reader(state, before);
    },
    subscribe(reader) {
      readers.add(reader);
      return () => readers.delete(reader);
    },
  };
}
