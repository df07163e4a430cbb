import { describe, expect, it } from '@jest/globals';
import { chooseFormats, formatNamesIn, hiddenTextOf, readFrom, withHiddenText } from './format-drafts.ts';

const NAMES = { all: ['markdown', 'article', 'text'], withOptions: ['markdown', 'text'] };

describe('formatNamesIn', () => {
  it('finds the names in a schema of formats alone', () => {
    const described = { type: 'object', properties: { type: { type: 'string', enum: NAMES.withOptions } } };
    const items = { anyOf: [{ type: 'string', enum: NAMES.all }, described] };
    expect(formatNamesIn({ type: 'array', items })).toEqual(NAMES);
    expect(formatNamesIn({ type: 'array', items: { type: 'string', enum: ['a'] } })).toBeUndefined();
    expect(formatNamesIn({ type: 'array', items: { anyOf: [{ type: 'string' }] } })).toBeUndefined();
  });
});

describe('readFrom', () => {
  it('sets and resets main where a format takes it, and leaves its other options alone', () => {
    const formats = ['markdown', 'article', { type: 'text', exclude: 'i' }] as const;
    const main = [{ type: 'markdown', main: true }, 'article', { type: 'text', main: true, exclude: 'i' }];
    expect(readFrom('main', formats, NAMES)).toEqual(main);
    expect(readFrom('page', readFrom('main', formats, NAMES), NAMES)).toEqual(formats);
  });
});

describe('withHiddenText', () => {
  it('sets and resets the treatment of hidden text in formats of words, and leaves others alone', () => {
    const formats = ['article', { type: 'text', main: true }, 'links'] as const;
    const dropped = withHiddenText('drop', formats);
    expect(dropped).toEqual([
      { type: 'article', hidden: 'drop' },
      { type: 'text', main: true, hidden: 'drop' },
      'links',
    ]);
    expect(withHiddenText('keep', dropped)).toEqual(formats);
    expect([dropped, formats, ['links'] as const].map(hiddenTextOf)).toEqual(['drop', 'keep', undefined]);
  });
});

describe('chooseFormats', () => {
  it('keeps the options of formats, and reads another one from the same part', () => {
    const main = { type: 'markdown', main: true, include: 'p' } as const;
    expect(chooseFormats(['markdown', 'text', 'article'], [main], NAMES)).toEqual([
      ...[main, { type: 'text', main: true }, 'article'],
    ]);
    expect(chooseFormats(['text'], ['markdown'], NAMES)).toEqual(['text']);
  });
});
