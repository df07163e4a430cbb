import type { CreateJobRequest } from '@gleaner/client';
import { Checkbox } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { CrawlFields, crawlOf } from '../forms/crawl-fields.tsx';
import { CreateForm } from '../forms/create-form.tsx';
import { PageFields } from '../forms/page-fields.tsx';
import { PageFormFields, readPageForm, usePageForm } from '../forms/page-form-fields.tsx';
import { PageHeader } from '../parts/page-header.tsx';

/** A form that creates a job of URLs, or a crawl that starts at them. */
export function NewJob() {
  const navigate = useNavigate();
  const { form, change } = usePageForm();
  const { draft } = form;
  const [isCrawl, setCrawl] = useState(draft.options.crawl !== undefined);
  const create = useMutation({
    mutationFn: () => {
      const { request, urls } = readPageForm(form);
      const { crawl, ...pages } = request;
      const body = { ...pages, urls, ...(isCrawl && { crawl: crawlOf(crawl) }) };
      return gleaner.call('createJob', { body: body as CreateJobRequest });
    },
    onSuccess: ({ job }) => navigate({ to: '/jobs/$id', params: { id: job.id } }),
  });
  const { error } = create;
  return (
    <>
      <PageHeader title="New job" above={<Link to="/jobs">Jobs</Link>} />
      <CreateForm
        label="New job"
        submit={isCrawl ? 'Start the crawl' : 'Create the job'}
        create={create}
        look="page"
      >
        <PageFormFields {...{ form, change, error }} placeholder="Untitled job" rows={5} />
        <Checkbox
          label="Crawl"
          description="Also scrape the pages that these pages link to."
          checked={isCrawl}
          onChange={(event) => setCrawl(event.currentTarget.checked)}
        />
        {isCrawl && (
          <CrawlFields
            schema="CreateJobRequest"
            crawl={draft.options.crawl}
            error={error}
            onChange={(crawl) => change({ draft: { ...draft, options: { ...draft.options, crawl } } })}
          />
        )}
        <PageFields
          draft={draft}
          schema="CreateJobRequest"
          except={['urls', 'name', 'crawl']}
          error={error}
          onChange={(next) => change({ draft: next })}
        />
      </CreateForm>
    </>
  );
}
