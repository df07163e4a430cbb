/**
 * Builds the console: `node build.mjs [folder]`, by default into `dist`. Beside each text file stand its `.br` and `.gz`,
 * which the gateway serves as they are.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'));
// React has another build for development, which an inherited NODE_ENV would choose.
process.env.NODE_ENV = 'production';
await build({
  mode: 'production',
  configFile: join(import.meta.dirname, 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir: folder, emptyOutDir: true },
});
// The script in the frame of a snapshot stands alone: the gateway writes it into the page and allows it by its hash.
await build({
  mode: 'production',
  configFile: false,
  logLevel: 'warn',
  build: {
    outDir: folder,
    emptyOutDir: false,
    target: 'baseline-widely-available',
    lib: {
      entry: join(import.meta.dirname, 'src/frame/picker.ts'),
      formats: ['iife'],
      name: 'picker',
      fileName: () => 'picker.js',
    },
  },
});
for (const name of globSync('**/*.{js,css,html,svg}', { cwd: folder })) {
  const text = readFileSync(join(folder, name));
  const { BROTLI_PARAM_QUALITY, BROTLI_MAX_QUALITY } = constants;
  writeFileSync(
    join(folder, `${name}.br`),
    brotliCompressSync(text, { params: { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY } }),
  );
  writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: constants.Z_BEST_COMPRESSION }));
}
