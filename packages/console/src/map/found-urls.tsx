import type { ResultOf } from '@gleaner/client';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { handOver } from '../forms/hand-over.ts';
import { describeDuration } from '../parts/marks/describe-distance.ts';
import { VirtualTable } from '../tables/virtual-table.tsx';

/** Most URLs that a form takes over: it shows them as text. */
const MAX_HANDED_OVER = 1000;

/** The URLs of a site with where they were found, and a job of them. */
export function FoundUrls({ urls, sources, complete, stoppedBy, reason, metadata }: ResultOf<'map'>) {
  const navigate = useNavigate();
  const toJob = () => {
    handOver({ urls: urls.slice(0, MAX_HANDED_OVER).map((each) => each.url) });
    void navigate({ to: '/jobs/new' }).catch(() => {});
  };
  const errors = sources.filter(({ error }) => error);
  const cost = metadata.credits === 1 ? '1 credit' : `${metadata.credits} credits`;
  return (
    <>
      <div className="row">
        <span>
          {urls.length === 1 ? '1 URL' : `${urls.length.toLocaleString('en')} URLs`} from {sources.length}{' '}
          files and pages in {describeDuration(metadata.duration)}, {cost}
          {!complete && `; not all${stoppedBy === undefined ? '' : `: stopped by ${stoppedBy}`}`}
        </span>
        <Button variant="default" size="xs" disabled={urls.length === 0} onClick={toJob}>
          {urls.length > MAX_HANDED_OVER ? `Scrape the first ${MAX_HANDED_OVER}` : 'Scrape them as a job'}
        </Button>
      </div>
      {reason !== undefined && <p role="note">{reason}</p>}
      {errors.length > 0 && reason === undefined && (
        <details>
          <summary>{errors.length === 1 ? '1 source' : `${errors.length} sources`} could not be read</summary>
          <ul>
            {errors.map(({ url, error }) => (
              <li key={url}>
                {url}: {error?.message}
              </li>
            ))}
          </ul>
        </details>
      )}
      {urls.length > 0 && (
        <VirtualTable
          label="URLs of the site"
          columns={['URL', 'Text', 'Last modified', 'Found on']}
          rows={urls.map((each) => [
            each.url,
            each.text ?? '',
            each.lastModified?.slice(0, 10) ?? '',
            each.foundOn ?? '',
          ])}
        />
      )}
    </>
  );
}
