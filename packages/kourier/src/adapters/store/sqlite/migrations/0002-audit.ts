export const AUDIT = `
CREATE INDEX entries_by_id ON entries (id);

-- Decisions of requests. "number" grows with every record. Nothing refers to it and it refers to nothing, so that it
-- outlives what it tells of.
CREATE TABLE audit (
  number INTEGER PRIMARY KEY CHECK (number > 0),
  thread TEXT NOT NULL,
  -- An AuditRecord.
  json TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_thread ON audit (thread, number);

-- Nothing ever changes the audit, not even by mistake or by hand.
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'the audit is append-only');
END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
BEGIN
  SELECT RAISE(ABORT, 'the audit is append-only');
END;
-- A REPLACE deletes what it puts itself in place of without calling the trigger above.
CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE number = NEW.number)
BEGIN
  SELECT RAISE(ABORT, 'the audit is append-only');
END;
`;
