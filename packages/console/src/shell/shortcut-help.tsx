import { Modal } from '@mantine/core';
import styles from './shortcut-help.module.css';
import { useViews } from './views.ts';

const GENERAL = [
  { keys: ['Ctrl', 'K'], does: 'Find a view or a command' },
  { keys: ['?'], does: 'Show this list' },
  { keys: ['Ctrl', 'Enter'], does: 'Run the form that has the focus' },
  { keys: ['Esc'], does: 'Close a dialog' },
] as const;

/** Lists the keys that work everywhere. */
export function ShortcutHelp({ onClose }: { onClose(): void }) {
  const views = useViews();
  const rows = [
    ...GENERAL,
    ...views.map(({ jump, label }) => ({ keys: ['g', jump], does: `Go to ${label}` })),
  ];
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts">
      <dl className={styles.list}>
        {rows.map(({ keys, does }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
