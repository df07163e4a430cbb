import { GleanerError } from '@gleaner/client';
import { describe, expect, it } from '@jest/globals';
import { describeForReport } from './describe-for-report.ts';

describe('describeForReport', () => {
  it('names code, details, status and request', () => {
    const error = new GleanerError('The body is not valid.', {
      code: 'INVALID_REQUEST',
      source: 'api',
      status: 400,
      requestId: 'req_1',
      suggestion: 'Correct it.',
      details: [{ path: 'url', message: 'is required' }],
    });
    expect(describeForReport(error)).toBe(
      'INVALID_REQUEST: The body is not valid.\nCorrect it.\n  url: is required\nsource api, status 400\nrequest req_1',
    );
  });

  it('describes any other error', () => {
    expect(describeForReport(new TypeError('no'))).toBe('TypeError: no');
  });
});
