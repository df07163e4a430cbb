import type { RecordSelector } from '@gleaner/contracts';
import type { ConversionOptions } from '../convert/conversion.ts';
import { parseSelector } from '../css/parse-selector.ts';
import { SelectorError } from '../css/selector.ts';
import { tokenize } from '../css/tokenize.ts';
import { compileJsonPath } from '../json/compile-json-path.ts';
import { usesScope } from '../match/uses-scope.ts';
import { compilePattern } from '../pattern/compile-pattern.ts';
import type { FieldTraits } from './check-combinations.ts';
import { findSelectorError } from './parse-field-selector.ts';
import type { FieldSteps, JsonSource } from './plan.ts';

/** Returns the steps of a field, or null if its texts are returned as they are. */
export function compileSteps({ keys, record }: FieldTraits, options: ConversionOptions): FieldSteps | null {
  if (!hasSteps(keys)) return null;
  return {
    exclude: keys.exclude === undefined ? null : planExclude(keys.exclude),
    whitespace: keys.whitespace ?? 'collapse',
    json: keys.json === undefined ? null : planJson(keys.json, sourceOf(keys, record)),
    pattern: keys.pattern ?? null,
    type: keys.type ?? null,
    options,
    fallback: keys.default === undefined ? null : { value: keys.default },
    isRequired: keys.required ?? false,
  };
}

/** Returns a sentence about each step that is not valid in itself. */
export function findStepProblems({ exclude, pattern, json }: RecordSelector): string[] {
  const excludeProblem = exclude === undefined ? undefined : findSelectorError(exclude);
  return [
    ...(excludeProblem === undefined ? [] : [`"exclude": ${excludeProblem}`]),
    ...(json === undefined ? [] : findPathProblem(json)),
    ...(pattern === undefined ? [] : findPatternProblem(pattern)),
  ];
}

function hasSteps(keys: RecordSelector): boolean {
  const { exclude, json, pattern, default: fallback } = keys;
  return (
    [exclude, json, pattern, fallback].some((key) => key !== undefined) ||
    keys.whitespace === 'keep' ||
    (keys.type ?? 'string') !== 'string' ||
    keys.required === true
  );
}

function sourceOf({ selector, from }: RecordSelector, record: FieldTraits['record']): JsonSource {
  if (from !== undefined) return { captured: from };
  if (selector !== undefined) return 'element';
  return record === null ? 'body' : 'record';
}

function planExclude(css: string): FieldSteps['exclude'] {
  const list = parseSelector(tokenize(css));
  return { list, usesScope: usesScope(list) };
}

function planJson(json: string, source: JsonSource): FieldSteps['json'] {
  const path = compileJsonPath(json);
  if (typeof path === 'string') throw new SelectorError(path);
  return { path, source };
}

function findPathProblem(json: string): string[] {
  const path = compileJsonPath(json);
  return typeof path === 'string' ? [`"json": ${path}`] : [];
}

function findPatternProblem(pattern: string): string[] {
  try {
    compilePattern(pattern);
    return [];
  } catch (error) {
    if (error instanceof SelectorError) return [error.message];
    throw error;
  }
}
