import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

it('gives all packages, of npm and of Python, one version', () => {
  const { version } = JSON.parse(read('package.json'));
  const manifests = globSync('{infra,{packages,services}/*}/package.json', { cwd: ROOT });
  expect(manifests.length).toBeGreaterThan(15);
  const versions = manifests.map((file) => [file, JSON.parse(read(file)).version]);
  const python = 'packages/client-python';
  versions.push(
    [`${python}/pyproject.toml`, /^version = "(.+)"$/m.exec(read(`${python}/pyproject.toml`))?.[1]],
    ['_version.py', /^VERSION = "(.+)"$/m.exec(read(`${python}/src/gleaner_client/_version.py`))?.[1]],
  );
  expect(versions.filter(([, each]) => each !== version)).toEqual([]);
});
