import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { Icon } from '../marks/icons.tsx';
import styles from './feedback.module.css';

const SHOWN_MS = 5_000;

type Announce = (text: string) => void;

const Context = createContext<Announce>(() => {});

/** Shows short messages about what was done, and tells them to screen readers. */
export function Notices({ children }: { readonly children: ReactNode }) {
  const [text, setText] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const announce = useCallback((next: string) => {
    clearTimeout(timer.current);
    setText(next);
    timer.current = setTimeout(() => setText(undefined), SHOWN_MS);
  }, []);
  return (
    <Context value={announce}>
      {children}
      <div role="status" className={styles.place}>
        {text && (
          <p className={styles.notice}>
            <Icon name="check" size={16} /> {text}
          </p>
        )}
      </div>
    </Context>
  );
}

/** Returns the function that shows a message. */
export function useAnnounce(): Announce {
  return useContext(Context);
}
