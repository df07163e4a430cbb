import { Button } from '@mantine/core';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { WaitingRows } from '../parts/feedback/states.tsx';
import { Icon } from '../parts/marks/icons.tsx';
import { columnsOf, type Draft } from './draft/draft.ts';
import { describeFill, type Extracted, fillOf, recordsIn, showValue } from './draft/fill.ts';
import { type ExtractionOf, isShownAtField, useExtraction } from './use-extraction.ts';
import styles from './workbench.module.css';

/** Another page of the same kind. */
export interface FurtherPage {
  readonly url: string;
  readonly snapshotId?: string;
  readonly error?: unknown;
}

/** The values of the draft on a further page, or why there are none. */
export function FurtherPageValues(props: {
  readonly page: FurtherPage;
  readonly draft: Draft;
  readonly extraction: ExtractionOf;
  onRetry(): void;
  onRemove(): void;
}) {
  const { page, draft, extraction, onRetry, onRemove } = props;
  const { url, snapshotId = '', error } = page;
  const isKept = snapshotId !== '';
  const values = useExtraction(snapshotId, isKept ? extraction : { ...extraction, selectors: undefined });
  const problem = error ?? (isShownAtField(values.error) ? undefined : values.error);
  return (
    <article className="stack-tight" aria-label={url}>
      <div className="spread" style={{ flexWrap: 'nowrap' }}>
        <h3 className="clip mono">{url}</h3>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-label={`Remove ${url}`}
          onClick={onRemove}
        >
          <Icon name="close" size={14} />
        </Button>
      </div>
      {problem ? (
        <ErrorPanel error={problem} onRetry={onRetry} />
      ) : values.extracted ? (
        <Values extracted={values.extracted} draft={draft} />
      ) : (
        !isKept && <WaitingRows label={`Scraping ${url}`} rows={2} />
      )}
    </article>
  );
}

function Values({ extracted, draft }: { readonly extracted: Extracted; readonly draft: Draft }) {
  const { list } = draft;
  const count = recordsIn(extracted, draft).length;
  return (
    <>
      {list && (
        <p className="small">
          {count} {count === 1 ? 'record' : 'records'}
        </p>
      )}
      <dl className={styles.fills}>
        {columnsOf(draft).map((column) => {
          const fill = fillOf(extracted, draft, column);
          return (
            <div key={column.key}>
              <dt className="clip">{column.name}</dt>
              <dd className={fill.filled < fill.total || fill.total === 0 ? 'bad' : undefined}>
                {describeFill(fill)}
              </dd>
              <dd className="muted clip">{fill.samples.map(showValue).join(' · ')}</dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}
