import { describe, expect, it } from '@jest/globals';
import { systemCodeOf } from './caller.ts';

describe('systemCodeOf', () => {
  it('finds the code below the error of fetch, also among those of several addresses', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    expect(systemCodeOf(new TypeError('fetch failed', { cause: new AggregateError([refused]) }))).toBe(
      'ECONNREFUSED',
    );
    expect(systemCodeOf(new TypeError('fetch failed'))).toBeUndefined();
  });
});
