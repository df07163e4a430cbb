import type { PageKind, PageSuccess } from '@gleaner/client';
import { StatusBadge } from '../parts/marks/status-badge.tsx';

type Verdict = NonNullable<PageSuccess['metadata']['verdict']>;

/** Words for the kinds of pages that sites send instead of what was asked for. */
const NAMES: Readonly<Record<Exclude<PageKind, 'content'>, string>> = {
  wall: 'a captcha or another check for robots',
  login: 'a login',
  consent: 'a request for consent',
  notFound: 'an error page',
  shell: 'a page that scripts have yet to fill',
  empty: 'an empty page',
  notice: 'a notice',
};

/** Returns whether a text names a kind of page. */
export function isPageKind(text: string | undefined): text is PageKind {
  return text !== undefined && (text === 'content' || Object.hasOwn(NAMES, text));
}

/** Says what a page is where it is not content; nothing for content. */
export function VerdictNote({ verdict }: { readonly verdict: Verdict | undefined }) {
  if (!verdict || verdict.page === 'content') return null;
  const { page, basis, signals } = verdict;
  return (
    <p className="small">
      <StatusBadge status={page} /> {basis === 'observed' ? 'This is' : 'This may be'} {NAMES[page]}:{' '}
      {signals.map(({ evidence }) => evidence).join('; ')}
    </p>
  );
}
