import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import styles from './shell.module.css';
import { SideBar, TopBar } from './side-bar.tsx';
import { useShortcuts } from './use-shortcuts.ts';
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
      <TopBar
        isMenuOpen={isMenuOpen}
        onMenu={() => setMenuOpen(!isMenuOpen)}
        onSearch={() => setOverlay('palette')}
      />
      <SideBar isOpen={isMenuOpen} onSearch={() => setOverlay('palette')} onHelp={() => setOverlay('help')} />
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
