/* Nothing to call; see hidden.c. */
