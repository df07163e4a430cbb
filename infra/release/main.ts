/**
 * `npm run release -- <folder>`: writes the packages of a release to a folder. `npm run release -- version 1.2.3`: gives the
 * project another version, before that. .github/workflows/release.yml publishes what the first one writes.
 */
import { resolve } from 'node:path';
import { packRelease } from './pack-release.ts';
import { readVersions, setVersion } from './versions.ts';

const USAGE = `Name a folder: npm run release -- /tmp/release
Or a version: npm run release -- version 1.2.3`;

try {
  run(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function run([first, second]: readonly string[]): void {
  if (first === undefined || (first === 'version' && second === undefined)) throw new Error(USAGE);
  if (first === 'version') {
    setVersion(second ?? '', new Date().toISOString().slice(0, 10));
    console.log(`The version is ${second}. Read the changelog, then commit.`);
  } else {
    const folder = resolve(first);
    for (const file of packRelease(folder)) console.log(file);
    console.log(`\nVersion ${readVersions()[0]?.version} is in ${folder}.`);
  }
}
