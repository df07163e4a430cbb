import { describe, expect, it } from '@jest/globals';
import { brokerAddress } from './broker-options.ts';

describe('brokerAddress', () => {
  it('labels the address without its credentials and adds the heartbeat', () => {
    expect(brokerAddress('amqp://user:p%40ss@mq.example/jobs', 10)).toEqual({
      url: 'amqp://user:p%40ss@mq.example/jobs?heartbeat=10',
      label: 'amqp://mq.example:5672/jobs',
    });
    expect(brokerAddress('amqps://[::1]', 10).label).toBe('amqps://[::1]:5671');
  });

  it('keeps a heartbeat that the URL sets', () => {
    expect(brokerAddress('amqp://mq?heartbeat=3', 10).url).toBe('amqp://mq?heartbeat=3');
  });

  it.each(['', 'mq:5672', 'http://user:hunter2@mq', 'amqp://', 'user:hunter2@mq'])(
    'rejects %j without repeating it',
    (url) => {
      expect(() => brokerAddress(url, 10)).toThrow(
        expect.objectContaining({
          message: expect.not.stringContaining('hunter2'),
          suggestion: expect.stringContaining('AMQP_URL'),
          cause: undefined,
        }),
      );
    },
  );
});
