import { Button, CopyButton } from '@mantine/core';
import { Icon } from '../marks/icons.tsx';
import styles from './data.module.css';

/** Text to copy, as it is. The block can have the focus, so that keys scroll it. */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <figure className={styles.block} aria-label={label}>
      <CopyText text={text} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it. */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}

/** A button that copies a text. */
export function CopyText({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          className={styles.copy}
          size="compact-xs"
          variant="default"
          onClick={copy}
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={13} />}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}
