import { Loader, Skeleton, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../marks/icons.tsx';
import styles from './feedback.module.css';

/** Says what would be here, and offers the first step to it. */
export function EmptyState(props: {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={styles.state}>
      <span className={styles.icon}>
        <Icon name={props.icon} size={22} />
      </span>
      <h2>{props.title}</h2>
      <p className="muted">{props.children}</p>
      {props.action && <div className="row">{props.action}</div>}
    </div>
  );
}

/** Fills a page while nothing of it is known yet. */
export function Waiting({ label }: { readonly label: string }) {
  return (
    <div role="status" style={{ display: 'grid', height: '60vh', placeItems: 'center' }}>
      <Loader size="sm" aria-hidden />
      <VisuallyHidden>{label}</VisuallyHidden>
    </div>
  );
}

/** Stands for rows that load. */
export function WaitingRows({ label, rows = 6 }: { readonly label: string; readonly rows?: number }) {
  return (
    <div role="status" className="stack-tight">
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move.
        <Skeleton key={index} height={36} radius="sm" />
      ))}
    </div>
  );
}
