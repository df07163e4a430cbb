import { Modal, useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Icon, type IconName } from '../parts/marks/icons.tsx';
import { useSession } from '../session/session.tsx';
import { matchesQuery } from './matches-query.ts';
import styles from './palette.module.css';
import { useViews } from './views.ts';

interface Command {
  readonly label: string;
  readonly icon: IconName;
  readonly hint?: string;
  run(): void;
}

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
      <div role="listbox" id={listId} aria-label="Commands" className={styles.list}>
        {commands.map((command, position) => (
          <div
            key={command.label}
            id={`${listId}-${position}`}
            role="option"
            tabIndex={-1}
            aria-selected={position === index}
            className={styles.option}
            onPointerMove={() => setMarked(position)}
            onClick={() => choose(command)}
            onKeyDown={onKeyDown}
          >
            <Icon name={command.icon} />
            <span>{command.label}</span>
            {command.hint && <kbd>{command.hint}</kbd>}
          </div>
        ))}
      </div>
      {commands.length === 0 && <p className={styles.none}>Nothing matches “{query}”.</p>}
    </Modal>
  );
}

function useCommands(query: string, onHelp: () => void): Command[] {
  const navigate = useNavigate();
  const { may, signOut } = useSession();
  const views = useViews();
  const { setColorScheme } = useMantineColorScheme();
  const go = (to: string) => () => void navigate({ to }).catch(() => {});
  const byId: Command[] = RESOURCES.filter(({ prefix, scope }) => query.startsWith(prefix) && may(scope)).map(
    ({ label, folder }) => ({
      label: `Open ${label} ${query}`,
      icon: 'arrow',
      run: go(`${folder}/${query}`),
    }),
  );
  const all: Command[] = [
    ...views.map(({ label, icon, to, jump }) => ({
      ...{ label: `Go to ${label}`, icon, hint: `g ${jump}` },
      run: go(to),
    })),
    ...RESOURCES.filter(({ scope }) => may(scope)).map(
      ({ label, folder }): Command => ({ label: `New ${label}`, icon: 'plus', run: go(`${folder}/new`) }),
    ),
    { label: 'Light theme', icon: 'sun', run: () => setColorScheme('light') },
    { label: 'Dark theme', icon: 'moon', run: () => setColorScheme('dark') },
    { label: 'Theme of the system', icon: 'auto', run: () => setColorScheme('auto') },
    { label: 'Keyboard shortcuts', icon: 'keyboard', hint: '?', run: onHelp },
    { label: 'Sign out', icon: 'leave', run: () => void signOut().catch(() => {}) },
  ];
  return byId.length > 0 ? byId : all.filter(({ label }) => matchesQuery(label, query));
}

const RESOURCES = [
  { prefix: 'job_', label: 'job', folder: '/jobs', scope: 'jobs' },
  { prefix: 'sch_', label: 'schedule', folder: '/schedules', scope: 'schedules' },
] as const;
