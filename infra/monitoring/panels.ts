/** One chart of the dashboard. */
export interface Panel {
  readonly title: string;
  /** Unit in Grafana's names. */
  readonly unit: 'short' | 's' | 'bytes' | 'ops' | 'percentunit';
  /** Expressions in PromQL, each with the legend of its lines. */
  readonly queries: readonly { readonly expr: string; readonly legend: string }[];
  readonly stacked?: true;
}

/** Charts under one heading. */
export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const ownErrors = 'code=~"INTERNAL_ERROR|SERVICE_UNAVAILABLE"';
const quantiles = (metric: string, by: string) =>
  [0.5, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (le, ${by}) (rate(${metric}_bucket[$__rate_interval])))`,
    legend: `{{${by}}} p${quantile * 100}`,
  }));
const rate = (metric: string, by: string) => ({
  expr: `sum by (${by}) (rate(${metric}[$__rate_interval]))`,
  legend: by
    .split(', ')
    .map((label) => `{{${label}}}`)
    .join(' '),
});

/** The dashboard, from what callers see down to the machine. */
export const ROWS: readonly Row[] = [
  {
    title: 'API',
    panels: [
      {
        title: 'Calls by status',
        unit: 'ops',
        stacked: true,
        queries: [rate('gleaner_http_requests_total', 'status')],
      },
      {
        title: 'Share of calls that fail by our own errors',
        unit: 'percentunit',
        queries: [
          {
            expr: `sum(rate(gleaner_http_requests_total{${ownErrors}}[$__rate_interval])) / sum(rate(gleaner_http_requests_total[$__rate_interval]))`,
            legend: 'own errors',
          },
        ],
      },
      {
        title: 'Duration of calls',
        unit: 's',
        queries: quantiles('gleaner_http_request_duration_seconds', 'route'),
      },
      {
        title: 'Calls in flight',
        unit: 'short',
        queries: [{ expr: 'sum(gleaner_http_requests_in_flight)', legend: 'calls' }],
      },
    ],
  },
  {
    title: 'Scrapers',
    panels: [
      {
        title: 'Outcomes of scrapes and pages',
        unit: 'ops',
        stacked: true,
        queries: [rate('gleaner_scrape_duration_seconds_count', 'engine, outcome')],
      },
      {
        title: 'Duration of scrapes and pages',
        unit: 's',
        queries: quantiles('gleaner_scrape_duration_seconds', 'engine'),
      },
      {
        title: 'Browsers and tabs',
        unit: 'short',
        queries: [
          { expr: 'sum(gleaner_browsers)', legend: 'browsers' },
          { expr: 'sum(gleaner_browser_tabs)', legend: 'tabs' },
        ],
      },
      {
        title: 'Memory of browsers',
        unit: 'bytes',
        queries: [{ expr: 'sum by (instance) (gleaner_browser_memory_bytes)', legend: '{{instance}}' }],
      },
      {
        title: 'Browsers that ended',
        unit: 'ops',
        queries: [rate('gleaner_browsers_ended_total', 'reason')],
      },
      {
        title: 'Uses of proxies',
        unit: 'ops',
        queries: [rate('gleaner_proxy_uses_total', 'proxy, verdict')],
      },
      {
        title: 'Proxies that rest',
        unit: 'short',
        queries: [{ expr: 'count by (country) (gleaner_proxy_ready == 0)', legend: '{{country}}' }],
      },
    ],
  },
  {
    title: 'Jobs',
    panels: [
      {
        title: 'Demand for scrapers and pages in flight',
        unit: 'short',
        queries: [
          { expr: 'max by (engine) (gleaner_dispatchable_pages)', legend: 'dispatchable, {{engine}}' },
          { expr: 'max(gleaner_running_pages)', legend: 'in flight' },
        ],
      },
      {
        title: 'Oldest waiting page',
        unit: 's',
        queries: [{ expr: 'max by (engine) (gleaner_oldest_waiting_page_seconds)', legend: '{{engine}}' }],
      },
      {
        title: 'Attempts at pages',
        unit: 'ops',
        stacked: true,
        queries: [
          rate('gleaner_page_tries_total', 'outcome'),
          { expr: 'sum(rate(gleaner_pages_dispatched_total[$__rate_interval]))', legend: 'dispatched' },
        ],
      },
      {
        title: 'Active jobs, paused hosts, dispatchers',
        unit: 'short',
        queries: [
          { expr: 'max(gleaner_active_jobs)', legend: 'active jobs' },
          { expr: 'max(gleaner_paused_hosts)', legend: 'paused hosts' },
          { expr: 'sum(gleaner_dispatching)', legend: 'dispatchers' },
        ],
      },
      { title: 'Repairs', unit: 'ops', queries: [rate('gleaner_reconciled_total', 'what')] },
      { title: 'Runs of schedules', unit: 'ops', queries: [rate('gleaner_schedule_runs_total', 'outcome')] },
      { title: 'Lag of schedules', unit: 's', queries: quantiles('gleaner_schedule_lag_seconds', 'service') },
    ],
  },
  {
    title: 'Queues and webhooks',
    panels: [
      {
        title: 'Messages that wait',
        unit: 'short',
        queries: [{ expr: 'max by (queue) (gleaner_queue_messages)', legend: '{{queue}}' }],
      },
      {
        title: 'Consumers',
        unit: 'short',
        queries: [{ expr: 'max by (queue) (gleaner_queue_consumers)', legend: '{{queue}}' }],
      },
      {
        title: 'Dead letters',
        unit: 'short',
        queries: [{ expr: 'max(gleaner_dead_letters)', legend: 'messages' }],
      },
      { title: 'Messages', unit: 'ops', queries: [rate('gleaner_broker_events_total', 'event')] },
      {
        title: 'Deliveries due',
        unit: 'short',
        queries: [{ expr: 'max(gleaner_deliveries_due)', legend: 'deliveries' }],
      },
      {
        title: 'Oldest due delivery',
        unit: 's',
        queries: [{ expr: 'max(gleaner_oldest_due_delivery_seconds)', legend: 'delivery' }],
      },
      {
        title: 'Attempts at deliveries',
        unit: 'ops',
        stacked: true,
        queries: [rate('gleaner_webhook_tries_total', 'outcome')],
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'Failed checks',
        unit: 'short',
        queries: [
          { expr: 'count by (service, check) (gleaner_check_ok == 0)', legend: '{{service}} {{check}}' },
        ],
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: [
          { expr: 'sum by (service) (process_resident_memory_bytes)', legend: '{{service}}' },
          { expr: 'gleaner_process_resident_bytes{process="backends"}', legend: '{{process}}' },
        ],
      },
      {
        title: 'CPU',
        unit: 'short',
        queries: [
          {
            expr: 'sum by (service) (rate(process_cpu_seconds_total[$__rate_interval]))',
            legend: '{{service}}',
          },
        ],
      },
      {
        title: 'Event loop stalls',
        unit: 'ops',
        queries: [rate('gleaner_event_loop_stalls_total', 'service')],
      },
      {
        title: 'npm start: processes and restarts',
        unit: 'short',
        queries: [
          { expr: 'sum(gleaner_process_ready)', legend: 'ready' },
          { expr: 'gleaner_process_restarts_total', legend: 'restarts of {{process}}' },
        ],
      },
      {
        title: 'npm start: disk',
        unit: 'bytes',
        queries: [
          { expr: 'gleaner_data_bytes', legend: 'data' },
          { expr: 'gleaner_data_free_bytes', legend: 'free' },
        ],
      },
      {
        title: 'Versions',
        unit: 'short',
        queries: [
          { expr: 'count by (version, node) (gleaner_build_info)', legend: '{{version}} on Node {{node}}' },
        ],
      },
    ],
  },
];
