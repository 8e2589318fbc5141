import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { MessageEntry } from '../src/api/wire.ts';
import { launchBrowser, type Opened, openPage } from './browser.ts';
import { ScriptedServer } from './scripted-server.ts';

export interface Stage {
  /** A new one for each test. */
  readonly server: ScriptedServer;
  open(url: string, options?: BrowserContextOptions, prepare?: (page: Page) => Promise<void>): Promise<Opened>;
}

/** A browser for the tests of a file, and a server for each. No page may throw, or run into the security policy. */
export function setStage(): Stage {
  let browser: Browser;
  let server: ScriptedServer;
  let opened: Opened[] = [];

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    server = new ScriptedServer();
    await server.start();
  });
  afterEach(async () => {
    const complaints = opened.flatMap((page) => page.complaints);
    await Promise.all(opened.map(({ context }) => context.close()));
    opened = [];
    await server.stop();
    assert.deepEqual(complaints, []);
  });

  return {
    get server() {
      return server;
    },
    async open(url, options, prepare) {
      const page = await openPage(browser, url, options, prepare);
      opened.push(page);
      return page;
    },
  };
}

export function question(turnId: string, text: string): MessageEntry {
  const actor = { id: 'u1', name: 'Mara' };
  return { id: `m-${turnId}`, kind: 'message', turnId, actor, text, at: '2026-01-02T03:04:05Z' };
}
