import { describe, expect, it } from '@jest/globals';
import { createEgressPolicy } from '../policy/create-egress-policy.ts';
import type { ResolvedAddress, Resolver } from './create-lookup.ts';
import { createLookup } from './create-lookup.ts';

const never = new AbortController().signal;

/** Creates a resolver that returns each answer in turn, then repeats the last, and records the questions. */
function scripted(...answers: (string[] | Error)[]): Resolver & { asked: string[] } {
  const asked: string[] = [];
  const resolver = async (host: string): Promise<ResolvedAddress[]> => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(host);
    if (answer instanceof Error) throw answer;
    return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4, ttlSeconds: 60 }));
  };
  return Object.assign(resolver, { asked });
}

function lookupWith(
  resolver: Resolver,
  { allow = [], now = () => 0 }: { allow?: string[]; now?: () => number } = {},
) {
  return createLookup({ policy: createEgressPolicy({ allow }), resolver, now });
}

describe('createLookup', () => {
  it('returns every address of a public name', async () => {
    const lookup = lookupWith(scripted(['8.8.8.8', '2606:4700:4700::1111']));
    await expect(lookup('site.example', 443, never)).resolves.toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
  });

  it.each([
    ['its only address', ['10.0.0.1']],
    ['one of its addresses', ['8.8.8.8', '127.0.0.1']],
    ['its last IPv6 address', ['8.8.8.8', '2606:4700:4700::1111', '::ffff:169.254.169.254']],
    ['an invalid address', ['8.8.8.8', 'not-an-address']],
    ['a scoped address', ['fe80::1%eth0']],
  ])('rejects a name for %s', async (_what, addresses) => {
    await expect(lookupWith(scripted(addresses))('site.example', 80, never)).rejects.toMatchObject({
      code: 'INVALID_URL',
    });
  });

  it('checks literal addresses without resolving', async () => {
    const resolver = scripted(['8.8.8.8']);
    const lookup = lookupWith(resolver);
    await expect(lookup('8.8.4.4', 80, never)).resolves.toEqual([{ address: '8.8.4.4', family: 4 }]);
    await expect(lookup('::1', 80, never)).rejects.toMatchObject({ code: 'INVALID_URL' });
    expect(resolver.asked).toEqual([]);
  });

  it('checks later answers for a rebinding name like the first', async () => {
    let time = 0;
    const lookup = lookupWith(scripted(['8.8.8.8'], ['127.0.0.1'], ['8.8.8.8']), { now: () => time });
    await expect(lookup('rebind.example', 80, never)).resolves.toHaveLength(1);
    time = 31_000;
    await expect(lookup('rebind.example', 80, never)).rejects.toMatchObject({ code: 'INVALID_URL' });
    time = 62_000;
    await expect(lookup('rebind.example', 80, never)).resolves.toHaveLength(1);
  });

  it('caches an answer for half a minute and checks it again for each port', async () => {
    let time = 0;
    const resolver = scripted(['127.0.0.1']);
    const lookup = lookupWith(resolver, { allow: ['127.0.0.1:8080'], now: () => time });
    await expect(lookup('inside.example', 8080, never)).resolves.toHaveLength(1);
    await expect(lookup('inside.example', 80, never)).rejects.toMatchObject({ code: 'INVALID_URL' });
    expect(resolver.asked).toHaveLength(1);
    time = 30_001;
    await lookup('inside.example', 8080, never);
    expect(resolver.asked).toHaveLength(2);
  });

  it('asks once for concurrent callers', async () => {
    const resolver = scripted(['8.8.8.8']);
    const lookup = lookupWith(resolver);
    await Promise.all([1, 2, 3].map(() => lookup('site.example', 80, never)));
    expect(resolver.asked).toHaveLength(1);
  });

  it('does not cache a failure, and prefixes its code with DNS_', async () => {
    const refused = Object.assign(new Error('queryA ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const lookup = lookupWith(scripted(refused, ['8.8.8.8']));
    await expect(lookup('site.example', 80, never)).rejects.toMatchObject({ code: 'DNS_ECONNREFUSED' });
    await expect(lookup('site.example', 80, never)).resolves.toHaveLength(1);
  });

  it('rejects an empty answer', async () => {
    await expect(lookupWith(scripted([]))('site.example', 80, never)).rejects.toMatchObject({
      code: 'DNS_ENODATA',
    });
  });

  it('lets one caller abort without ending the query for another', async () => {
    let answer = (_addresses: ResolvedAddress[]) => {};
    const lookup = lookupWith(() => new Promise((resolve) => (answer = resolve)));
    const impatient = new AbortController();
    const first = lookup('slow.example', 80, impatient.signal);
    const second = lookup('slow.example', 80, never);
    impatient.abort(new Error('no longer wanted'));
    await expect(first).rejects.toThrow('no longer wanted');
    answer([{ address: '8.8.8.8', family: 4, ttlSeconds: 0 }]);
    await expect(second).resolves.toHaveLength(1);
  });

  it('resolves opened names as the machine does, and all others by DNS', async () => {
    const policy = createEgressPolicy({ allow: ['demo.test:8080'] });
    const [dns, machine] = [scripted(['8.8.8.8']), scripted(['127.0.0.1'])];
    const lookup = createLookup({ policy, resolver: dns, openedNameResolver: machine });
    await expect(lookup('demo.test', 8080, never)).resolves.toEqual([{ address: '127.0.0.1', family: 4 }]);
    await lookup('site.example', 80, never);
    expect([dns.asked, machine.asked]).toEqual([['site.example'], ['demo.test']]);
  });
});
