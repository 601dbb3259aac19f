# The nightly refresh in a container, by a user without rights; docs/nightly.md says how to start it.
#
#   docker build -t conspectus .
#   docker run --rm -v /data:/data conspectus

FROM python:3.13-slim AS build
WORKDIR /src
COPY requirements.lock ./
RUN python -m venv /opt/conspectus \
    && /opt/conspectus/bin/pip install --no-cache-dir --no-deps --require-hashes --requirement requirements.lock
COPY . .
RUN /opt/conspectus/bin/pip install --no-cache-dir --no-build-isolation --no-deps .

FROM python:3.13-slim
COPY --from=build /opt/conspectus /opt/conspectus
# What it writes lies below /data alone. A folder of the host must belong to this user: chown 10001 /data.
RUN useradd --uid 10001 --create-home --home-dir /data conspectus
ENV PATH=/opt/conspectus/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    CONSPECTUS_RAW=/data/raw \
    CONSPECTUS_OUT=/data/out \
    CONSPECTUS_CONFIG=/data/sources.toml
USER conspectus
WORKDIR /data
VOLUME /data
ENTRYPOINT ["conspectus"]
CMD ["refresh", "--fetch", "--quiet"]
