import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

const IMPORT = /^import [^;]* from '\.\/(.+)';$/gm;

/**
 * Returns the functions of a file of `injected` as JavaScript, with those of the files that it imports. Call it when a script is needed:
 * Node's type stripper takes 12 MB, which a scraper without a browser does without.
 */
export function loadInjected(file: string): string {
  const code = LOADED.get(file) ?? bundle(file, new Set());
  LOADED.set(file, code);
  return code;
}

const LOADED = new Map<string, string>();

/** Returns an expression that calls a function of a file of `injected`. */
export function callInjected(file: string, name: string, ...args: readonly unknown[]): string {
  const values = args.map((each) => JSON.stringify(each) ?? 'undefined');
  return `(() => {${loadInjected(file)}\nreturn ${name}(${values.join(', ')});})()`;
}

function bundle(file: string, done: Set<string>): string {
  if (done.has(file)) return '';
  done.add(file);
  const typed = readFileSync(new URL(`./injected/${file}`, import.meta.url), 'utf8');
  const code = stripTypeScriptTypes(typed);
  const imported = [...code.matchAll(IMPORT)].map(([, name = '']) => bundle(name, done));
  const own = code.replace(IMPORT, '').replace(/^export /gm, '');
  const lines = own.split('\n').map((line) => line.trimEnd());
  return [...imported, ...lines].join('\n');
}
