import type { PageKind, PageSuccess } from '@gleaner/client';
import { StatusBadge } from '../parts/marks/status-badge.tsx';

type Metadata = PageSuccess['metadata'];
type Verdict = NonNullable<Metadata['verdict']>;
type Dismissal = NonNullable<Metadata['overlays']>[number]['action'];

/** Words for the kinds of suspect pages. */
const NAMES: Readonly<Record<Exclude<PageKind, 'content'>, string>> = {
  wall: 'a captcha or another check for robots',
  login: 'a login',
  consent: 'a request for consent',
  notFound: 'an error page',
  shell: 'a page that scripts have yet to fill',
  empty: 'an empty page',
  notice: 'a notice',
};

const DISMISSALS: Readonly<Record<Dismissal, string>> = {
  hide: 'hidden',
  accept: 'accepted',
  reject: 'rejected',
};

/** Returns whether a text names a kind of page. */
export function isPageKind(text: string | undefined): text is PageKind {
  return text !== undefined && (text === 'content' || Object.hasOwn(NAMES, text));
}

/** Describes a suspect page, with the evidence, and the layers dismissed in front of it. */
export function PageNotes({
  metadata,
}: {
  readonly metadata: Pick<Metadata, 'verdict' | 'overlays'> | undefined;
}) {
  const { verdict, overlays = [] } = metadata ?? {};
  return (
    <>
      {verdict && verdict.page !== 'content' && <VerdictNote verdict={verdict} />}
      {overlays.length > 0 && (
        <p className="small">
          Consent layers: {overlays.map(({ cmp, action }) => `${cmp} (${DISMISSALS[action]})`).join(', ')}
        </p>
      )}
    </>
  );
}

function VerdictNote({ verdict: { page, basis, signals } }: { readonly verdict: Verdict }) {
  const name = NAMES[page as keyof typeof NAMES];
  return (
    <div className="small">
      <StatusBadge status={page} /> {basis === 'observed' ? 'This is' : 'This may be'} {name}:
      <ul aria-label="Signals">
        {signals.map(({ code, evidence }) => (
          <li key={`${code} ${evidence}`}>
            <code>{code}</code> {evidence}
          </li>
        ))}
      </ul>
    </div>
  );
}
