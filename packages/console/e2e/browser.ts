import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium as playwright,
} from 'playwright-core';

/** The package's own arguments switch web security off; these do not. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
  '--disable-sync',
];

/** What is waited for comes, however much else the machine has to do. */
const HANGS_AFTER_MS = 180_000;

export async function launchBrowser(): Promise<Browser> {
  const folder = await unpackedBrowser();
  process.env['TMPDIR'] = folder;
  const env = { ...environment(), TMPDIR: folder };
  return playwright.launch({ executablePath: join(folder, 'chromium'), args: ARGS, env, timeout: HANGS_AFTER_MS });
}

/**
 * The browser comes with `npm ci` and is unpacked once, into a folder of this checkout's own. Test files run side by
 * side, so each unpacks for itself and the first to be done gives its folder the name: nobody sees half a browser.
 */
async function unpackedBrowser(): Promise<string> {
  const checkout = createHash('sha256')
    .update(import.meta.dirname)
    .digest('hex')
    .slice(0, 16);
  const temporary = tmpdir();
  const folder = join(temporary, `kourier-e2e-${checkout}`);
  if (existsSync(join(folder, 'chromium'))) return folder;
  const fresh = await mkdtemp(join(temporary, 'kourier-unpack-'));
  process.env['TMPDIR'] = fresh;
  // Read only now: it looks at TMPDIR when it is loaded.
  const { default: chromium } = await import('@sparticuz/chromium');
  await chromium.executablePath();
  process.env['TMPDIR'] = temporary;
  // Refused when another was first; its browser is as good.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }));
  return folder;
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

export interface Opened {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Every address that the page asked for, itself and its API included. */
  readonly requests: readonly string[];
  /** What the page's script threw, and what the security policy refused. */
  readonly complaints: readonly string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  prepare?: (page: Page) => Promise<void>,
): Promise<Opened> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(HANGS_AFTER_MS);
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  await prepare?.(page);
  await page.goto(url);
  return { context, page, requests, complaints };
}
