# Builds an image with the executable on a minimal base.
#   docker build --build-arg PETSTORE_COMMIT=$(git rev-parse --short=12 HEAD) -t petstore .
FROM node:20-alpine AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
ARG PETSTORE_COMMIT
RUN npm run build && mkdir /data

FROM alpine:3.22
# The only library that the runtime needs besides the C library.
RUN apk add --no-cache libstdc++
COPY --from=build /app/dist/petstore /usr/local/bin/petstore
COPY --from=build /app/dist/petstore.licenses.txt /usr/local/share/licenses/petstore.txt
COPY --from=build --chown=65534:65534 /data /data
# Runs as nobody and writes only to the volume, so the root file system can be read-only.
USER 65534:65534
VOLUME /data
# The default database, data/petstore.db, is in the volume. DATABASE_URL stays unset, because it cannot be combined
# with DATABASE_URL_FILE.
WORKDIR /
ENV HOST=0.0.0.0 PORT=8080
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=2s CMD wget -qO- "http://127.0.0.1:${PORT}/readyz" || exit 1
ENTRYPOINT ["petstore"]
