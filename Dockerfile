# The static binary on an empty image:
#   docker build -t ludens .
#   docker run --rm -it ludens play connect4
#   docker run --rm -v "$PWD/runs:/runs" ludens train connect4
#   docker run --rm -p 127.0.0.1:7200:7200 ludens serve --listen 0.0.0.0
FROM rust:1.95-bookworm AS build
RUN rustup target add x86_64-unknown-linux-musl
WORKDIR /ludens
COPY . .
RUN cargo build --profile dist --locked --target x86_64-unknown-linux-musl

FROM scratch
COPY --from=build /ludens/target/x86_64-unknown-linux-musl/dist/ludens /ludens
ENV LUDENS_CACHE=off
VOLUME /runs
ENTRYPOINT ["/ludens"]
