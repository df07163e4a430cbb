import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type AnswerSheet, toSheet } from './answers.ts';
import { askOurs, parseOrReject } from './ask-ours.ts';
import { readCorpus } from './corpus.ts';
import { SELECTORS } from './selectors.ts';

/** Answers of Chromium with scripts off, written by record.ts. */
const golden = JSON.parse(readFileSync(join(import.meta.dirname, 'golden.json'), 'utf8')) as AnswerSheet;

describe('extraction', () => {
  const corpus = readCorpus();
  const lists = SELECTORS.map(parseOrReject);
  const answers = corpus.map(({ html }) => askOurs(html, lists));
  const ours = toSheet(golden.browser, corpus, SELECTORS, answers);

  it('is compared on over 150 documents and 300 selectors that match somewhere', () => {
    expect(Object.keys(golden.documents).length).toBeGreaterThan(150);
    const matching = Object.values(golden.selectors).filter((answer) => !answer.startsWith('0 '));
    expect(matching.length).toBeGreaterThan(300);
  });

  it('selects, reads and serializes as Chromium does, by selector', () => {
    expect(ours.selectors).toEqual(golden.selectors);
  });

  it('selects, reads and serializes as Chromium does, by document', () => {
    expect(ours.documents).toEqual(golden.documents);
  });
});
