import { GleanerError } from '@gleaner/client';
import { Button } from '@mantine/core';
import { Icon } from '../marks/icons.tsx';
import { describeForReport } from './describe-for-report.ts';
import styles from './feedback.module.css';

/** Shows an error with what to do next, each of its details, and a copy for a bug report. */
export function ErrorPanel(props: {
  readonly error: unknown;
  readonly onRetry?: (() => unknown) | undefined;
}) {
  const { error, onRetry } = props;
  const fields = error instanceof GleanerError ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div role="alert" className={styles.panel}>
      <Icon name="alert" />
      <div className={styles.text}>
        <p className={styles.message}>{message}</p>
        {fields?.suggestion && <p>{fields.suggestion}</p>}
        {fields?.details && fields.details.length > 0 && (
          <ul className={styles.details}>
            {fields.details.map(({ path, message: detail }) => (
              <li key={`${path} ${detail}`}>
                <code>{path || 'request'}</code> {detail}
              </li>
            ))}
          </ul>
        )}
        <div className="row">
          {onRetry && (
            <Button size="xs" variant="default" onClick={() => onRetry()}>
              Try again
            </Button>
          )}
          <Button
            size="xs"
            variant="subtle"
            color="red"
            onClick={() => void navigator.clipboard.writeText(describeForReport(error)).catch(() => {})}
          >
            Copy for a bug report
          </Button>
          {fields && <code className={styles.code}>{fields.code}</code>}
        </div>
      </div>
    </div>
  );
}
