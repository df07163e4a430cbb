import type { CreateJobRequest } from '@gleaner/client';
import { Checkbox } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
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
      const { crawl = {}, ...pages } = request;
      const body = { ...pages, urls, ...(isCrawl && { crawl }) };
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
          description="Follow the links of these pages on their hosts. The options below narrow it."
          checked={isCrawl}
          onChange={(event) => setCrawl(event.currentTarget.checked)}
        />
        <PageFields
          draft={draft}
          schema="CreateJobRequest"
          except={['urls', 'name', ...(isCrawl ? [] : ['crawl'])]}
          error={error}
          onChange={(next) => change({ draft: next })}
        />
      </CreateForm>
    </>
  );
}
