import { useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { IconName } from '../parts/marks/icons.tsx';
import { useSession } from '../session/session.tsx';
import { matchesQuery } from './matches-query.ts';
import { useViews } from './views.ts';

/** An entry of the palette. */
export interface Command {
  readonly label: string;
  readonly icon: IconName;
  readonly hint?: string;
  run(): void;
}

/** Returns the commands for some words, or for the id of a resource. */
export function useCommands(query: string, onHelp: () => void): Command[] {
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
      label: `Go to ${label}`,
      icon,
      hint: `g ${jump}`,
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
