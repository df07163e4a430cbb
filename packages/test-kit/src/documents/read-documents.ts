import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** A Debian package of HTML documentation: real pages of 10 to 500 KB. */
const DEFAULT_PACKAGE = 'python3.11-doc';

/** Used on other systems: the pages in the development dependencies of packages/extraction. */
const FALLBACK =
  'packages/extraction/node_modules/{npm-docs,jquery-ui,flot}/{docs,demos,tests,examples}/**/*.html';

/** Reads at most `count` real HTML documents of a Debian package; downloads it once, into `.gleaner/` of the repository. */
export function readDocuments(root: string, count: number, name = DEFAULT_PACKAGE): string[] {
  const folder = join(root, '.gleaner/bench-documents', name);
  const paths = unpackDebian(folder, name) ? globSync('unpacked/**/*.html{,.en}', { cwd: folder }) : [];
  const chosen =
    paths.length > 0 ? paths.map((path) => join(folder, path)) : globSync(FALLBACK, { cwd: root });
  return chosen
    .sort()
    .slice(0, count)
    .map((path) => readFileSync(path, 'utf8'));
}

/** A real PDF, by its name in its package. */
export interface NamedPdf {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Yields the PDFs of Debian packages, which are downloaded once; none on other systems, or without a connection. */
export function* readPdfs(root: string, packages: readonly string[]): Generator<NamedPdf, void> {
  for (const name of packages) {
    const folder = join(root, '.gleaner/bench-documents', name);
    if (!unpackDebian(folder, name)) continue;
    for (const path of globSync('unpacked/**/*.pdf{,.gz}', { cwd: folder }).sort()) {
      const bytes = readFileSync(join(folder, path));
      yield { name: path.slice('unpacked/'.length), bytes: path.endsWith('.gz') ? gunzipSync(bytes) : bytes };
    }
  }
}

/** Returns the folder of the modules of a Debian package for Python, and of the packages that it needs; undefined where they cannot be had. */
export function unpackPython(root: string, packages: readonly string[]): string | undefined {
  const folder = join(root, '.gleaner/bench-documents', packages[0] ?? '');
  return packages.every((name) => unpackDebian(folder, name, name))
    ? packages.map((name) => join(folder, name, 'usr/lib/python3/dist-packages')).join(':')
    : undefined;
}

/** Reads some 260 pages of newspapers and magazines, with everything around their articles, which an npm package brings. */
export function readArticles(): string[] {
  const folder = dirname(fileURLToPath(import.meta.resolve('htmlparser-benchmark')));
  return globSync('files/*.html', { cwd: folder })
    .sort()
    .map((path) => readFileSync(join(folder, path), 'utf8'));
}

function unpackDebian(folder: string, name: string, inside = 'unpacked'): boolean {
  const target = join(folder, inside);
  if (existsSync(target)) return true;
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('/usr/bin/apt-get', ['download', name], { cwd: folder, stdio: 'ignore' });
    for (const archive of globSync(`${name}_*.deb`, { cwd: folder })) {
      execFileSync('/usr/bin/dpkg-deb', ['-x', archive, target], { cwd: folder, stdio: 'ignore' });
    }
    return true;
  } catch {
    process.stderr.write(`The Debian package ${name} cannot be had here.\n`);
    return false;
  }
}
