import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const DOCS = join(import.meta.dirname, '../../docs');
const DECISIONS = join(DOCS, 'decisions');

describe('the indexes of the documentation', () => {
  it.each([DOCS, DECISIONS])('link to every page of %s', async (folder) => {
    const index = await readFile(join(folder, 'README.md'), 'utf8');
    const unlinked = (await pagesOf(folder)).filter((page) => !index.includes(`(${page})`));
    expect(unlinked).toEqual([]);
  });

  it('give each decision the date and the status that its page has', async () => {
    const index = await readFile(join(DECISIONS, 'README.md'), 'utf8');
    for (const page of await pagesOf(DECISIONS)) {
      const text = await readFile(join(DECISIONS, page), 'utf8');
      const [, date, status = ''] = /^\*Decided (\d{4}-\d\d-\d\d)\. (.+)\.\*$/m.exec(text) ?? [page];
      expect(index).toContain(`](${page}) | ${date} | ${status.toLowerCase()} |`);
    }
  });
});

describe('the list of limits in the console', () => {
  it('names what docs/limits.md names, in the same words', async () => {
    const page = await readFile(join(DOCS, 'limits.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (.+?) \|/gm)].map(([, what = '']) => what).slice(1);
    const screen = await readFile(join(DOCS, '../packages/console/src/system/limits.tsx'), 'utf8');
    const named = [...screen.matchAll(/^ {2}\[\s*'(.+?)',\s/gm)].map(([, what = '']) => what);
    expect(named).toEqual(rows.map((what) => what.charAt(0).toUpperCase() + what.slice(1)));
  });
});

async function pagesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith('.md') && name !== 'README.md');
}
