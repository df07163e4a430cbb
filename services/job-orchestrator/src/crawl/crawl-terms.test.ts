import { describe, expect, it } from '@jest/globals';
import { isStartPage, isStartUrl } from './crawl-terms.ts';

const HOME = 'http://a.test/';

describe('a page of a crawl', () => {
  it.each([
    ['that nothing led to is a start URL', { depth: 0 }, true, true],
    [
      'that a start URL redirects to stands for it',
      { depth: 0, foundOn: HOME, isStartTarget: true },
      false,
      true,
    ],
    [
      'that is the next one of a start URL’s list is not a start page',
      { depth: 0, foundOn: HOME },
      false,
      false,
    ],
    ['that a link leads to is not a start page', { depth: 1, foundOn: HOME }, false, false],
    ['that nothing leads to any more is not a start page', { depth: 1 }, false, false],
  ])('%s', (_, page, isUrl, isStart) => {
    expect([isStartUrl(page), isStartPage(page)]).toEqual([isUrl, isStart]);
  });
});
