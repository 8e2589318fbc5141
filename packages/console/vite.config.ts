import { defineConfig } from 'vite';

/** Everything is a file of its own: the page's Content-Security-Policy allows no inline script or style. */
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
  logLevel: 'warn',
});
