import { describe, expect, it } from '@jest/globals';
import { summarizeDetails } from './summarize-details.ts';

describe('summarizeDetails', () => {
  it('joins details that continue their path and details that are sentences', () => {
    const details = [
      { path: 'urls.1', message: 'must be a string, not 5' },
      { path: 'urls.2', message: 'The URL "x" is malformed.' },
      { path: '', message: 'must not nest deeper than 64 levels' },
    ];
    expect(summarizeDetails(details)).toBe(
      'urls.1 must be a string, not 5; urls.2: The URL "x" is malformed; the body must not nest deeper than 64 levels.',
    );
  });

  it('names the first three details and counts the others', () => {
    const details = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, message: 'is not a known field' }));
    expect(summarizeDetails(details)).toBe(
      'a is not a known field; b is not a known field; c is not a known field; and 2 more in details.',
    );
  });

  it('ends with the question of its last error', () => {
    const details = [{ path: 'status', message: 'must be one of: failed; did you mean "failed"?' }];
    expect(summarizeDetails(details)).toBe('status must be one of: failed; did you mean "failed"?');
  });
});
