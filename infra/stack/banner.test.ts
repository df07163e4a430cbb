import { describe, expect, it } from '@jest/globals';
import { banner } from './banner.ts';

const FACTS = {
  url: 'http://127.0.0.1:8080',
  demoUrl: 'http://127.0.0.1:8090/',
  apiKey: 'gl_key',
  logs: '/data/logs',
  metricsUrl: 'http://127.0.0.1:9464',
  consoleLink: 'http://127.0.0.1:8080/console/#code=abc',
  host: '127.0.0.1',
  isContainer: false,
  isRoot: false,
  tookMs: 4321,
};

describe('the banner', () => {
  it('shows the address, the key and a command to copy', () => {
    const text = banner(FACTS);
    expect(text).toContain('Gleaner is ready on http://127.0.0.1:8080  (4.3 s)');
    expect(text).toContain('http://127.0.0.1:8080/console/#code=abc');
    expect(text).toContain('gl_key');
    expect(text).toContain('curl -s http://127.0.0.1:8080/v1/scrape');
    expect(text).not.toContain('Warning');
  });

  it.each(['0.0.0.0', '::', '192.0.2.7', 'gleaner.lan'])('warns about plain HTTP on %s', (host) => {
    expect(banner({ ...FACTS, host })).toContain('open to the network over plain HTTP');
  });

  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('does not warn on %s', (host) => {
    expect(banner({ ...FACTS, host })).not.toContain('Warning');
  });

  it('does not warn in a container, whose engine decides who reaches it', () => {
    const text = banner({ ...FACTS, host: '0.0.0.0', isContainer: true });
    expect(text).toContain('Gleaner is ready on http://127.0.0.1:8080  (4.3 s)');
    expect(text).not.toContain('Warning');
  });

  it('warns root, for whom Chromium has no sandbox', () => {
    expect(banner({ ...FACTS, isRoot: true })).toContain('Chromium has no sandbox');
  });

  it('shows the address of the metrics', () => {
    expect(banner(FACTS)).toContain('http://127.0.0.1:9464/metrics');
  });
});
