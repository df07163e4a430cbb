import { setField } from '../bson/bson-codec.ts';
import { type Doc, isDocument, isNumeric } from '../bson/bson-types.ts';
import { addWidening, toDouble } from '../bson/numbers.ts';
import { locationError } from '../command-error.ts';
import { compileExpression, type Expression, extremeOf } from '../filter/compile-expression.ts';
import { encodeKey } from '../indexes/encode-key.ts';
import type { Pacer } from '../query/pacer.ts';
import { compileProjection } from '../query/project.ts';

/** Documents on their way through a pipeline, in batches. */
export type DocStream = AsyncIterable<readonly Doc[]>;

/** One stage, ready to run. */
export type Stage = (input: DocStream) => DocStream;

/** Stages behind the leading query, by name; each throws for an operand that MongoDB refuses. */
export const STAGES: Readonly<Record<string, (operand: unknown, pacer: Pacer) => Stage>> = {
  $limit: makeLimit,
  $group: makeGroup,
  $project: makeProject,
};

/** Returns the stage of a pipeline element. Throws 40324 for a name that is not served. */
export function makeStage(element: unknown, pacer: Pacer): Stage {
  if (!isDocument(element) || Object.keys(element).length !== 1) {
    throw locationError(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  const [name, operand] = Object.entries(element)[0] as [string, unknown];
  const make = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
  if (make !== undefined) return make(operand, pacer);
  throw locationError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

function makeLimit(operand: unknown): Stage {
  const limit = isNumeric(operand) ? toDouble(operand) : Number.NaN;
  if (limit === 0) throw locationError(15958, 'the limit must be positive');
  if (!Number.isInteger(limit) || limit < 0) {
    throw locationError(
      5107200,
      `invalid argument to $limit stage: Expected a non-negative number in: $limit: ${String(operand)}`,
    );
  }
  return async function* (input) {
    let left = limit;
    for await (const batch of input) {
      yield batch.slice(0, left);
      left -= Math.min(left, batch.length);
      if (left === 0) return;
    }
  };
}

function makeProject(operand: unknown, pacer: Pacer): Stage {
  if (!isDocument(operand)) throw locationError(15969, '$project specification must be an object');
  const project = compileProjection(operand);
  if (project === undefined)
    throw locationError(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  return async function* (input) {
    for await (const batch of input) {
      const pause = pacer.tick();
      if (pause !== undefined) await pause;
      yield batch.map(project);
    }
  };
}

/** Accumulators of `$group`, as folds over the values of a group. */
export const ACCUMULATORS: Readonly<Record<string, Accumulator>> = {
  $sum: { start: () => 0, fold: (sum, value) => (isNumeric(value) ? addWidening(sum, value) : sum) },
  $min: { start: () => null, fold: (least, value) => extremeOf([least, value], -1) },
  $max: { start: () => null, fold: (greatest, value) => extremeOf([greatest, value], 1) },
  $push: {
    start: () => [],
    fold: (list, value) => {
      if (value !== undefined) (list as unknown[]).push(value);
      return list;
    },
  },
};

interface Accumulator {
  readonly start: () => unknown;
  readonly fold: (state: unknown, value: unknown) => unknown;
}

interface Column extends Accumulator {
  readonly name: string;
  readonly evaluate: Expression;
}

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/group/ */
function makeGroup(operand: unknown, pacer: Pacer): Stage {
  if (!isDocument(operand)) throw locationError(15947, "a group's fields must be specified in an object");
  if (!('_id' in operand)) throw locationError(15955, 'a group specification must include an _id');
  const { _id, ...fields } = operand;
  const idOf = compileExpression(_id);
  const columns = Object.entries(fields).map(([name, spec]) => makeColumn(name, spec));
  return async function* (input) {
    const groups = new Map<string, { id: unknown; states: unknown[] }>();
    for await (const batch of input) {
      for (const document of batch) {
        const pause = pacer.tick();
        if (pause !== undefined) await pause;
        const id = idOf(document) ?? null;
        const key = encodeKey([id], [1]).toString('latin1');
        const { states } = groups.get(key) ?? { states: columns.map(({ start }) => start()) };
        if (!groups.has(key)) groups.set(key, { id, states });
        columns.forEach(({ fold, evaluate }, i) => {
          states[i] = fold(states[i], evaluate(document));
        });
      }
    }
    yield [...groups.values()].map(({ id, states }) => toDocument(id, columns, states));
  };
}

function makeColumn(name: string, spec: unknown): Column {
  if (name.includes('.')) throw locationError(40235, `The field name '${name}' cannot contain '.'`);
  const [operator, ...others] = isDocument(spec) ? Object.keys(spec) : [];
  if (others.length > 0 || operator === undefined || !operator.startsWith('$')) {
    throw locationError(40234, `The field '${name}' must be an accumulator object`);
  }
  const accumulator = Object.hasOwn(ACCUMULATORS, operator) ? ACCUMULATORS[operator] : undefined;
  if (accumulator === undefined) throw locationError(15952, `unknown group operator '${operator}'`);
  return { name, ...accumulator, evaluate: compileExpression((spec as Doc)[operator]) };
}

function toDocument(id: unknown, columns: readonly Column[], states: readonly unknown[]): Doc {
  const result: Doc = { _id: id };
  columns.forEach(({ name }, i) => {
    setField(result, name, states[i]);
  });
  return result;
}
