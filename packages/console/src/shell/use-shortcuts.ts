import { useEffect, useRef } from 'react';

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
export function useShortcuts(shortcuts: Shortcuts): void {
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
