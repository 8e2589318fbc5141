import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { HttpContext } from '../route.ts';

/** What a built page is made of. Anything else in the folder is not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/**
 * Scripts and styles of our own files only, and no address but this server's: what an agent says is shown on these
 * pages, and it must not load, run, frame or send anything (decision 17).
 */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Agent Kourier</title>
<h1>Agent Kourier runs; its page is not built</h1>
<p>Run <code>npm run build</code> in the repository, then load this page again.
<p>The HTTP interface works without it: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.
</html>
`;

interface Page {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The built files by their address, read whole: a request's path is only ever looked up, never put to the disk. */
type Pages = ReadonlyMap<string, Page>;

/**
 * The web pages of a built folder: `/`, `/threads/…` (the page's own addresses) and its files. Answers `undefined` for
 * an address that is none of theirs. The folder is read at the first call that finds it built.
 */
export function pagesResource(folder: string | undefined): (c: HttpContext) => Response | undefined {
  let pages: Pages | undefined;
  return (c) => {
    const { method, path } = c.req;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    pages ??= folder === undefined ? undefined : builtPages(folder);
    const isPage = path === '/' || path === '/threads' || path.startsWith('/threads/');
    if (pages === undefined) return isPage ? pageAnswer(notBuilt(), 503) : undefined;
    const page = pages.get(isPage ? '/index.html' : path);
    return page === undefined ? undefined : pageAnswer(page, 200);
  };
}

function pageAnswer({ bytes, headers }: Page, status: number): Response {
  return new Response(bytes, { status, headers: { ...PAGE_HEADERS, ...headers } });
}

function notBuilt(): Page {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return { bytes: new TextEncoder().encode(NOT_BUILT), headers };
}

function builtPages(folder: string): Pages | undefined {
  const pages = new Map<string, Page>();
  for (const file of filesIn(folder)) {
    const type = TYPES[extname(file)];
    if (type === undefined) continue;
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    // Vite puts a hash of its content into the name of what is in assets/.
    const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    pages.set(path, {
      bytes: Uint8Array.from(readFileSync(file)),
      headers: { 'content-type': type, 'cache-control': cache },
    });
  }
  return pages.has('/index.html') ? pages : undefined;
}

/** Plain files only: a link could lead out of the folder. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name));
  } catch {
    return [];
  }
}
