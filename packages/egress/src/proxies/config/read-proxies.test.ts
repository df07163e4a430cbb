import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEgressPolicy } from '../../policy/create-egress-policy.ts';
import { readProxies } from './read-proxies.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-proxies-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const policy = createEgressPolicy({ allow: [] });
const read = (PROXIES?: string, PROXIES_FILE?: string) => readProxies({ PROXIES, PROXIES_FILE }, policy);

async function fileOf(text: string): Promise<string> {
  const path = join(folder, 'proxies.json');
  await writeFile(path, text);
  return path;
}

/** Returns the error message for invalid settings. */
function errorsOf(PROXIES?: string, PROXIES_FILE?: string): string {
  try {
    read(PROXIES, PROXIES_FILE);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The settings were accepted.');
}

describe('readProxies', () => {
  it('returns no proxies when nothing is set', () => {
    expect(read()).toEqual([]);
  });

  it('reads pairs, separated by commas or white space', () => {
    const proxies = read('us=http://a:b=c@one.test:8080, de=socks5://two.test\n us=https://three.test');
    expect(proxies.map(({ name, host, credentials }) => [name, host, credentials?.password])).toEqual([
      ['us-1', 'one.test', 'b=c'],
      ['de-1', 'two.test', undefined],
      ['us-2', 'three.test', undefined],
    ]);
  });

  it('reads JSON, in the variable and in the file, the file first', async () => {
    const file = await fileOf(
      '\ufeff{"us": ["http://one.test", {"url": "http://two.test", "dns": "proxy"}], "gb": "socks5h://three.test"}',
    );
    const proxies = read(' {"us": [{"url": "socks5h://four.test", "dns": "here"}]}', file);
    expect(proxies.map(({ name, host, targets }) => [name, host, targets])).toEqual([
      ['us-1', 'one.test', 'by-address'],
      ['us-2', 'two.test', 'by-name'],
      ['gb-1', 'three.test', 'by-name'],
      ['us-3', 'four.test', 'by-address'],
    ]);
  });

  it('accepts an empty file', async () => {
    expect(read(undefined, await fileOf('\n'))).toEqual([]);
  });

  it.each([
    ['{"us": ["http://a:s3cret@x.test"', 'must be a JSON object'],
    ['{"us": s3cret}', 'must be a JSON object'],
    ['{"US": ["http://a:s3cret@x.test"]}', 'lower-case code'],
    ['{"http://a:s3cret@x.test": ["us"]}', 'lower-case code'],
    ['{"us": ["http://x.test", "ftp://a:s3cret@x.test"]}', 'us[1] has a scheme'],
    ['{"us": []}', 'give the URL of a proxy'],
    ['{"us": [7]}', 'us[0]: give the URL of a proxy'],
    ['{"us": [{"url": "http://a:s3cret@x.test", "s3cret": 1}]}', 'only url and dns'],
    ['{"us": [{"url": "http://a:s3cret@x.test", "dns": "s3cret"}]}', '"here" or "proxy"'],
    ['http://a:s3cret@x.test', 'entry 1'],
    ['us=http://x.test,de=a:s3cret@y.test', 'entry 2 has a scheme'],
    ['usa1=http://a:s3cret@x.test', 'lower-case code'],
    ['us=http://a:s3cret@127.0.0.1:8080', 'us-1 is on a private network'],
    ['us=http://a:s3cret@proxy.internal:8080', 'EGRESS_ALLOW'],
    ['us=http://a:s3cret@x.test:22', 'port of another service'],
  ])('explains the error in %s without quoting it', (text, words) => {
    const errors = errorsOf(text);
    expect(errors).toContain(words);
    expect(errors).not.toMatch(/s3cret|x\.test/);
  });

  it('lists every error under its setting', async () => {
    const errors = errorsOf('us=ftp://x, de=http://y.test, fr=', await fileOf('[]'));
    expect(errors.split('\n')).toHaveLength(4);
    expect(errors).toMatch(/PROXIES_FILE: must be[\s\S]*PROXIES: entry 1[\s\S]*PROXIES: entry 3/);
  });

  it('names a file that cannot be read', () => {
    expect(errorsOf(undefined, join(folder, 'nowhere.json'))).toMatch(/nowhere\.json.*ENOENT/);
    expect(errorsOf(undefined, folder)).toContain('EISDIR');
  });

  it('accepts private proxies that EGRESS_ALLOW opens', () => {
    const open = createEgressPolicy({ allow: ['10.0.0.0/8', 'squid', '127.0.0.1:3128'] });
    const PROXIES = 'us=http://10.1.2.3:8080,us=http://squid:3128,us=socks5://127.0.0.1:3128';
    expect(readProxies({ PROXIES, PROXIES_FILE: undefined }, open)).toHaveLength(3);
  });
});
