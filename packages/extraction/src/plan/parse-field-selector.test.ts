import { describe, expect, it } from '@jest/globals';
import { findSelectorError } from './parse-field-selector.ts';

describe('findSelectorError', () => {
  it.each(['h1', '#main > .card:not(.ad)', 'a, b', ' h1 ', ':is(h1, h2):has(a)', '[a="::text"]'])(
    'accepts %j',
    (selector) => expect(findSelectorError(selector)).toBeUndefined(),
  );

  it.each([
    ['h1::text', 'leave out ::text'],
    ['h1::all', 'leave out ::text'],
    ['h1::attr(href)', 'leave out ::text'],
    ['h1::before', 'suffix ::before does not exist'],
    ['::all', 'selector is missing before the suffix'],
    ['h1 >', ''],
    ['#', ''],
    [' ', ''],
    ['//div', 'XPath'],
  ])('explains the error in %j', (selector, reason) => expect(findSelectorError(selector)).toContain(reason));
});
