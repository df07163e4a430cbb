import type { ReactNode } from 'react';
import { Icon, type IconName } from '../marks/icons.tsx';
import styles from './empty-state.module.css';

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
