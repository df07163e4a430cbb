import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toSheet } from './answers.ts';
import { askBrowser } from './ask-browser.ts';
import { openScriptlessPage } from './chromium.ts';
import { readCorpus } from './corpus.ts';
import { SELECTORS } from './selectors.ts';

/** Records golden.json again: node test/browser/record.ts [path of a Chromium] */
const page = await openScriptlessPage(process.argv[2] ?? '/usr/bin/chromium');
const corpus = readCorpus();
const answers = [];
for (const { html } of corpus) {
  await page.load(html);
  answers.push(await askBrowser(page, SELECTORS));
}
const sheet = toSheet(page.version, corpus, SELECTORS, answers);
writeFileSync(join(import.meta.dirname, 'golden.json'), `${JSON.stringify(sheet, null, 2)}\n`);
await page.close();
