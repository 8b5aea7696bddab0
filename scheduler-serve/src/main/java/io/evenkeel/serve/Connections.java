package io.evenkeel.serve;

import io.evenkeel.serve.WhatIfMetrics.Refusal;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The connections to a server's ports: so many at most, and so many of one address, of which more are closed as they come. Used by
 * several threads.
 */
final class Connections implements AutoCloseable {
    private static final int BYTES_OF_NETWORK = 8;

    private final WhatIfLimits limits;
    private final WhatIfMetrics metrics;
    private final EventLoopGroup accepting = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoopGroup reading = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());
    private final Map<SocketAddress, Channel> open = new HashMap<>();
    private final Map<ByteBuffer, Integer> byAddress = new HashMap<>();

    Connections(WhatIfLimits limits, WhatIfMetrics metrics) {
        this.limits = limits;
        this.metrics = metrics;
    }

    void limit(NettyServerBuilder builder) {
        builder.bossEventLoopGroup(accepting).workerEventLoopGroup(reading).channelFactory(Limited::new);
    }

    synchronized int count() {
        return open.size();
    }

    /** Closes the connection from there, and with it all of its calls. */
    void close(SocketAddress client) {
        Optional<Channel> channel;
        synchronized (this) {
            channel = Optional.ofNullable(open.get(client));
        }
        channel.ifPresent(Channel::close);
    }

    private synchronized boolean enters(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress client)
                || open.size() >= limits.traffic().connections()) {
            return false;
        }
        ByteBuffer address = addressOf(client.getAddress());
        if (byAddress.getOrDefault(address, 0) >= limits.traffic().connectionsOfOne()) {
            return false;
        }
        byAddress.merge(address, 1, Integer::sum);
        open.put(client, channel);
        var _ = channel.closeFuture().addListener(_ -> left(client, address));
        return true;
    }

    private synchronized void left(SocketAddress client, ByteBuffer address) {
        open.remove(client);
        byAddress.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Of IPv6 the network, as who has one has all of its addresses. */
    private static ByteBuffer addressOf(InetAddress client) {
        byte[] bytes = client.getAddress();
        return ByteBuffer.wrap(client instanceof Inet6Address ? Arrays.copyOf(bytes, BYTES_OF_NETWORK) : bytes);
    }

    /** Accepts connections as the library does, and closes those that are too many before it hears of them. */
    private final class Limited extends NioServerSocketChannel {
        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            int before = accepted.size();
            int read = super.doReadMessages(accepted);
            accepted.subList(before, accepted.size()).removeIf(each -> {
                Channel channel = (Channel) each;
                boolean isTooMany = !enters(channel);
                if (isTooMany) {
                    metrics.refused(Refusal.CONNECTIONS);
                    channel.unsafe().closeForcibly();
                }
                return isTooMany;
            });
            return read;
        }
    }

    @Override
    public void close() {
        var _ = accepting.shutdownGracefully();
        var _ = reading.shutdownGracefully();
    }
}
