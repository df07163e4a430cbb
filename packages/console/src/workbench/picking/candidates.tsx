import { ErrorPanel } from '../../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../../parts/feedback/states.tsx';
import type { Candidate, Draft } from '../draft/draft.ts';
import styles from './picking.module.css';
import type { Suggestions, Target } from './use-suggestions.ts';

const MAX_SHOWN = 5;

/** The proposals for what was clicked, the most robust first. */
export function Candidates(props: {
  readonly suggestions: Suggestions;
  readonly draft: Draft;
  onChoose(candidate: Candidate): void;
}) {
  const { suggestions, draft, onChoose } = props;
  const { candidates, target, isBusy, error } = suggestions;
  const chosen = chosenOf(target, draft);
  if (error !== undefined) return <ErrorPanel error={error} />;
  if (isBusy && candidates.length === 0) return <WaitingRows label="Looking for selectors" rows={3} />;
  if (candidates.length === 0) return null;
  const list = (
    <ul className="stack-tight" aria-label="Proposed selectors" aria-busy={isBusy}>
      {candidates.slice(0, MAX_SHOWN).map((candidate) => (
        <li key={`${candidate.kind} ${candidate.selector} ${candidate.take}`}>
          <button
            type="button"
            className={styles.candidate}
            aria-pressed={candidate.selector === chosen}
            onClick={() => onChoose(candidate)}
            title={candidate.reasons.join(' ')}
          >
            <span className="spread">
              <b>{describe(candidate)}</b>
              <span className="muted small">{describeScore(candidate)}</span>
            </span>
            <code className={styles.selector}>{candidate.selector}</code>
            {candidate.values.length > 0 && (
              <span className="muted small clip">{candidate.values.join(' · ')}</span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
  if (target.kind === 'new') return list;
  return (
    <details className={styles.others}>
      <summary>Other selectors</summary>
      {list}
    </details>
  );
}

function describe({ kind, matches, columns = [] }: Candidate): string {
  if (kind === 'one') return 'This element';
  if (kind === 'field') return `In ${matches} ${matches === 1 ? 'record' : 'records'}`;
  return `List of ${matches}${columns.length > 1 ? `, ${columns.length} columns` : ''}`;
}

function describeScore({ score, stableOn }: Candidate): string {
  const robust = `robust ${Math.round(score * 100)} %`;
  return stableOn ? `${robust}, holds on ${stableOn}` : robust;
}

/** Returns the selector in the part of the draft that the proposals are for. */
function chosenOf(target: Target, { list, values }: Draft): string | undefined {
  if (target.kind === 'list') return list?.selector;
  if (target.kind === 'new') return undefined;
  return [...(list?.columns ?? []), ...values].find(({ key }) => key === target.key)?.selector;
}
