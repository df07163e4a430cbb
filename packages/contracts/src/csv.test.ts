import { describe, expect, it } from '@jest/globals';
import { csvCell, csvLine } from './csv.ts';

describe('a record of CSV', () => {
  it('runs no text as a formula', () => {
    expect(csvLine(['=1+1', '-2', -2, '@a'].map(csvCell))).toBe("'=1+1,'-2,-2,'@a\r\n");
  });

  it('quotes where it must', () => {
    expect(csvLine(['a,b', 'c"d', 'e\nf', null, { x: 1 }, 7].map(csvCell))).toBe(
      '"a,b","c""d","e\nf",,"{""x"":1}",7\r\n',
    );
  });
});
