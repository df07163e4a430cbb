import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type AnswerSheet, FAULTY, toSheet } from '../answers.ts';
import { askOurs, parseOrRefuse } from '../ask-ours.ts';
import { readXmlCorpus } from './corpus.ts';
import { XML_SELECTORS } from './selectors.ts';

/** What Chromium answered; record.ts writes it. */
const golden = JSON.parse(readFileSync(join(import.meta.dirname, 'golden.json'), 'utf8')) as AnswerSheet;

describe('extraction from XML', () => {
  const corpus = readXmlCorpus();
  const lists = XML_SELECTORS.map(parseOrRefuse);
  const answers = corpus.map(({ html }) => askOurs(html, lists, 'xml'));
  const ours = toSheet(golden.browser, corpus, XML_SELECTORS, answers);

  it('is compared on over 100 documents that are well-formed, 80 that are not, and 60 selectors that match', () => {
    const faulty = answers.filter(([first]) => first === FAULTY).length;
    expect(faulty).toBeGreaterThan(80);
    expect(answers.length - faulty).toBeGreaterThan(100);
    const matching = Object.values(golden.selectors).filter((answer) => !answer.startsWith('0 '));
    expect(matching.length).toBeGreaterThan(60);
  });

  it('selects, reads and serialises as Chromium does, by selector', () => {
    expect(ours.selectors).toEqual(golden.selectors);
  });

  it('selects, reads, serialises and finds faults as Chromium does, by document', () => {
    expect(ours.documents).toEqual(golden.documents);
  });
});
