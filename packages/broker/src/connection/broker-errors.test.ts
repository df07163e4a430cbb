import { describe, expect, it } from '@jest/globals';
import { explainError } from './broker-errors.ts';

describe('explainError', () => {
  it.each([
    [
      Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }),
      'start the broker',
    ],
    [Object.assign(new Error('Operation failed: QueueDeclare; 406'), { code: 406 }), 'delete_queue'],
    [
      new Error('Handshake terminated by server: 403 (ACCESS-REFUSED) with message "…"'),
      'user name and password',
    ],
    [new Error('Expected ConnectionOpenOk; got <ConnectionClose channel:0>'), 'add_vhost'],
  ])('keeps the message of %s and adds the remedy', (error, remedy) => {
    expect(explainError(error)).toContain(error.message);
    expect(explainError(error)).toContain(remedy);
  });

  it('leaves an unknown error as it is', () => {
    expect(explainError(new Error('Heartbeat timeout'))).toBe('Heartbeat timeout');
    expect(explainError(new AggregateError([]))).toBe('AggregateError');
    expect(explainError(undefined)).toBe('undefined');
  });
});
