import { SegmentedControl } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { WaitingRows } from '../parts/feedback/states.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { PageOnTheWeb } from './page-on-the-web.tsx';

const OwnHtml = lazy(() => import('./own-html.tsx').then(({ OwnHtml }) => ({ default: OwnHtml })));

const SOURCES = [
  { value: 'web', label: 'A page on the web' },
  { value: 'html', label: 'HTML of your own' },
];

/** One page, now: a form, its answer, and ways to go on with both. */
export function Playground() {
  const [source, setSource] = useState('web');
  return (
    <>
      <PageHeader
        title="Playground"
        below="Scrape one page and look at its data."
        actions={
          <SegmentedControl
            size="xs"
            aria-label="Where the page is"
            data={SOURCES}
            value={source}
            onChange={setSource}
          />
        }
      />
      {source === 'web' ? (
        <PageOnTheWeb />
      ) : (
        <Suspense fallback={<WaitingRows label="Loading the form" />}>
          <OwnHtml />
        </Suspense>
      )}
    </>
  );
}
