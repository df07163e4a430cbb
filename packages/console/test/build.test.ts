import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const PACKAGE = resolve(import.meta.dirname, '..');
const KB = 1024;
const FIRST_SCRIPT_BYTES = 180 * KB;
const FIRST_STYLE_BYTES = 30 * KB;
const ALL_BYTES = 450 * KB;
const PICKER_BYTES = 4 * KB;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly isEntry?: boolean;
}

describe('the built console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gleaner-console-'));
  let manifest: Record<string, Chunk>;

  beforeAll(() => {
    execFileSync(process.execPath, [join(PACKAGE, 'build.mjs'), folder], { stdio: 'pipe' });
    manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns the files that the page loads before the playground is there. */
  function firstFiles(): { scripts: string[]; styles: string[] } {
    const seen = new Set<string>();
    const visit = (name: string) => {
      if (seen.has(name)) return;
      seen.add(name);
      for (const each of manifest[name]?.imports ?? []) visit(each);
    };
    visit('index.html');
    visit('src/playground/playground.tsx');
    const chunks = [...seen].flatMap((name) => manifest[name] ?? []);
    return {
      scripts: chunks.map(({ file }) => file),
      styles: [...new Set(chunks.flatMap(({ css }) => css ?? []))],
    };
  }

  function gzipped(files: readonly string[]): number {
    return files.reduce((sum, file) => sum + statSync(join(folder, `${file}.gz`)).size, 0);
  }

  it('is small at the first visit and in all', () => {
    const { scripts, styles } = firstFiles();
    expect(scripts.length).toBeGreaterThan(1);
    expect(gzipped(scripts)).toBeLessThanOrEqual(FIRST_SCRIPT_BYTES);
    expect(gzipped(styles)).toBeLessThanOrEqual(FIRST_STYLE_BYTES);
    const all = Object.values(manifest).flatMap(({ file, css }) => [file, ...(css ?? [])]);
    expect(gzipped([...new Set(all)])).toBeLessThanOrEqual(ALL_BYTES);
  });

  it('has one small script for views of snapshots, which can stand in a page', () => {
    const picker = readFileSync(join(folder, 'picker.js'), 'utf8');
    expect(picker.length).toBeLessThanOrEqual(PICKER_BYTES);
    expect(picker).not.toMatch(/<\/script|<!--|\bimport\b/i);
  });

  it('refers to its files by relative addresses, and to no other host', () => {
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) expect(address).toMatch(/^\.\/assets\//);
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(html).not.toContain('<style');
  });

  it('holds no source maps', () => {
    for (const { file } of Object.values(manifest)) {
      expect(existsSync(join(folder, `${file}.map`))).toBe(false);
      expect(readFileSync(join(folder, file), 'utf8')).not.toContain('sourceMappingURL');
    }
  });
});
