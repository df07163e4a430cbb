import { describe, expect, it } from '@jest/globals';
import { draftOf, newField, requestOf } from './page-draft.ts';

describe('requestOf', () => {
  it('returns the request that a draft was made of', () => {
    const request = {
      selectors: { title: 'h1', price: { selector: '.price', type: 'price' } },
      formats: ['markdown'],
      render: true,
    };
    expect(requestOf(draftOf({ url: 'https://example.com/', ...request }))).toEqual(request);
  });

  it('leaves out empty rows and options', () => {
    const fields = [newField(), newField('title', 'h1')];
    expect(requestOf({ fields, options: { render: false, formats: [], locale: '' } })).toEqual({
      selectors: { title: 'h1' },
    });
  });

  it('leaves JSON that is not valid to the service', () => {
    expect(requestOf({ fields: [newField('a', '{"selector"')], options: {} })).toEqual({
      selectors: { a: '{"selector"' },
    });
  });
});
