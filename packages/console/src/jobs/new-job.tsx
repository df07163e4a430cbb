import type { CreateJobRequest } from '@gleaner/client';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { gleaner } from '../api/gleaner.ts';
import { CreateForm } from '../forms/create-form.tsx';
import { EstimateNote } from '../forms/estimate-note.tsx';
import { PageFormFields, PageFormOptions, readPageForm, usePageForm } from '../forms/page-form-fields.tsx';
import { PageHeader } from '../parts/page-header.tsx';

/** A form for creating a job of URLs, or a crawl from start URLs. */
export function NewJob() {
  const navigate = useNavigate();
  const { form, change } = usePageForm();
  const create = useMutation({
    mutationFn: () => {
      const { request, urls } = readPageForm(form);
      const pages = urls.length > 0 ? { urls } : {};
      return gleaner.call('createJob', { body: { ...request, ...pages } as CreateJobRequest });
    },
    onSuccess: ({ job }) => navigate({ to: '/jobs/$id', params: { id: job.id } }),
  });
  const { error } = create;
  return (
    <>
      <PageHeader title="New job" above={<Link to="/jobs">Jobs</Link>} />
      <CreateForm
        label="New job"
        submit={form.isCrawl ? 'Start the crawl' : 'Create the job'}
        create={create}
        look="page"
      >
        <PageFormFields form={form} change={change} error={error} placeholder="Untitled job" rows={5} />
        <PageFormOptions form={form} change={change} error={error} schema="CreateJobRequest" />
        <EstimateNote form={form} />
      </CreateForm>
    </>
  );
}
