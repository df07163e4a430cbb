import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Icon, Logo } from '../parts/marks/icons.tsx';
import { useSession } from '../session/session.tsx';
import styles from './shell.module.css';
import { useViews } from './views.ts';

const Palette = lazy(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })));
const ShortcutHelp = lazy(() =>
  import('./shortcut-help.tsx').then(({ ShortcutHelp }) => ({ default: ShortcutHelp })),
);

/** The frame around every view: navigation, palette and shortcuts. */
export function Shell() {
  const navigate = useNavigate();
  const views = useViews();
  const [overlay, setOverlay] = useState<'palette' | 'help' | undefined>();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const main = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view closes the menu and starts at its top.
  useEffect(() => {
    setMenuOpen(false);
    setOverlay(undefined);
    main.current?.scrollTo(0, 0);
  }, [path]);
  useShortcuts({
    onPalette: () => setOverlay('palette'),
    onHelp: () => setOverlay('help'),
    onJump(key) {
      const view = views.find(({ jump }) => jump === key);
      if (view) void navigate({ to: view.to }).catch(() => {});
    },
  });
  const close = () => setOverlay(undefined);
  return (
    <div className={styles.frame}>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header className={styles.bar}>
        <ActionIcon
          aria-label={isMenuOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <Icon name={isMenuOpen ? 'close' : 'menu'} />
        </ActionIcon>
        <Brand />
        <ActionIcon aria-label="Search and commands" onClick={() => setOverlay('palette')}>
          <Icon name="search" />
        </ActionIcon>
      </header>
      <aside className={styles.side} data-open={isMenuOpen || undefined}>
        <Brand />
        <button type="button" className={styles.search} onClick={() => setOverlay('palette')}>
          <Icon name="search" /> <span>Search</span> <kbd>Ctrl K</kbd>
        </button>
        <Navigation />
        <Link to="/limits" className={styles.limits}>
          What Gleaner does not do
        </Link>
        <Account onHelp={() => setOverlay('help')} />
      </aside>
      <main id="main" className={styles.main} ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      <Suspense>
        {overlay === 'palette' && <Palette onClose={close} onHelp={() => setOverlay('help')} />}
        {overlay === 'help' && <ShortcutHelp onClose={close} />}
      </Suspense>
    </div>
  );
}

function Brand() {
  return (
    <Link to="/" className={styles.brand} aria-label="Gleaner, playground">
      <Logo /> <span>Gleaner</span>
    </Link>
  );
}

function Navigation() {
  const views = useViews();
  return (
    <nav aria-label="Views" className={styles.nav}>
      <ul>
        {views.map(({ to, label, icon }) => (
          <li key={to}>
            <Link
              to={to}
              className={styles.link}
              activeOptions={{ exact: to === '/' }}
              activeProps={{ 'aria-current': 'page' }}
            >
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Account({ onHelp }: { onHelp(): void }) {
  const { session, signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = NEXT_SCHEME[colorScheme];
  return (
    <div className={styles.account}>
      <span className="clip muted small" title={session.name}>
        {session.name}
      </span>
      <ActionIcon
        aria-label={`Theme: ${colorScheme}. Switch to ${next}.`}
        title={`Theme: ${colorScheme}`}
        onClick={() => setColorScheme(next)}
      >
        <Icon name={SCHEME_ICON[colorScheme]} />
      </ActionIcon>
      <ActionIcon aria-label="Keyboard shortcuts" title="Keyboard shortcuts" onClick={onHelp}>
        <Icon name="keyboard" />
      </ActionIcon>
      <ActionIcon aria-label="Sign out" title="Sign out" onClick={() => void signOut().catch(() => {})}>
        <Icon name="leave" />
      </ActionIcon>
    </div>
  );
}

const NEXT_SCHEME = { auto: 'light', light: 'dark', dark: 'auto' } as const;
const SCHEME_ICON = { auto: 'auto', light: 'sun', dark: 'moon' } as const;

/** Time within which the second key of a jump has to follow. */
const JUMP_MS = 1_500;

/** Handlers of the keys that work everywhere. */
interface Shortcuts {
  onPalette(): void;
  onHelp(): void;
  /** Called with the key after `g`. */
  onJump(key: string): void;
}

/** Listens for Ctrl-K, `?` and `g` jumps. Keys that are typed into a field stay there. */
function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    let jumpUntilMs = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        latest.current.onPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const now = performance.now();
      if (now < jumpUntilMs) {
        jumpUntilMs = 0;
        latest.current.onJump(event.key);
      } else if (event.key === 'g') jumpUntilMs = now + JUMP_MS;
      else if (event.key === '?') latest.current.onHelp();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
