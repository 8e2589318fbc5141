export const DELIVERIES = `
-- One row a thread: how far it has been shown on its platform. Before this step the only platform was "web".
CREATE TABLE deliveries (
  thread INTEGER PRIMARY KEY REFERENCES threads (number),
  platform TEXT NOT NULL,
  -- The delivery's; 0 while there is none.
  revision INTEGER NOT NULL DEFAULT 0,
  -- Null while all of the thread has been shown; else a count that grows, so that the oldest debt has the smallest.
  owed_since INTEGER,
  -- A Delivery; null while there is none.
  json TEXT
) STRICT;
CREATE INDEX deliveries_owed ON deliveries (platform, owed_since) WHERE owed_since IS NOT NULL;
INSERT INTO deliveries (thread, platform, owed_since) SELECT number, 'web', number FROM threads ORDER BY number;
`;
