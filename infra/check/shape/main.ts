/** `npm run shape`: functions are short, folders hold more than one file, and no files import each other in a circle. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readImports } from '../boundaries/read-imports.ts';
import {
  findCircles,
  findLoneFiles,
  findLongFunctions,
  findSpreadLiterals,
  type Place,
} from './measure-shape.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const MOST_LINES = 60;

const files = globSync('{packages,services,infra}/**/*.{ts,tsx,mjs}', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/dist/**', '**/generated/**', '**/.*/**'],
}).sort();
const sources = files.map((file) => ({ file, source: readFileSync(resolve(ROOT, file), 'utf8') }));
const code = sources.filter(
  ({ file }) => !file.endsWith('.test.ts') && !/\/(?:test|acceptance)\//.test(file),
);

/** Rules of shape, and the places that break them. */
const RULES: readonly { readonly rule: string; readonly places: readonly Place[] }[] = [
  {
    rule: `functions have at most ${MOST_LINES} lines`,
    places: code.flatMap(({ file, source }) => findLongFunctions(file, source, MOST_LINES)),
  },
  { rule: 'folders have more than one file', places: findLoneFiles(files) },
  {
    rule: 'no files import each other in a circle, types included',
    places: findCircles(sources.flatMap(({ file, source }) => readImports(file, source))),
  },
  {
    rule: 'properties are written on lines of their own, not spread out of a literal',
    places: sources.flatMap(({ file, source }) => findSpreadLiterals(file, source)),
  },
];

const broken = RULES.filter(({ places }) => places.length > 0);
for (const { rule, places } of broken) {
  console.log(`${rule}; not so in ${places.length}:`);
  for (const { file, line, what } of places)
    console.log(`  ${line === undefined ? file : `${file}:${line}`}  ${what}`);
}
process.exitCode = broken.length > 0 ? 1 : 0;
