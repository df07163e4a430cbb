import { GleanerError } from '@gleaner/client';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import type { Selectors } from './draft/draft.ts';
import type { Extracted } from './draft/fill.ts';

/** Time without another key before the values are read. */
const PAUSE_MS = 250;

/** Reading of values from a snapshot. */
export interface ExtractionOf {
  readonly selectors: Selectors | undefined;
  readonly locale: string | undefined;
}

/** Query of the values that the service extracts from a snapshot. A later one aborts it. */
export function extractionQuery(snapshotId: string, { selectors, locale }: ExtractionOf) {
  return {
    queryKey: ['snapshot', snapshotId, 'values', selectors, locale],
    queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Extracted> =>
      gleaner.snapshots.extract(
        snapshotId,
        { ...(selectors && { selectors }), ...(locale && { locale }) },
        { signal },
      ),
    enabled: selectors !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** Returns selectors a moment after the last change. */
export function useSettled(extraction: ExtractionOf): ExtractionOf {
  const [text] = useDebouncedValue(JSON.stringify(extraction), PAUSE_MS);
  return JSON.parse(text) as ExtractionOf;
}

/** Values of a snapshot while the selectors for them are edited. */
export interface LiveValues {
  /** The last values that were read. */
  readonly extracted: Extracted | undefined;
  /** True while they are not yet those of the last change. */
  readonly isStale: boolean;
  readonly error: unknown;
  retry(): Promise<unknown>;
}

/** Reads values while selectors are edited. Half of a selector is often none yet: the values before it stay. */
export function useExtraction(snapshotId: string, extraction: ExtractionOf): LiveValues {
  const query = useQuery({ ...extractionQuery(snapshotId, extraction), placeholderData: keepPreviousData });
  const { data, error, isPlaceholderData, refetch: retry } = query;
  const [last, setLast] = useState<Extracted>();
  useEffect(() => {
    if (data) setLast(data);
  }, [data]);
  return { extracted: data ?? last, isStale: isPlaceholderData || error !== null, error, retry };
}

/** Returns true for an error that stands beside the field of the selector. */
export function isShownAtField(error: unknown): boolean {
  return (
    error instanceof GleanerError && error.code === 'INVALID_SELECTOR' && (error.details ?? []).length > 0
  );
}
