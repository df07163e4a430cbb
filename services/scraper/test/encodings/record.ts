import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOrigin } from '@gleaner/test-kit';
import puppeteer from 'puppeteer-core';
import { CASE_ROUTES, ENCODING_CASES } from './cases.ts';
import { summarise } from './reading.ts';

/** Script that reads the encoding, and the text as ::text does. */
const READ = `(() => {
  for (const unseen of document.querySelectorAll('script, style')) unseen.remove();
  const text = [...document.documentElement.childNodes].map((node) => node.textContent).join(' ').replace(/\\s+/g, ' ').trim();
  return { encoding: document.characterSet.toLowerCase(), text };
})()`;

/** Writes golden.json again: node test/encodings/record.ts [path of a Chromium]; never part of a test run. */
const site = await startOrigin({ routes: CASE_ROUTES });
const browser = await puppeteer.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage();
await page.setJavaScriptEnabled(false);
const readings: Record<string, string> = {};
for (const { name } of ENCODING_CASES) {
  await page.goto(`${site.url}/${name}`);
  const { encoding, text } = (await page.evaluate(READ)) as { encoding: string; text: string };
  readings[name] = `${encoding}: ${summarise(text)}`;
}
const golden = { browser: await browser.version(), readings };
writeFileSync(join(import.meta.dirname, 'golden.json'), `${JSON.stringify(golden, null, 2)}\n`);
await browser.close();
await site.close();
