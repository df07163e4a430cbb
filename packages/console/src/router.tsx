import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { ErrorPanel } from './parts/feedback/error-panel.tsx';
import { EmptyState, Waiting } from './parts/feedback/states.tsx';
import { PageHeader } from './parts/page-header.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const at = <const Path extends string>(path: Path) => ({ getParentRoute: () => root, path });

/** Part of a list that an address names. */
interface ListSearch {
  readonly offset?: number | undefined;
  readonly status?: string | undefined;
  /** Id of the schedule whose jobs are listed. */
  readonly schedule?: string | undefined;
  /** Words of names and hosts. */
  readonly search?: string | undefined;
}

function readListSearch({ offset, status, schedule, search }: Record<string, unknown>): ListSearch {
  return {
    ...(Number.isSafeInteger(offset) && { offset: offset as number }),
    ...(typeof status === 'string' && { status }),
    ...(typeof schedule === 'string' && { schedule }),
    // The address turns words like 2026 into numbers.
    ...((typeof search === 'string' || typeof search === 'number') && { search: String(search) }),
  };
}

/** Filter of a job's results in an address: pages of one kind. */
interface ResultSearch {
  readonly verdict?: string | undefined;
}

function readResultSearch({ verdict }: Record<string, unknown>): ResultSearch {
  return typeof verdict === 'string' ? { verdict } : {};
}

const playgroundRoute = createRoute({
  ...at('/'),
  component: lazyRouteComponent(() => import('./playground/playground.tsx'), 'Playground'),
});
const workbenchRoute = createRoute({
  ...at('/workbench'),
  component: lazyRouteComponent(() => import('./workbench/workbench.tsx'), 'Workbench'),
});
const mapRoute = createRoute({
  ...at('/map'),
  component: lazyRouteComponent(() => import('./map/site-map.tsx'), 'SiteMap'),
});
const searchRoute = createRoute({
  ...at('/search'),
  component: lazyRouteComponent(() => import('./search/search.tsx'), 'Search'),
});
const jobsRoute = createRoute({
  ...at('/jobs'),
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./jobs/jobs.tsx'), 'Jobs'),
});
const newJobRoute = createRoute({
  ...at('/jobs/new'),
  component: lazyRouteComponent(() => import('./jobs/new-job.tsx'), 'NewJob'),
});
const jobRoute = createRoute({
  ...at('/jobs/$id'),
  validateSearch: readResultSearch,
  component: lazyRouteComponent(() => import('./jobs/job.tsx'), 'JobView'),
});
const schedulesRoute = createRoute({
  ...at('/schedules'),
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./schedules/schedules.tsx'), 'Schedules'),
});
const newScheduleRoute = createRoute({
  ...at('/schedules/new'),
  component: lazyRouteComponent(() => import('./schedules/new-schedule.tsx'), 'NewSchedule'),
});
const scheduleRoute = createRoute({
  ...at('/schedules/$id'),
  component: lazyRouteComponent(() => import('./schedules/schedule.tsx'), 'ScheduleView'),
});
const datasetsRoute = createRoute({
  ...at('/datasets'),
  component: lazyRouteComponent(() => import('./datasets/datasets.tsx'), 'Datasets'),
});
const datasetRoute = createRoute({
  ...at('/datasets/$name'),
  component: lazyRouteComponent(() => import('./datasets/dataset.tsx'), 'DatasetView'),
});
const recipesRoute = createRoute({
  ...at('/recipes'),
  component: lazyRouteComponent(() => import('./recipes/recipes.tsx'), 'Recipes'),
});
const profilesRoute = createRoute({
  ...at('/profiles'),
  component: lazyRouteComponent(() => import('./access/profiles.tsx'), 'Profiles'),
});
const webhooksRoute = createRoute({
  ...at('/webhooks'),
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./webhooks/webhooks.tsx'), 'Webhooks'),
});
const channelsRoute = createRoute({
  ...at('/channels'),
  component: lazyRouteComponent(() => import('./webhooks/channels.tsx'), 'Channels'),
});
const keysRoute = createRoute({
  ...at('/keys'),
  component: lazyRouteComponent(() => import('./access/keys.tsx'), 'Keys'),
});
const secretsRoute = createRoute({
  ...at('/secrets'),
  component: lazyRouteComponent(() => import('./access/secrets.tsx'), 'Secrets'),
});
const usageRoute = createRoute({
  ...at('/usage'),
  component: lazyRouteComponent(() => import('./usage/usage.tsx'), 'UsageView'),
});

const systemRoute = createRoute({
  ...at('/system'),
  component: lazyRouteComponent(() => import('./system/system.tsx'), 'SystemView'),
});

const limitsRoute = createRoute({
  ...at('/limits'),
  component: lazyRouteComponent(() => import('./system/limits.tsx'), 'Limits'),
});

const routes = [
  playgroundRoute,
  workbenchRoute,
  mapRoute,
  searchRoute,
  jobsRoute,
  newJobRoute,
  jobRoute,
  schedulesRoute,
  newScheduleRoute,
  scheduleRoute,
  datasetsRoute,
  datasetRoute,
  recipesRoute,
  profilesRoute,
  webhooksRoute,
  channelsRoute,
  keysRoute,
  secretsRoute,
  usageRoute,
  systemRoute,
  limitsRoute,
] as const;

/** The views by their addresses. They are in the fragment, so that the console works below any path. */
export const router = createRouter({
  routeTree: root.addChildren(routes),
  history: createHashHistory(),
  defaultPreload: 'intent',
  // Another job or schedule is another view: what was opened in the one before is closed.
  defaultRemountDeps: ({ params }) => params,
  defaultPendingComponent: () => <Waiting label="Loading the view" />,
  defaultErrorComponent: ({ error, reset }) => <ErrorPanel error={error} onRetry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Stands for addresses that are not a view. */
function NotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState
        icon="search"
        title="There is no such page"
        action={<Link to="/">Open the playground</Link>}
      >
        The link may have been cut off.
      </EmptyState>
    </>
  );
}
