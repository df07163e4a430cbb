import { describe, expect, it } from '@jest/globals';
import { checkLayers } from './check-layers.ts';
import { findFolderCycles } from './find-folder-cycles.ts';
import { readImports } from './read-imports.ts';

describe('readImports', () => {
  it('reads imports, re-exports and dynamic imports, with what is gone at run time', () => {
    const source = [
      "import { a } from './a.ts';",
      "import type { B } from '@gleaner/b';",
      "import { type C, type D } from 'c';",
      "import './e.ts';",
      "export { f } from '../f.ts';",
      "export * from './g.ts';",
      "export type { H } from './h.ts';",
      "const i = await import('./i.ts');",
    ].join('\n');
    expect(
      readImports('packages/x/src/index.ts', source).map(({ line, specifier, target, isType }) => [
        ...[line, specifier, target, isType],
      ]),
    ).toEqual([
      [1, './a.ts', 'packages/x/src/a.ts', false],
      [2, '@gleaner/b', undefined, true],
      [3, 'c', undefined, true],
      [4, './e.ts', 'packages/x/src/e.ts', false],
      [5, '../f.ts', 'packages/x/f.ts', false],
      [6, './g.ts', 'packages/x/src/g.ts', false],
      [7, './h.ts', 'packages/x/src/h.ts', true],
      [8, './i.ts', 'packages/x/src/i.ts', false],
    ]);
  });
});

describe('checkLayers', () => {
  it.each([
    ['a package to its left', 'packages/egress/src/a.ts', "import { a } from '@gleaner/contracts';"],
    ['a test tool, in a test', 'packages/egress/test/a.ts', "import { a } from '@gleaner/test-kit';"],
    ['itself by its name, in a test', 'packages/egress/test/a.ts', "import { a } from '@gleaner/egress';"],
    [
      'types only, where types are allowed',
      'packages/cli/src/a.ts',
      "import type { A } from '@gleaner/contracts';",
    ],
    [
      'an entry of its own list',
      'packages/cli/src/a.ts',
      "import { csvCell } from '@gleaner/contracts/csv';",
    ],
    ['its library', 'packages/broker/src/a.ts', "import { connect } from 'amqplib';"],
    ['files of its own', 'services/gateway/src/a/b.ts', "import { c } from '../c.ts';"],
  ])('accepts %s', (_what, file, source) => {
    expect(checkLayers(readImports(file, source))).toEqual([]);
  });

  it.each([
    ['a package to its right', 'packages/contracts/src/a.ts', "import { a } from '@gleaner/broker';"],
    [
      'an entry that others may import',
      'packages/console/src/a.ts',
      "import { csvCell } from '@gleaner/contracts/csv';",
    ],
    ['a package beside it', 'packages/egress/src/a.ts', "import { a } from '@gleaner/storage';"],
    ['a test tool, in its sources', 'packages/egress/src/a.ts', "import { a } from '@gleaner/test-kit';"],
    [
      'values where only types are allowed',
      'packages/cli/src/a.ts',
      "import { A } from '@gleaner/contracts';",
    ],
    [
      'a file of another package',
      'services/gateway/src/a.ts',
      "import { a } from '@gleaner/broker/src/a.ts';",
    ],
    ['another package by a path', 'services/gateway/src/a.ts', "import '../../scraper/src/main.ts';"],
    ["another package's library", 'services/gateway/src/a.ts', "import { connect } from 'amqplib';"],
    ['a part of such a library', 'services/gateway/src/a.ts', "import { a } from 'mongoose/lib/a.js';"],
    ['any of ours from a package that is not listed', 'packages/new/src/a.ts', "import '@gleaner/config';"],
  ])('refuses %s', (_what, file, source) => {
    expect(checkLayers(readImports(file, source))).toEqual([expect.stringContaining(`${file}:1  `)]);
  });
});

describe('findFolderCycles', () => {
  it('finds two folders that import each other, by types alone as well', () => {
    const imports = [
      ...readImports('packages/x/src/a/one.ts', "import '../b/two.ts';"),
      ...readImports('packages/x/src/b/three.ts', "import type { Four } from '../a/four.ts';"),
    ];
    expect(findFolderCycles(imports).map(({ folders }) => folders)).toEqual([
      ['packages/x/src/a', 'packages/x/src/b'],
    ]);
  });

  it('accepts a folder and its subfolder, one direction, and tests', () => {
    const imports = [
      ...readImports('packages/x/src/a/one.ts', "import '../index.ts'; import '../b/two.ts';"),
      ...readImports('packages/x/src/index.ts', "import './a/one.ts';"),
      ...readImports('packages/x/src/b/two.test.ts', "import '../a/one.ts';"),
    ];
    expect(findFolderCycles(imports)).toEqual([]);
  });
});
