import type { Doc } from '../bson/bson-types.ts';
import type { ExpressionScope } from '../expressions/evaluate-expression.ts';
import type { Pacer } from '../query/pacer.ts';
import type { Catalog } from '../storage/catalog.ts';

/** Documents on their way through a pipeline, in batches. */
export type DocStream = AsyncIterable<readonly Doc[]>;

/** One stage, ready to run. */
export type Stage = (input: DocStream) => DocStream;

/** Dependencies of the stages. */
export interface StageDeps {
  readonly scope: ExpressionScope;
  readonly pacer: Pacer;
  readonly catalog: Catalog;
  readonly database: string;
  /** Runs a pipeline over a collection of the database; for stages that hold pipelines. */
  readonly runPipeline: (
    collection: string,
    pipeline: readonly unknown[],
    scope: ExpressionScope,
  ) => DocStream;
  /** Runs a pipeline over documents at hand. */
  readonly runStages: (input: DocStream, pipeline: readonly unknown[], scope: ExpressionScope) => DocStream;
}

/** Makes a stage from its operand; throws for an operand that MongoDB refuses. */
export type MakeStage = (operand: unknown, deps: StageDeps) => Stage;

/** Makes a stage that processes each batch independently. */
export function perBatch(
  transform: (documents: readonly Doc[]) => readonly Doc[],
  { pacer }: StageDeps,
): Stage {
  return async function* (input) {
    for await (const batch of input) {
      const pause = pacer.tick();
      if (pause !== undefined) await pause;
      yield transform(batch);
    }
  };
}

/** Collects all documents of a stream. */
export async function collect(input: DocStream, pacer: Pacer): Promise<Doc[]> {
  const documents: Doc[] = [];
  for await (const batch of input) {
    for (const document of batch) {
      const pause = pacer.tick();
      if (pause !== undefined) await pause;
      documents.push(document);
    }
  }
  return documents;
}
