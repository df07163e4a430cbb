import { setField } from '../bson/bson-codec.ts';
import { type Doc, isDocument } from '../bson/bson-types.ts';
import { locationError } from '../errors/command-error.ts';
import { checkExpression, type ExpressionScope, evaluate } from '../expressions/evaluate-expression.ts';
import { type MakeStage, perBatch } from './stage.ts';

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/redact/ */
export const makeRedact: MakeStage = (expression, deps) => {
  checkExpression(expression);
  const keep = (document: Doc): Doc[] => {
    const kept = redact(document, expression, deps.scope);
    return kept === undefined ? [] : [kept];
  };
  return perBatch((batch) => batch.flatMap(keep), deps);
};

function redact(document: Doc, expression: unknown, scope: ExpressionScope): Doc | undefined {
  const verdict = evaluate(expression, document, scope);
  if (verdict === '$$KEEP') return document;
  if (verdict === '$$PRUNE') return undefined;
  if (verdict !== '$$DESCEND') {
    throw locationError(17053, '$redact must resolve to $$DESCEND, $$PRUNE, or $$KEEP');
  }
  const result: Doc = {};
  for (const key of Object.keys(document)) {
    const value = redactValue(document[key], expression, scope);
    if (value !== undefined) setField(result, key, value);
  }
  return result;
}

function redactValue(value: unknown, expression: unknown, scope: ExpressionScope): unknown {
  if (isDocument(value)) return redact(value, expression, scope);
  if (!Array.isArray(value)) return value ?? null;
  return value.map((item) => redactValue(item, expression, scope)).filter((item) => item !== undefined);
}
