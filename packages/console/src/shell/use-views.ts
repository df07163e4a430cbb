import { useSession } from '../session/session.tsx';
import { VIEWS } from './views.ts';

/** Returns the views that the key of the session may use. */
export function useViews(): readonly (typeof VIEWS)[number][] {
  const { may } = useSession();
  return VIEWS.filter(({ scope }) => may(scope));
}
