import type { CreateJobRequest } from '@gleaner/client';
import { Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { takeOver } from '../forms/hand-over.ts';
import { draftOf, requestOf } from '../forms/page-draft.ts';
import { PageFields } from '../forms/page-fields.tsx';
import { problemAt } from '../forms/problems.ts';
import { urlsIn } from '../forms/urls-in.ts';
import { ErrorPanel } from '../parts/feedback/error-panel.tsx';
import { PageHeader } from '../parts/page-header.tsx';

/** A form that creates a job of URLs, or a crawl that starts at them. */
export function NewJob() {
  const [start] = useState(() => takeOver() ?? {});
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [urls, setUrls] = useState(() =>
    [start.url, ...((start.urls as string[]) ?? [])].filter(Boolean).join('\n'),
  );
  const [draft, setDraft] = useState(() => draftOf(start));
  const [isCrawl, setCrawl] = useState(start.crawl !== undefined);
  const create = useMutation({
    mutationFn: () => {
      const request = { ...requestOf(draft), urls: urlsIn(urls), ...(name.trim() && { name: name.trim() }) };
      const crawl = isCrawl && { crawl: draft.options.crawl ?? {} };
      return gleaner.call('createJob', { body: { ...request, ...crawl } as CreateJobRequest });
    },
    onSuccess: ({ job }) => navigate({ to: '/jobs/$id', params: { id: job.id } }),
  });
  return (
    <>
      <PageHeader title="New job" above={<Link to="/jobs">Jobs</Link>} />
      <form
        className="card stack"
        style={{ maxWidth: 720 }}
        aria-label="New job"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <TextInput
          label="Name"
          placeholder="Untitled job"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problemAt(create.error, 'name')}
        />
        <Textarea
          label="URLs"
          description="One on each line."
          placeholder="https://example.com/"
          value={urls}
          onChange={(event) => setUrls(event.currentTarget.value)}
          error={problemAt(create.error, 'urls')}
          rows={5}
          required
          withAsterisk={false}
        />
        <Checkbox
          label="Crawl"
          description="Follow the links of these pages on their hosts. The options below narrow it."
          checked={isCrawl}
          onChange={(event) => setCrawl(event.currentTarget.checked)}
        />
        <PageFields
          draft={draft}
          schema="CreateJobRequest"
          except={['urls', 'name', ...(isCrawl ? [] : ['crawl'])]}
          error={create.error}
          onChange={setDraft}
        />
        {create.error && <ErrorPanel error={create.error} />}
        <div>
          <Button type="submit" loading={create.isPending}>
            {isCrawl ? 'Start the crawl' : 'Create the job'}
          </Button>
        </div>
      </form>
    </>
  );
}
