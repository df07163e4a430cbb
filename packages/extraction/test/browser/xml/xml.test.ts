import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type AnswerSheet, NOT_WELL_FORMED, toSheet } from '../answers.ts';
import { askOurs, parseOrReject } from '../ask-ours.ts';
import { readXmlCorpus } from './corpus.ts';
import { XML_SELECTORS } from './selectors.ts';

/** Answers of Chromium, written by record.ts. */
const golden = JSON.parse(readFileSync(join(import.meta.dirname, 'golden.json'), 'utf8')) as AnswerSheet;

describe('extraction from XML', () => {
  const corpus = readXmlCorpus();
  const lists = XML_SELECTORS.map(parseOrReject);
  const answers = corpus.map(({ html }) => askOurs(html, lists, 'xml'));
  const ours = toSheet(golden.browser, corpus, XML_SELECTORS, answers);

  it('is compared on over 100 well-formed documents, 80 others, and 60 selectors that match', () => {
    const malformed = answers.filter(([first]) => first === NOT_WELL_FORMED).length;
    expect(malformed).toBeGreaterThan(80);
    expect(answers.length - malformed).toBeGreaterThan(100);
    const matching = Object.values(golden.selectors).filter((answer) => !answer.startsWith('0 '));
    expect(matching.length).toBeGreaterThan(60);
  });

  it('selects, reads and serializes as Chromium does, by selector', () => {
    expect(ours.selectors).toEqual(golden.selectors);
  });

  it('selects, reads, serializes and finds errors as Chromium does, by document', () => {
    expect(ours.documents).toEqual(golden.documents);
  });
});
