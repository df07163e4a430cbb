import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readVersions } from './versions.ts';

const ROOT = resolve(import.meta.dirname, '../..');

describe('the version of the project', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

  it('is that of all packages of npm and Python, and of all images', () => {
    const places = readVersions();
    expect(places.filter((place) => place.version !== version)).toEqual([]);
    const files = new Set(places.map(({ file }) => file));
    for (const file of [
      'packages/client/package.json',
      'packages/cli/package.json',
      'packages/client-python/pyproject.toml',
      'packages/client-python/src/gleaner_client/_version.py',
      'infra/kubernetes/base/gateway.yaml',
      'infra/kubernetes/helm/Chart.yaml',
      'docker-compose.yml',
      '.env.example',
      'docs/deployment.md',
      'docs/kubernetes.md',
    ]) {
      expect([file, files.has(file)]).toEqual([file, true]);
    }
  });

  it('is found in every package of the workspace', () => {
    const files = new Set(readVersions().map(({ file }) => file));
    for (const group of ['packages', 'services']) {
      for (const name of readdirSync(join(ROOT, group)))
        expect([name, files.has(`${group}/${name}/package.json`)]).toEqual([name, true]);
    }
  });
});
