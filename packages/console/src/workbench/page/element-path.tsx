import type { Outline } from '../../frame/messages.ts';
import styles from './page.module.css';

/** The way to the element that was picked last; each element around it can be picked instead. */
export function ElementPath(props: { readonly path: readonly Outline[]; onPick(node: number): void }) {
  const { path, onPick } = props;
  if (path.length === 0) return null;
  return (
    <nav aria-label="Elements around the picked one" className={styles.path}>
      <ol>
        {path.map(({ node, name }, index) => (
          <li key={node}>
            <button
              type="button"
              aria-current={index === path.length - 1 ? 'true' : undefined}
              onClick={() => onPick(node)}
            >
              {name}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
