import { evalExpr } from 'mingo/core';
import { setField } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { commandError, locationError } from '../errors/command-error.ts';
import { ACCUMULATORS, type Accumulator } from '../expressions/accumulators.ts';
import {
  checkExpression,
  type ExpressionScope,
  evaluate,
  MINGO_OPTIONS,
} from '../expressions/evaluate-expression.ts';
import { isAccumulator } from '../expressions/expression-context.ts';
import { toMingo } from '../expressions/to-mingo.ts';
import { encodeKey } from '../keys/encode-key.ts';
import type { MakeStage } from './stage.ts';

interface Column {
  readonly name: string;
  readonly start: () => Accumulator;
}

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/group/ */
export const makeGroup: MakeStage = (operand, { scope, pacer }) => {
  if (!isDocument(operand)) throw locationError(15947, "a group's fields must be specified in an object");
  if (!('_id' in operand)) throw locationError(15955, 'a group specification must include an _id');
  const { _id: idExpression, ...fields } = operand;
  checkExpression(idExpression);
  const columns = Object.entries(fields).map(([name, spec]) => makeColumn(name, spec, scope));
  return async function* (input) {
    const groups = new Map<string, { id: unknown; accumulators: Accumulator[] }>();
    for await (const batch of input) {
      for (const document of batch) {
        const pause = pacer.tick();
        if (pause !== undefined) await pause;
        const id = evaluate(idExpression, document, scope) ?? null;
        const key = encodeKey([id], [1]).toString('latin1');
        const known = groups.get(key);
        const group = known ?? { id, accumulators: columns.map(({ start }) => start()) };
        if (known === undefined) groups.set(key, group);
        for (const accumulator of group.accumulators) accumulator.add(document);
      }
    }
    yield groups
      .values()
      .map(({ id, accumulators }) => finish(id, columns, accumulators))
      .toArray();
  };
};

function makeColumn(name: string, spec: unknown, scope: ExpressionScope): Column {
  if (name.includes('.')) throw locationError(40235, `The field name '${name}' cannot contain '.'`);
  const operators = isDocument(spec) ? Object.keys(spec) : [];
  const [operator] = operators;
  if (operators.length !== 1 || operator === undefined || !operator.startsWith('$')) {
    throw locationError(40234, `The field '${name}' must be an accumulator object`);
  }
  const expression = (spec as Doc)[operator];
  checkExpression(expression);
  const make = Object.hasOwn(ACCUMULATORS, operator)
    ? ACCUMULATORS[operator as keyof typeof ACCUMULATORS]
    : undefined;
  if (make !== undefined)
    return { name, start: () => make((document) => evaluate(expression, document, scope)) };
  if (!isAccumulator(operator)) throw locationError(15952, `unknown group operator '${operator}'`);
  return { name, start: () => collecting(spec as Doc) };
}

/** The rarer accumulators are mingo's, which need all documents of the group at once. */
function collecting(spec: Doc): Accumulator {
  const documents: unknown[] = [];
  return {
    add: (document) => documents.push(toMingo(document)),
    result: () => {
      try {
        return evalExpr(documents, toMingo(spec), MINGO_OPTIONS);
      } catch (error) {
        throw commandError('BadValue', `cannot evaluate an accumulator: ${(error as Error).message}`);
      }
    },
  };
}

function finish(id: unknown, columns: readonly Column[], accumulators: readonly Accumulator[]): Doc {
  const result: Doc = { _id: id };
  columns.forEach(({ name }, i) => {
    const value = accumulators[i]?.result();
    if (value !== undefined) setField(result, name, value);
  });
  return result;
}
