import type { BodyOf, ResultOf } from '@gleaner/client';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { type PageForm, readPageForm } from './page-form-fields.tsx';
import { pricedPartOf } from './priced-part-of.ts';

const TYPING_MS = 600;

/** Figures of what a job, or each run of a schedule, may cost, beside the button that creates it; nothing while it is not valid. */
export function EstimateNote(props: {
  readonly form: PageForm;
  /** Ends the figure, such as `a run`. */
  readonly each?: string;
}) {
  const { each = '' } = props;
  const [form] = useDebouncedValue(props.form, TYPING_MS);
  // A list of URLs may be long: it is read once the reader pauses, not at every key.
  const body = useMemo(() => {
    const { request, urls } = readPageForm(form);
    return JSON.stringify(pricedPartOf(request, urls) ?? null);
  }, [form]);
  const { data, isError } = useQuery({
    queryKey: ['estimate', body],
    queryFn: ({ signal }) => gleaner.estimate(JSON.parse(body) as BodyOf<'estimate'>, { signal }),
    enabled: body !== 'null',
    placeholderData: keepPreviousData,
  });
  if (!data || isError || body === 'null') return null;
  return (
    <p className="muted small" aria-live="polite">
      {describeCost(data, each)}
      {data.problems.map(({ code, message }) => (
        <span key={code} className="bad">{` ${message}`}</span>
      ))}
    </p>
  );
}

function describeCost({ credits: { worst, expected } }: ResultOf<'estimate'>['estimate'], each: string) {
  const most = ['At most', worst.toLocaleString(), worst === 1 ? 'credit' : 'credits', each].join(' ').trim();
  if (expected === undefined || expected === worst) return `${most}.`;
  return `${most}, ${expected.toLocaleString()} expected.`;
}
