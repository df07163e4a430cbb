import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon, Logo } from '../parts/marks/icons.tsx';
import { useSession } from '../session/session.tsx';
import styles from './shell.module.css';
import { useViews } from './views.ts';

/** The way to every view, and what belongs to the reader. On narrow screens it is a menu. */
export function SideBar(props: { readonly isOpen: boolean; onSearch(): void; onHelp(): void }) {
  const { isOpen, onSearch, onHelp } = props;
  return (
    <aside className={styles.side} data-open={isOpen || undefined}>
      <Brand />
      <button type="button" className={styles.search} onClick={onSearch}>
        <Icon name="search" /> <span>Search</span> <kbd>Ctrl K</kbd>
      </button>
      <Navigation />
      <Link to="/limits" className={styles.limits}>
        What Gleaner does not do
      </Link>
      <Account onHelp={onHelp} />
    </aside>
  );
}

/** The bar of narrow screens, which opens the menu. */
export function TopBar(props: { readonly isMenuOpen: boolean; onMenu(): void; onSearch(): void }) {
  const { isMenuOpen, onMenu, onSearch } = props;
  return (
    <header className={styles.bar}>
      <ActionIcon
        aria-label={isMenuOpen ? 'Close the menu' : 'Open the menu'}
        aria-expanded={isMenuOpen}
        onClick={onMenu}
      >
        <Icon name={isMenuOpen ? 'close' : 'menu'} />
      </ActionIcon>
      <Brand />
      <ActionIcon aria-label="Search and commands" onClick={onSearch}>
        <Icon name="search" />
      </ActionIcon>
    </header>
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
