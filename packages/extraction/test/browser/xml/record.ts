import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toSheet } from '../answers.ts';
import { askBrowserOfXml } from '../ask-browser.ts';
import { openScriptlessPage } from '../chromium.ts';
import { readXmlCorpus } from './corpus.ts';
import { XML_SELECTORS } from './selectors.ts';

/** Records golden.json again: node test/browser/xml/record.ts [path of a Chromium] */
const page = await openScriptlessPage(process.argv[2] ?? '/usr/bin/chromium');
const corpus = readXmlCorpus();
const answers = [];
for (const { html } of corpus) answers.push(await askBrowserOfXml(page, XML_SELECTORS, html));
const sheet = toSheet(page.version, corpus, XML_SELECTORS, answers);
writeFileSync(join(import.meta.dirname, 'golden.json'), `${JSON.stringify(sheet, null, 2)}\n`);
await page.close();
