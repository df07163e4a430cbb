/** Prints the packages of the workspace that have a suite, as JSON, for the matrix of the CI workflow. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
/** Its suites are jobs of their own. */
const APART = '@gleaner/infra';

interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

const manifests = globSync('{packages,services}/*/package.json', { cwd: ROOT }).map(
  (file): Manifest => JSON.parse(readFileSync(join(ROOT, file), 'utf8')),
);
const names = manifests
  .filter(({ name, scripts }) => scripts?.test && name !== APART)
  .map(({ name }) => name);
console.log(JSON.stringify(names.sort()));
