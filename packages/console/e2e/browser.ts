import { mkdir } from 'node:fs/promises';
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

/** The browser comes with `npm ci`: it is unpacked once, into a folder of this checkout's own. */
export async function launchBrowser(): Promise<Browser> {
  const checkout = join(import.meta.dirname, '..', '..', '..');
  const folder = join(tmpdir(), `kourier-e2e-${Buffer.from(checkout).toString('base64url').slice(-40)}`);
  await mkdir(folder, { recursive: true });
  process.env['TMPDIR'] = folder;
  // Read only now: it looks at TMPDIR when it is loaded.
  const { default: chromium } = await import('@sparticuz/chromium');
  const executablePath = await chromium.executablePath();
  return playwright.launch({ executablePath, args: ARGS, env: { ...environment(), TMPDIR: folder } });
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
