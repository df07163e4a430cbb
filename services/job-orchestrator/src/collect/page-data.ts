import { membersOf } from '@gleaner/contracts';
import type { PageRecords, PageWithData } from '../datasets/page-records.ts';
import type { CollectedOutcome } from './collected-outcome.ts';
import type { Context } from './read-context.ts';

/** Returns the found or unmodified pages of jobs with a dataset. */
export function pagesWithData(
  outcomes: readonly CollectedOutcome[],
  { terms, pages, keptResults }: Pick<Context, 'terms' | 'pages' | 'keptResults'>,
): PageWithData[] {
  return outcomes.flatMap(({ jobId, pageId, attempt, outcome }): PageWithData[] => {
    const dataset = terms.get(jobId)?.dataset;
    const page = pages.get(pageId);
    if (!dataset || !page) return [];
    const dataJson =
      outcome.kind === 'found' ? outcome.dataJson : membersOf(keptResults.get(pageId) ?? '{}').get('data');
    if (dataJson === undefined) return [];
    return [{ jobId, pageId, attempt, url: page.url, dataJson, dataset }];
  });
}

/** Returns the outcomes with the warnings about records of their pages that are left out. */
export function withWarnings(
  outcomes: readonly CollectedOutcome[],
  records: ReadonlyMap<string, PageRecords>,
): readonly CollectedOutcome[] {
  return outcomes.map((collected): CollectedOutcome => {
    const { outcome } = collected;
    const warnings = records.get(collected.pageId)?.warnings ?? [];
    if (outcome.kind !== 'found' || warnings.length === 0) return collected;
    return { ...collected, outcome: { ...outcome, warnings: [...outcome.warnings, ...warnings] } };
  });
}
