/**
 * `check-python.ts [--write]`: refuses Python that Ruff would write otherwise, and its findings; with `--write` it formats. Examples in
 * the documentation, which may be parts of programs, need only be Python.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Generated files are written as they are. */
const EXCLUDED = ['**/node_modules/**', '**/_generated/[!_]*'];

interface Finding {
  readonly code: string | null;
  readonly message: string;
  readonly start_location: { readonly row: number; readonly column: number };
}

const ruff = new Workspace(
  {
    'line-length': 110,
    'target-version': 'py39',
    lint: {
      select: ['E', 'F', 'W', 'I', 'B', 'C4', 'PIE', 'RET', 'SIM', 'S110'],
      // Long docstrings and messages stay on their line.
      ignore: ['E501'],
    },
  },
  PositionEncoding.Utf16,
);
const isWriting = process.argv.includes('--write');
for (const file of globSync('**/*.py', { cwd: ROOT, exclude: EXCLUDED }).sort()) {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const formatted = ruff.format(source);
  if (formatted !== source) {
    if (isWriting) writeFileSync(join(ROOT, file), formatted);
    else report(`${file}: is not formatted. Run npm run format.`);
  }
  for (const { code, message, start_location } of ruff.check(source) as Finding[])
    report(`${file}:${start_location.row}:${start_location.column}  ${code ?? 'syntax'}: ${message}`);
}
for (const file of globSync('**/*.md', { cwd: ROOT, exclude: EXCLUDED }).sort()) {
  const source = readFileSync(join(ROOT, file), 'utf8');
  for (const { 1: program = '', index } of source.matchAll(/^```python\n(.*?)^```$/gms)) {
    const line = source.slice(0, index).split('\n').length;
    for (const { code, message, start_location } of ruff.check(program) as Finding[])
      if (code === 'invalid-syntax') report(`${file}:${line + start_location.row}  ${code}: ${message}`);
  }
}

function report(problem: string): void {
  console.log(problem);
  process.exitCode = 1;
}
