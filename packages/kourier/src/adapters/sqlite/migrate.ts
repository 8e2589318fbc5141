import type { Database } from 'better-sqlite3';
import { StoreError } from './store-error.ts';

/** What a file of one kind holds. */
export interface FileSchema {
  /** Marks the file (SQLite's `application_id`). */
  readonly applicationId: number;
  /**
   * The schema's history, in order: the file's `user_version` is how many of these it has had. A step is never changed
   * once it is released, only followed by another, and only adds: an older backup opens with a newer program.
   */
  readonly migrations: readonly string[];
}

/**
 * Brings the schema up to date, in one transaction. Refuses, and leaves as it is, a file of another program or kind, or
 * of a newer version of this one.
 */
export function migrate(db: Database, path: string, { applicationId, migrations }: FileSchema): void {
  db.transaction(() => {
    const application = numberOf(db, 'application_id');
    const version = numberOf(db, 'user_version');
    const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get();
    if (application !== applicationId && (application !== 0 || version !== 0 || tables !== 0)) {
      throw new StoreError(path, 'foreign', `The file ${path} belongs to another program. Name another path.`);
    }
    if (version > migrations.length) {
      const found = `its schema is ${version}, this program knows ${migrations.length}`;
      const remedy = 'Start that version or a newer one, or put an older backup in its place.';
      throw new StoreError(path, 'newer', `The store ${path} was written by a newer version (${found}). ${remedy}`);
    }
    for (const step of migrations.slice(version)) db.exec(step);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${migrations.length}`);
  }).exclusive();
}

function numberOf(db: Database, pragma: string): number {
  return Number(db.pragma(pragma, { simple: true }));
}
