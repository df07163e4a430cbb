# The whole of `npm start` in one image, with its data in /data: docker build -f infra/docker/gleaner.Dockerfile -t gleaner .
# The images of single services, for Compose and Kubernetes, are built by the Dockerfile beside this one.
ARG BASE=node:26.10.0-bookworm-slim

FROM ${BASE} AS console
RUN npm install --global pnpm@12.4.2
WORKDIR /gleaner
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml tsconfig.json ./
COPY packages packages
COPY services services
COPY infra/package.json infra/package.json
RUN pnpm install --frozen-lockfile --filter "@gleaner/console..." \
 && node packages/console/build.mjs /console

FROM ${BASE} AS stack
RUN npm install --global pnpm@12.4.2
WORKDIR /gleaner
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml ./
COPY packages packages
COPY services services
COPY infra/package.json infra/package.json
# The browser is Debian's, which is newer than the one in the packages and runs on both architectures.
RUN pnpm install --frozen-lockfile --prod --filter "{./services/*}..." --filter "@gleaner/infra..." --filter "gleaner..." \
 && rm -f node_modules/.pnpm/@sparticuz+chromium@*/node_modules/@sparticuz/chromium/bin/*
COPY infra/backup infra/backup
COPY infra/configuration infra/configuration
COPY infra/demo-site infra/demo-site
COPY infra/keys infra/keys
COPY infra/stack infra/stack

FROM ${BASE}

LABEL org.opencontainers.image.title=gleaner \
      org.opencontainers.image.licenses=Apache-2.0

# tini reaps what a killed service leaves behind and passes signals on.
RUN apt-get update \
 && apt-get install -y --no-install-recommends tini ca-certificates chromium-headless-shell \
    fonts-liberation fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji \
 && rm -rf /var/lib/apt/lists/* \
 && printf '#!/bin/sh\nexec node --disable-warning=ExperimentalWarning /gleaner/packages/cli/src/main.ts "$@"\n' > /usr/local/bin/gleaner \
 && chmod 755 /usr/local/bin/gleaner \
 && install -d -o node -g node -m 700 /data
WORKDIR /gleaner
COPY --from=stack /gleaner /gleaner
COPY --from=console /console /console

# The compiled modules, read by every start: the environment is that of infra/stack/processes/memory-settings.ts.
RUN install -d -o node -g node node_modules/.cache/gleaner-modules
USER node
RUN NODE_OPTIONS=--max-semi-space-size=4 NODE_COMPILE_CACHE=/gleaner/node_modules/.cache/gleaner-modules \
    node --disable-warning=ExperimentalWarning infra/stack/processes/compile-modules-process.ts > /dev/null

ENV NODE_ENV=production \
    CHROMIUM_PATH=/usr/lib/chromium/chromium-headless-shell \
    CONSOLE_DIR=/console \
    GLEANER_DATA_DIR=/data \
    HOST=0.0.0.0 \
    IN_CONTAINER=true \
    METRICS_PORT=9464 \
    PORT=8080
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.METRICS_PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--disable-warning=ExperimentalWarning", "infra/stack/main.ts"]
