import { type ExpressionScope, evaluate } from '../aggregate/evaluate-expression.ts';
import type { Doc } from '../bson/bson-types.ts';
import { readArguments } from './arguments.ts';
import type { CommandContext } from './command.ts';

/** The scope of a command's expressions, with the variables of its `let`. */
export function withLet(command: Doc, { name, scope }: CommandContext): ExpressionScope {
  if (command.let === undefined) return scope;
  const given = readArguments(command, name).document('let');
  const variables = Object.entries(given).map(
    ([key, value]) => [key, evaluate(value, {}, scope) ?? null] as const,
  );
  return { ...scope, variables: { ...scope.variables, ...Object.fromEntries(variables) } };
}
