import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { Client } from 'pg';

/** PostgreSQL starts for no root: then it runs as the user that its package made. */
const USER = 'postgres';

let server: Promise<string> | undefined;
let stop = async (): Promise<void> => undefined;
let databases = 0;

after(() => stop());

/** The address of a new, empty database. The server behind it is started for the file of tests, and stopped after it. */
export async function newDatabase(): Promise<string> {
  server ??= start();
  const folder = await server;
  databases += 1;
  const name = `tasks_${databases}`;
  await query(urlOf(folder, USER), `CREATE DATABASE ${name}`);
  return urlOf(folder, name);
}

export async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** It listens in its folder alone. */
const urlOf = (folder: string, database: string): string => `postgres://${USER}@/${database}?host=${folder}`;

async function start(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const user = userOf(folder);
  const data = join(folder, 'data');
  execFileSync(program('initdb'), ['-D', data, '-U', USER, '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C'], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  // The tests kill agents, not machines.
  const settings = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-k', folder];
  const child = spawn(program('postgres'), ['-D', data, ...settings], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  stop = async () => {
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true });
  };
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('ready to accept connections')) resolve();
    });
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
  return folder;
}

function userOf(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, USER], { encoding: 'utf8' })));
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${USER}`);
  chownSync(folder, uid, gid);
  return { uid, gid };
}

/** Debian puts these beside each version, and not on the path. */
function program(name: string): string {
  const path = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, name));
  const [found] = globSync([`/usr/lib/postgresql/*/bin/${name}`, ...path]);
  if (found === undefined) throw new Error(`There is no ${name}: install Debian's package postgresql.`);
  return found;
}
