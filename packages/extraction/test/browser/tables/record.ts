import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openScriptlessPage } from '../chromium.ts';
import { askBrowser } from './ask-browser.ts';
import { readTableCorpus } from './corpus.ts';
import { toGridSheet } from './grid.ts';

/** Records golden.json again: node test/browser/tables/record.ts [path of a Chromium] */
const page = await openScriptlessPage(process.argv[2] ?? '/usr/bin/chromium');
const documents = [];
for (const { name, html } of readTableCorpus()) {
  await page.load(html);
  documents.push({ name, grids: await askBrowser(page) });
}
const sheet = toGridSheet(page.version, documents);
writeFileSync(join(import.meta.dirname, 'golden.json'), `${JSON.stringify(sheet, null, 2)}\n`);
await page.close();
