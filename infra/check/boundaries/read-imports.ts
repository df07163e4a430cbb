import { dirname, join } from 'node:path/posix';
import { parseSync } from 'oxc-parser';

/** An import or a re-export of a file. */
export interface Import {
  file: string;
  line: number;
  /** As it is written. */
  specifier: string;
  /** The imported file from the root of the workspace, when the specifier is relative. */
  target?: string;
  /** True for imports that are gone at run time. */
  isType: boolean;
}

/** Returns the imports and re-exports of a file, in their order. */
export function readImports(file: string, source: string): Import[] {
  const { module, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const found: { start: number; specifier: string; isType: boolean }[] = [];
  for (const { moduleRequest, entries, start, end } of module.staticImports) {
    const isType =
      entries.every((entry) => entry.isType) &&
      (entries.length > 0 || /^import\s+type\b/.test(source.slice(start, end)));
    found.push({ start, specifier: moduleRequest.value, isType });
  }
  for (const { entries } of module.staticExports) {
    const [first] = entries;
    const request = first?.moduleRequest;
    if (!request) continue;
    found.push({
      start: first.start,
      specifier: request.value,
      isType: entries.every((entry) => entry.isType),
    });
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const specifier = /^(['"])(.*)\1$/.exec(source.slice(moduleRequest.start, moduleRequest.end))?.[2];
    if (specifier) found.push({ start: moduleRequest.start, specifier, isType: false });
  }
  return found
    .sort((a, b) => a.start - b.start)
    .map(({ start, specifier, isType }) => ({
      file,
      specifier,
      isType,
      line: source.slice(0, start).split('\n').length,
      ...(specifier.startsWith('.') && { target: join(dirname(file), specifier) }),
    }));
}
