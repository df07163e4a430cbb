import styles from './url-text.module.css';

const TAIL_CHARACTERS = 18;

/** A URL that is cut in the middle where it has no room: the beginnings of the URLs of one site are alike. */
export function UrlText({ url }: { readonly url: string }) {
  const at = Math.max(0, url.length - TAIL_CHARACTERS);
  return (
    <span className={styles.url} title={url}>
      <span>{url.slice(0, at)}</span>
      <span>{url.slice(at)}</span>
    </span>
  );
}
