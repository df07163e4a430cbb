import { expect, it } from '@jest/globals';
import { readImports } from '../boundaries/read-imports.ts';
import { findCircles, findLoneFiles, findLongFunctions, findSpreadLiterals } from './measure-shape.ts';

it('finds functions with more lines than allowed, within others and in any form', () => {
  const body = '  a();\n'.repeat(4);
  const source = `function long() {\n${body}}\nconst short = () => {\n  a();\n};\nconst other = () => {\n${body}};\n`;
  expect(findLongFunctions('a.ts', source, 5)).toEqual([
    { file: 'a.ts', line: 1, what: 'a function of 6 lines' },
    { file: 'a.ts', line: 10, what: 'a function of 6 lines' },
  ]);
});

it('finds literals that are spread, and no other spread', () => {
  const source = 'const a = { b, ...c };\nconst d = {\n  ...{ e, f },\n  ...(g && { g }),\n};\n';
  expect(findSpreadLiterals('a.ts', source)).toEqual([{ file: 'a.ts', line: 3, what: 'a spread literal' }]);
});

it('finds folders of one file, whose test does not count', () => {
  const files = ['a/one.ts', 'a/one.test.ts', 'b/two.ts', 'b/three.ts', 'c/d/four.ts', 'c/d/five.ts'];
  expect(findLoneFiles(files)).toEqual([{ file: 'a', what: 'a folder of one file, a/one.ts' }]);
});

it('finds circles of imports, of types as well', () => {
  const importsOf = (file: string, target: string) =>
    readImports(file, `import type { A } from '${target}';`);
  const imports = [
    ...importsOf('a/one.ts', './two.ts'),
    ...importsOf('a/two.ts', './three.ts'),
    ...importsOf('a/three.ts', './one.ts'),
    ...importsOf('a/four.ts', './one.ts'),
    ...importsOf('a/one.test.ts', './four.ts'),
  ];
  expect(findCircles(imports)).toEqual([
    { file: 'a/one.ts', what: 'a circle of 3 files: a/one.ts, a/three.ts, a/two.ts' },
  ]);
});
