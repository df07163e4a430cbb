import { describe, expect, it } from '@jest/globals';
import { compileSelectors, extract, parseDocument } from '../../index.ts';

const SPACES = ' '.repeat(1_000_000);

/** Returns the ids of the valid inputs of a page. */
function validIds(html: string): unknown {
  const selectors = compileSelectors({ ids: 'input:valid::attr(id)::all' });
  return extract(parseDocument(html, { projection: selectors.projection }), selectors, {
    baseUrl: 'https://site.example/',
  }).data;
}

describe('values of text inputs', () => {
  it('are trimmed before they are validated', () => {
    const html = `<input id=a type=email value="&#9; a@b.example &#12;"><input id=b type=email value="a b@c.example">`;
    expect(validIds(html)).toEqual({ ids: ['a'] });
  });

  it('are trimmed in linear time', () => {
    expect(
      validIds(`<input id=a type=url value="x${SPACES}x"><input id=b type=url value="${SPACES}">`),
    ).toEqual({
      ids: ['b'],
    });
  });
});
