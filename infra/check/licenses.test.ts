import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../..');

/** Licenses that a service under Apache-2.0 may be shipped with, without conditions beyond a notice. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'Unlicense'];

/** Minifies the styles of the console when it is built, but is not shipped with it. */
const BUILD_TOOL = /^lightningcss[-:]/;

/**
 * The one package under MPL-2.0, whose conditions hold for its own files: it is shipped as it comes from npm, with its
 * source and its license. See docs/decisions/overlays.md.
 */
const AS_IT_COMES = /^@duckduckgo\/autoconsent: MPL-2\.0$/;

/** Tells whether one of the licenses of an expression such as `(MIT OR GPL-2.0)` may be chosen. */
function isAllowed(expression: string): boolean {
  const choices = expression.replace(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((license) => ALLOWED.includes(license)));
}

it('uses packages at run time whose licenses fit its own', async () => {
  const { stdout } = await promisify(execFile)('pnpm', ['-r', 'licenses', 'list', '--prod', '--json'], {
    cwd: ROOT,
    maxBuffer: 16 * 1024 * 1024,
  });
  const packages: Record<string, readonly { readonly name: string }[]> = JSON.parse(stdout);
  expect(Object.values(packages).flat().length).toBeGreaterThan(100);
  const others = Object.entries(packages)
    .filter(([license]) => !isAllowed(license))
    .flatMap(([license, group]) => group.map(({ name }) => `${name}: ${license}`));
  expect(others.filter((each) => !BUILD_TOOL.test(each) && !AS_IT_COMES.test(each))).toEqual([]);
});

it('refuses a license that is not listed', () => {
  expect(['(MIT OR CC0-1.0)', '(BSD-3-Clause OR GPL-2.0)', 'MIT AND ISC'].filter(isAllowed)).toHaveLength(3);
  expect(['GPL-3.0', 'MIT AND GPL-3.0', 'Unknown'].filter(isAllowed)).toEqual([]);
});
