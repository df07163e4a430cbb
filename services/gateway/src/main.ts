import { runService } from '@gleaner/service-kit';
import { GATEWAY_SETTINGS } from './config.ts';
import { startGateway } from './start-gateway.ts';

await runService({
  name: 'gateway',
  config: GATEWAY_SETTINGS,
  uses: ['broker', 'database'],
  servesScrapes: true,
  start: async (context) => {
    const { port, stop } = await startGateway({ ...context, show: (text) => process.stderr.write(text) });
    return { stop, ports: { http: port } };
  },
});
