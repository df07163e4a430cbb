import type { PageSuccess } from '@gleaner/client';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { handOver } from '../forms/hand-over.ts';
import { Icon } from '../parts/marks/icons.tsx';

/** Leads to the workbench with a request, and with its page if that was kept. */
export function ToWorkbench({
  request,
  page,
}: {
  readonly request: object;
  readonly page: Pick<PageSuccess, 'snapshotId' | 'metadata'>;
}) {
  const navigate = useNavigate();
  const { snapshotId, metadata } = page;
  const { finalUrl, credits, timestamp: at } = metadata;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon name="target" size={15} />}
      onClick={() => {
        handOver({ ...request, ...(snapshotId && { page: { snapshotId, finalUrl, credits, at } }) });
        void navigate({ to: '/workbench' }).catch(() => {});
      }}
    >
      Pick elements on this page
    </Button>
  );
}
