export const PLACES = `
-- Where threads are on their platforms, in the order in which they were added: places are never deleted. "binding" is
-- the thread's. From here on this is the only table of them: "threads.place" is what it was, and not looked at.
CREATE TABLE places (
  number INTEGER PRIMARY KEY,
  thread INTEGER NOT NULL REFERENCES threads (number),
  binding TEXT NOT NULL,
  place TEXT NOT NULL,
  UNIQUE (binding, place)
) STRICT;
CREATE INDEX places_by_thread ON places (thread);
INSERT INTO places (thread, binding, place)
  SELECT number, binding, place FROM threads WHERE place IS NOT NULL ORDER BY number;
`;
