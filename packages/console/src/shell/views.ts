import type { Key } from '@gleaner/client';
import type { IconName } from '../parts/marks/icons.tsx';
import { useSession } from '../session/session.tsx';

/** One entry of the navigation. */
export interface View {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** The key after `g` that opens it. */
  readonly jump: string;
  /** The scope that its calls need. */
  readonly scope: Key['scopes'][number];
}

/** The views in the order of the navigation. */
export const VIEWS = [
  { to: '/', label: 'Playground', icon: 'play', jump: 'p', scope: 'scrape' },
  { to: '/workbench', label: 'Workbench', icon: 'target', jump: 'w', scope: 'scrape' },
  { to: '/map', label: 'Site map', icon: 'map', jump: 'm', scope: 'scrape' },
  { to: '/search', label: 'Search', icon: 'search', jump: 'a', scope: 'scrape' },
  { to: '/jobs', label: 'Jobs', icon: 'jobs', jump: 'j', scope: 'jobs' },
  { to: '/schedules', label: 'Schedules', icon: 'clock', jump: 's', scope: 'schedules' },
  { to: '/datasets', label: 'Datasets', icon: 'table', jump: 'd', scope: 'jobs' },
  { to: '/recipes', label: 'Recipes', icon: 'check', jump: 'r', scope: 'scrape' },
  { to: '/profiles', label: 'Profiles', icon: 'profile', jump: 'f', scope: 'profiles' },
  { to: '/webhooks', label: 'Webhooks', icon: 'hook', jump: 'h', scope: 'webhooks' },
  { to: '/channels', label: 'Channels', icon: 'bell', jump: 'c', scope: 'webhooks' },
  { to: '/usage', label: 'Usage', icon: 'chart', jump: 'u', scope: 'usage' },
  { to: '/keys', label: 'API keys', icon: 'key', jump: 'k', scope: 'admin' },
  { to: '/secrets', label: 'Secrets', icon: 'lock', jump: 'e', scope: 'admin' },
  { to: '/system', label: 'System', icon: 'system', jump: 'y', scope: 'admin' },
] as const satisfies readonly View[];

/** Returns the views that the key of the session may use. */
export function useViews(): readonly (typeof VIEWS)[number][] {
  const { may } = useSession();
  return VIEWS.filter(({ scope }) => may(scope));
}
