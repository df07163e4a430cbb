import { SegmentedControl } from '@mantine/core';
import type { Mode } from '../picking/use-picking.ts';
import styles from './page.module.css';

/** Says what a click in the page does. */
export function ModeSwitch(props: {
  readonly mode: Mode;
  readonly hasList: boolean;
  onChange(mode: Mode): void;
}) {
  const { mode, hasList, onChange } = props;
  return (
    <div className={styles.mode}>
      <span className="muted small">A click selects</span>
      <SegmentedControl
        aria-label="A click selects"
        size="xs"
        value={mode}
        onChange={(value) => onChange(value as Mode)}
        data={[
          { value: 'list', label: hasList ? 'Records and columns' : 'Records of a list' },
          { value: 'value', label: 'Single values' },
          { value: 'unwanted', label: 'Not this', disabled: !hasList },
        ]}
      />
    </div>
  );
}
