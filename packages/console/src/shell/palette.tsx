import { Modal } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import { Icon } from '../parts/marks/icons.tsx';
import styles from './palette.module.css';
import { type Command, useCommands } from './use-commands.ts';

/** Finds views, commands and resources by their id. */
export function Palette({ onClose, onHelp }: { onClose(): void; onHelp(): void }) {
  const [query, setQuery] = useState('');
  const [marked, setMarked] = useState(0);
  const listId = useId();
  const commands = useCommands(query.trim(), onHelp);
  const index = Math.min(marked, commands.length - 1);
  const choose = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') choose(commands[index]);
    else if (step) setMarked((index + step + commands.length) % Math.max(1, commands.length));
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size={520}
      yOffset="12vh"
      attributes={{ content: { 'aria-label': 'Commands' } }}
    >
      <input
        className={styles.input}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-label="Find a view, a command or an id"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={commands[index] ? `${listId}-${index}` : undefined}
        placeholder="Go to a view, or paste an id"
        data-autofocus
      />
      <CommandList
        listId={listId}
        commands={commands}
        index={index}
        onKeyDown={onKeyDown}
        onMark={setMarked}
        onChoose={choose}
      />
      {commands.length === 0 && <p className={styles.none}>Nothing matches “{query}”.</p>}
    </Modal>
  );
}

function CommandList(props: {
  readonly listId: string;
  readonly commands: readonly Command[];
  /** Position of the marked one. */
  readonly index: number;
  onKeyDown(event: KeyboardEvent): void;
  onMark(position: number): void;
  onChoose(command: Command): void;
}) {
  const { listId, commands, index, onKeyDown, onMark, onChoose } = props;
  return (
    <div role="listbox" id={listId} aria-label="Commands" className={styles.list}>
      {commands.map((command, position) => (
        <div
          key={command.label}
          id={`${listId}-${position}`}
          role="option"
          tabIndex={-1}
          aria-selected={position === index}
          className={styles.option}
          onPointerMove={() => onMark(position)}
          onClick={() => onChoose(command)}
          onKeyDown={onKeyDown}
        >
          <Icon name={command.icon} />
          <span>{command.label}</span>
          {command.hint && <kbd>{command.hint}</kbd>}
        </div>
      ))}
    </div>
  );
}
