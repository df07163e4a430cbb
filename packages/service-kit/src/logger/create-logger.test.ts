import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { createLogger, type LoggerOptions } from './create-logger.ts';

describe('createLogger', () => {
  it('writes one JSON object per line with ISO time, level, service and instance', () => {
    const { logger, lines } = capture();
    logger.info({ port: 8080 }, 'listening');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith('}\n')).toBe(true);
    const { time, ...rest } = JSON.parse(lines[0] ?? '');
    expect(rest).toEqual({
      level: 'info',
      service: 'gateway',
      instance: 'one',
      port: 8080,
      msg: 'listening',
    });
    expect(new Date(time).toISOString()).toBe(time);
  });

  it('writes nothing below its level', () => {
    const { logger, lines } = capture({ level: 'warn' });
    logger.info('quiet');
    expect(lines).toEqual([]);
  });

  it('serializes err with its code and causes', () => {
    const { logger, lines } = capture();
    logger.error({ err: new AppError('TIMEOUT', { cause: new Error('slow') }) });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      err: { type: 'AppError', code: 'TIMEOUT', causes: [{ message: 'slow' }] },
    });
  });

  it('removes secrets from messages, arguments, fields, child bindings, errors, stacks and causes', () => {
    const { logger, lines } = capture();
    const secret = 'gl_0123456789abcdefghijklmnop';
    const cause = new Error(`amqp://guest:${secret}@127.0.0.1 failed`);
    const child = logger.child({ requestId: 'req_1', key: secret, headers: { cookie: secret } });
    child.error(
      { err: new Error(`with ${secret}`, { cause }), nested: [{ token: secret }] },
      `seen ${secret}`,
    );
    child.error(new Error(secret));
    child.info('seen %s and %j', secret, { secret });
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toContain('0123456789abcdef');
    expect(lines.map((line) => JSON.parse(line).requestId)).toEqual(['req_1', 'req_1', 'req_1']);
  });

  it('bounds objects that are deep, wide or circular', () => {
    const { logger, lines } = capture();
    const circular: Record<string, unknown> = { list: Array.from({ length: 10_000 }, (_, index) => index) };
    circular.self = circular;
    logger.info({ circular });
    expect(JSON.parse(lines[0] ?? '')).toHaveProperty('circular');
    expect(lines[0]?.length).toBeLessThan(10_000);
  });

  it('writes lines for people in the pretty format, with the stack of an error below', () => {
    const { logger, lines } = capture({ format: 'pretty' });
    logger.info({ port: 8080, key: 'gl_0123456789abcdefghijklmnop' }, 'listening');
    logger.error({ err: new Error('boom') }, 'failed');
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} INFO {2}gateway listening port=8080 key="gl_\[redacted\]"\n$/,
    );
    expect(lines[1]).toMatch(/ERROR gateway failed\nError: boom\n {4}at /);
  });
});

function capture(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({
    service: 'gateway',
    instance: 'one',
    level: 'info',
    format: 'json',
    stream,
    ...options,
  });
  return { logger, lines };
}
