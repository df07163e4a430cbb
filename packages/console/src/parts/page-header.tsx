import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import styles from './page-header.module.css';

/** Title of a view with its actions; names the browser's tab, too. */
export function PageHeader(props: {
  readonly title: string;
  readonly above?: ReactNode;
  readonly below?: ReactNode;
  readonly actions?: ReactNode;
}) {
  const { title, above, below, actions } = props;
  useDocumentTitle(`${title} · Gleaner`);
  return (
    <header className={styles.header}>
      <div className={styles.text}>
        {above && <div className="small">{above}</div>}
        <h1>{title}</h1>
        {below && <div className="muted">{below}</div>}
      </div>
      {actions && <div className={`row ${styles.actions}`}>{actions}</div>}
    </header>
  );
}
