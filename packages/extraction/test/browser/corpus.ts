import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A document to compare on. */
export interface CorpusDocument {
  readonly name: string;
  readonly html: string;
}

const require = createRequire(import.meta.url);

/** Real pages from npm packages (devDependencies); of each package, every n-th page is used. */
const PACKAGES = [
  {
    name: 'npm',
    manifest: require.resolve('npm-docs/package.json'),
    pattern: 'docs/output/**/*.html',
    every: 1,
  },
  { name: 'flot', manifest: require.resolve('flot/package.json'), pattern: 'examples/**/*.html', every: 1 },
  {
    name: 'jquery-ui',
    manifest: require.resolve('jquery-ui/package.json'),
    pattern: '{demos,tests}/**/*.html',
    every: 4,
  },
];

/** Returns the real pages, then the pages of edge cases in this folder. */
export function readCorpus(): CorpusDocument[] {
  const own = globSync('*.html.txt', { cwd: join(import.meta.dirname, 'pages') }).sort();
  return [
    ...PACKAGES.flatMap(readPackage),
    ...own.map((name) => ({
      name: `pages/${name}`,
      html: readFileSync(join(import.meta.dirname, 'pages', name), 'utf8'),
    })),
  ];
}

function readPackage({ name, manifest, pattern, every }: (typeof PACKAGES)[number]): CorpusDocument[] {
  const root = dirname(manifest);
  const paths = globSync(pattern, { cwd: root }).sort();
  return paths
    .filter((_path, index) => index % every === 0)
    .map((path) => ({ name: `${name}/${path}`, html: readFileSync(join(root, path), 'utf8') }));
}
