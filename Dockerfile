# One small image: the program as it is, its dependencies, and the runtime. Nothing is compiled or bundled.
FROM node:20-alpine AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# The runtime comes with the image below, not from npm.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/bun node_modules/@oven

FROM oven/bun:1.4.4-alpine
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY src src
RUN mkdir /data && chown bun:bun /data
USER bun
VOLUME /data
ENV HOST=0.0.0.0 PORT=8080 DATABASE_URL=sqlite:/data/petstore.db
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=2s CMD wget -qO- "http://127.0.0.1:${PORT}/readyz" || exit 1
ENTRYPOINT ["bun", "--no-env-file", "src/main.ts"]
