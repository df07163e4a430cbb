import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Address of a running gateway for `pnpm dev`. */
const DEFAULT_GATEWAY = 'http://127.0.0.1:8080';

/** Builds the console. Its own addresses are relative, so that it works below any path. */
export default defineConfig({
  base: './',
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: 'baseline-widely-available',
    // Small assets become files, too: the page's policy allows styles and images of its own host.
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: false,
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '^/(v1|openapi\\.json)': { target: process.env.GLEANER_URL || DEFAULT_GATEWAY },
    },
  },
});
