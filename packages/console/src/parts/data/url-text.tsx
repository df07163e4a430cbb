import styles from './data.module.css';

const SHORT_CHARACTERS = 32;
const TAIL_CHARACTERS = 18;

/** A URL that is cut in the middle where it has no room: the beginnings of the URLs of one site are alike. */
export function UrlText({ url }: { readonly url: string }) {
  if (url.length <= SHORT_CHARACTERS) return url;
  return (
    <span className={styles.url} title={url}>
      <span>{url.slice(0, -TAIL_CHARACTERS)}</span>
      <span>{url.slice(-TAIL_CHARACTERS)}</span>
    </span>
  );
}
