export { type McpHttpServer, serveHttp } from './serve/serve-http.ts';
export { serveStdio } from './serve/serve-stdio.ts';
export type { Tool } from './tools/tool.ts';
export { TOOLS } from './tools/tool-table.ts';
