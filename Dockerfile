# The image of Evenkeel, from nothing but this checkout:
#   docker build --build-arg VERSION=… --build-arg REVISION=… --build-arg CREATED=… -t evenkeel .
# A tag names today's base; --build-arg BASE=…@sha256:… names one for good, as releases do.
# Jib makes the same image without an engine (ship/image/pom.xml); ImageDefinitionTest fails where the two differ.

# glibc, CA certificates and a /tmp; no shell, no package manager
ARG BASE=gcr.io/distroless/base-nossl-debian12:nonroot

FROM eclipse-temurin:25-jdk AS build
# for mvnw, whose checksum of Maven is that of the zip
RUN apt-get update && apt-get install -y --no-install-recommends unzip
WORKDIR /src
COPY . .
# the tree, with a cache of this very JVM: the training run is part of it
RUN --mount=type=cache,target=/root/.m2 ./mvnw -B -q -ntp -Pimage -Dmaven.test.skip -pl ship/image -am package

FROM $BASE
# a layer each, the one that changes most rarely first
COPY --from=build /src/ship/image/target/tree/runtime/ /
COPY --from=build /src/ship/image/target/tree/libraries/ /
COPY --from=build /src/ship/image/target/tree/program/ /

ARG BASE
ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=2026-01-01T00:00:00Z
LABEL org.opencontainers.image.title="Evenkeel" \
      org.opencontainers.image.description="A standalone Kubernetes scheduler that keeps counts instead of recounting." \
      org.opencontainers.image.url="https://github.com/evenkeel/evenkeel" \
      org.opencontainers.image.source="https://github.com/evenkeel/evenkeel" \
      org.opencontainers.image.documentation="https://github.com/evenkeel/evenkeel/blob/main/docs/image.md" \
      org.opencontainers.image.vendor="Evenkeel" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED" \
      org.opencontainers.image.base.name="$BASE"

USER 65532:65532
WORKDIR /tmp
EXPOSE 10259
ENTRYPOINT ["/opt/evenkeel/jre/bin/java", "-XX:AOTCache=/opt/evenkeel/app/evenkeel.aot", "-jar", "/opt/evenkeel/app/evenkeel.jar"]
