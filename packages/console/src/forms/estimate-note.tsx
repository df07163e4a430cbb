import type { BodyOf, ResultOf } from '@gleaner/client';
import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { UrlText } from '../parts/data/url-text.tsx';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { StatusBadge } from '../parts/marks/status-badge.tsx';
import { type PageForm, readPageForm } from './page-form-fields.tsx';
import { pricedPartOf } from './priced-part-of.ts';

type Estimate = ResultOf<'estimate'>['estimate'];
type Source = NonNullable<Estimate['look']>['sources'][number];

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
  const look = useMutation({
    mutationFn: () => {
      const { request, urls } = readPageForm(props.form);
      const pages = urls.length > 0 ? { urls } : {};
      return gleaner.estimate({ ...request, ...pages } as BodyOf<'estimate'>, { look: true });
    },
  });
  if (!data || isError || body === 'null') return null;
  return (
    <div className="stack-tight">
      <p className="muted small" aria-live="polite">
        {describeCost(data, each)}
        {data.problems.map(({ code, message }) => (
          <span key={code} className="bad">{` ${message}`}</span>
        ))}
      </p>
      <div>
        <Button size="compact-xs" variant="default" loading={look.isPending} onClick={() => look.mutate()}>
          Look at a few pages
        </Button>
      </div>
      {look.error ? <ErrorPanel error={look.error} /> : null}
      {look.data && <Seen estimate={look.data} each={each} />}
    </div>
  );
}

/** Shows what a look at a few pages has found. */
function Seen({ estimate, each }: { readonly estimate: Estimate; readonly each: string }) {
  const { sources = [], urls } = estimate.look ?? {};
  return (
    <section className="stack-tight small" aria-label="Pages that were looked at">
      <p className="muted">
        {describeCost(estimate, each)}
        {urls !== undefined &&
          ` The start pages and sitemaps name ${urls.toLocaleString()} URLs of the crawl.`}
      </p>
      <ul className="stack-tight">
        {sources.map((source) => (
          <li key={`${source.kind} ${source.url}`} className="row">
            <UrlText url={source.url} /> <StatusBadge status={stateOf(source)} />{' '}
            {source.error?.message ?? source.redirectsTo}
          </li>
        ))}
      </ul>
    </section>
  );
}

function stateOf({ kind, verdict = 'content', redirectsTo, error }: Source): string {
  if (error) return error.code;
  if (redirectsTo !== undefined) return 'redirects';
  return kind === 'page' ? verdict : kind;
}

function describeCost({ credits: { worst, expected } }: Estimate, each: string) {
  const most = ['At most', worst.toLocaleString(), worst === 1 ? 'credit' : 'credits', each].join(' ').trim();
  if (expected === undefined || expected === worst) return `${most}.`;
  return `${most}, ${expected.toLocaleString()} expected.`;
}
