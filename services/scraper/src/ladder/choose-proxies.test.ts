import type { Attempt, RungName } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { chooseProxies } from './choose-proxies.ts';
import { LADDER } from './ladder.ts';

function choose(name: RungName, attempts: readonly Attempt[], lastProxy?: string) {
  const rung = LADDER.find((candidate) => candidate.name === name);
  if (!rung) throw new Error(`There is no rung ${name}.`);
  return chooseProxies({ rung, attempts, lastProxy });
}

function attempt(proxy: string, outcome: string): Attempt {
  return { engine: 'http', proxy, outcome, durationMs: 1 };
}

describe('chooseProxies', () => {
  it('keeps the proxy from rung to rung while the site refuses', () => {
    expect(choose('chrome', [attempt('us-2', 'BLOCKED')])).toEqual({ prefer: 'us-2', except: [] });
    expect(choose('chrome', [attempt('us-2', 'TIMEOUT')])).toEqual({ prefer: undefined, except: [] });
  });

  it('begins with the proxy that worked the last time', () => {
    expect(choose('disguised', [], 'us-3')).toEqual({ prefer: 'us-3', except: [] });
    expect(choose('next-proxy', [], 'us-3')).toEqual({ prefer: 'us-3', except: [] });
    expect(choose('plain', [])).toEqual({ prefer: undefined, except: [] });
  });

  it('chooses another proxy on the last rung', () => {
    const attempts = [attempt('us-1', 'PROXY_ERROR'), attempt('us-2', 'BLOCKED'), attempt('us-2', 'BLOCKED')];
    expect(choose('next-proxy', attempts)).toEqual({ except: ['us-1', 'us-2', 'us-2'] });
  });
});
