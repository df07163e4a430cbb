import { AppError } from '@gleaner/contracts';
import { createEgressPolicy } from '@gleaner/egress';
import { createLogger, createMetrics } from '@gleaner/service-kit';
import { expect, it } from '@jest/globals';
import { openProxyPools } from './open-proxy-pools.ts';

const PAGE_URL = 'https://shop.example/list?token=secret';

it('logs why a proxy rests without the URL of the page that failed through it', () => {
  const lines: string[] = [];
  const pools = openProxyPools({
    config: { PROXIES: 'us=http://proxy.example:8080', PROXIES_FILE: undefined },
    policy: createEgressPolicy({ allow: [] }),
    logger: createLogger({
      service: 'test',
      level: 'info',
      format: 'json',
      stream: { write: (line: string) => void lines.push(line) },
    }),
    metrics: createMetrics('test'),
  });
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  for (const target of ['a.example', 'b.example', 'c.example'])
    pools
      .lease('us', { target })
      ?.failed(new AppError('UPSTREAM_ERROR', { message: `Could not fetch ${PAGE_URL}.`, cause }));
  expect(lines.join('')).toMatch(/A proxy failed and rests for a while\./);
  expect(lines.join('')).toContain('ECONNRESET');
  expect(lines.join('')).not.toContain('secret');
});
