import { describe, expect, it } from '@jest/globals';
import { faultOfSelector } from './fault-of-selector.ts';

describe('faultOfSelector', () => {
  it.each(['h1', '#main > .card:not(.ad)', 'a, b', ' h1 ', ':is(h1, h2):has(a)', '[a="::text"]'])(
    'finds nothing wrong with %j',
    (selector) => expect(faultOfSelector(selector)).toBeUndefined(),
  );

  it.each([
    ['h1::text', 'leave ::text'],
    ['h1::all', 'leave ::text'],
    ['h1::attr(href)', 'leave ::text'],
    ['h1::before', 'no suffix ::before'],
    ['::all', 'no selector before the suffix'],
    ['h1 >', ''],
    ['#', ''],
    [' ', ''],
    ['//div', 'XPath'],
  ])('says what is wrong with %j', (selector, reason) => expect(faultOfSelector(selector)).toContain(reason));
});
