/**
 * `npm run release -- <folder>`: writes the packages of a release to a folder. `npm run release -- version 1.2.3`: gives the
 * project another version, before that. .github/workflows/release.yml publishes what the first one writes.
 */
import { resolve } from 'node:path';
import { packRelease } from './pack-release.ts';
import { readVersions, setVersion } from './versions.ts';

const [first, second] = process.argv.slice(2);
if (first === 'version' && second !== undefined) {
  setVersion(second, new Date().toISOString().slice(0, 10));
  console.log(`The version is ${second}. Read the changelog, then commit.`);
} else if (first !== undefined && first !== 'version') {
  const folder = resolve(first);
  for (const file of packRelease(folder)) console.log(file);
  console.log(`\nVersion ${readVersions()[0]?.version} is in ${folder}.`);
} else {
  console.error(
    'Name a folder: npm run release -- /tmp/release\nOr a version: npm run release -- version 1.2.3',
  );
  process.exitCode = 1;
}
