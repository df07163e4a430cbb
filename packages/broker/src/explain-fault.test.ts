import { describe, expect, it } from '@jest/globals';
import { explainFault } from './explain-fault.ts';

describe('explainFault', () => {
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
  ])('keeps what the broker said of %s and adds the remedy', (fault, remedy) => {
    expect(explainFault(fault)).toContain(fault.message);
    expect(explainFault(fault)).toContain(remedy);
  });

  it('leaves a fault that it does not know as it is', () => {
    expect(explainFault(new Error('Heartbeat timeout'))).toBe('Heartbeat timeout');
    expect(explainFault(new AggregateError([]))).toBe('AggregateError');
    expect(explainFault(undefined)).toBe('undefined');
  });
});
