import styles from './status-badge.module.css';

const TONES: Readonly<Record<string, string>> = {
  completed: 'good',
  delivered: 'good',
  active: 'good',
  success: 'good',
  done: 'good',
  ok: 'good',
  ready: 'good',
  green: 'good',
  running: 'busy',
  'signing-in': 'busy',
  pending: 'quiet',
  paused: 'quiet',
  cancelled: 'quiet',
  revoked: 'quiet',
  expired: 'quiet',
  partial: 'warn',
  degraded: 'warn',
  drifting: 'warn',
  broken: 'bad',
  gone: 'bad',
  failed: 'bad',
  down: 'bad',
  red: 'bad',
};

/** A state as a word with a color. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <span className={styles.badge} data-tone={TONES[status] ?? 'quiet'}>
      {status}
    </span>
  );
}
