package io.evenkeel.tools.page;

import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.ErrorStatus;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.Routes.Setter;
import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.why.Questions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The page of a cluster at an address of its own, on loopback and for everybody there: for clusters where nothing is at stake. Until
 * somebody looks it costs a port and no more; from then on an observer follows the cluster.
 */
public final class PageSite implements AutoCloseable {
    private static final Duration TO_STOP = Duration.ofSeconds(2);
    private static final int LONGEST_CHANGE = 64 * 1024;

    private final Supplier<Page.Setting> setting;
    private final Supplier<HttpTransport> cluster;
    private final EndpointServer server;
    private Optional<Observer> observer = Optional.empty();

    private record Observer(HttpTransport cluster, LiveScheduler scheduler, Page page, Routes routes) {}

    /**
     * Begins to serve.
     *
     * @param port 0 for any free one
     * @param setting is asked for once somebody looks
     * @param cluster connects to it, once somebody looks
     */
    public PageSite(int port, Supplier<Page.Setting> setting, Supplier<HttpTransport> cluster, Applying applying) {
        this.setting = setting;
        this.cluster = cluster;
        Routes routes = new Routes()
                .addBelow(Page.PATH, this::answer)
                .addSetter(Page.API + "apply", new Change(applying))
                .addSetter(PageAnswers.WHAT_IF, new WhatIfThere(), this::answer);
        PageFiles.addTo(routes);
        try {
            server = EndpointServer.plain(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    routes,
                    AccessControl.OPEN_TO_ALL,
                    (_, _) -> {});
        } catch (IOException taken) {
            throw new UncheckedIOException("cannot serve the page on loopback", taken);
        }
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.address().getPort() + Page.PATH);
    }

    private Answer answer(Request request) {
        return observing().routes().answer(request);
    }

    private synchronized Observer observing() {
        if (observer.isEmpty()) {
            Page.Setting here = setting.get();
            Questions questions = here.questions();
            Page page = new Page(here, questions);
            HttpTransport transport = cluster.get();
            LiveScheduler scheduler = LiveScheduler.start(
                    here.configuration(),
                    transport,
                    LiveOptions.observing("page", here.plugins()),
                    LiveObservers.NONE.with(List.of(questions, page)));
            Routes routes = new Routes();
            page.addTo(routes);
            observer = Optional.of(new Observer(transport, scheduler, page, routes));
        }
        return observer.get();
    }

    @Override
    public synchronized void close() {
        server.close();
        observer.ifPresent(there -> {
            there.page().close();
            there.scheduler().stop(TO_STOP);
            there.cluster().close();
        });
    }

    /** What is supposed, by whom the observer's cluster is known. */
    private final class WhatIfThere implements Setter {
        @Override
        public int longest() {
            return PageAnswers.LONGEST_CONFIGURATION;
        }

        @Override
        public Answer set(Request request, String configuration) {
            return observing().routes().setter(request.path()).orElseThrow().set(request, configuration);
        }
    }

    /** Carries out changes that were asked for on the page, and says what was done. */
    @FunctionalInterface
    public interface Applying {
        /** @throws IllegalArgumentException if they make no sense or are refused */
        Tree apply(String json);
    }

    private record Change(Applying applying) implements Setter {
        @Override
        public int longest() {
            return LONGEST_CHANGE;
        }

        @Override
        public Reply set(Request request, String value) {
            Optional<Reply> foreign = PageFiles.foreign(request);
            if (foreign.isPresent()) {
                return foreign.get();
            }
            try {
                return Reply.json(200, applying.apply(value).json());
            } catch (IllegalArgumentException refused) {
                return ErrorStatus.badRequest(String.valueOf(refused.getMessage()));
            }
        }
    }
}
