package io.evenkeel.e2e.foreign;

import io.evenkeel.e2e.scene.Scene;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.Config;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;

/** The Kubernetes project's Java client as somebody's program uses it: by a kubeconfig, with nothing of ours in between. */
final class ForeignClient implements AutoCloseable {
    private final ApiClient api;

    private ForeignClient(String kubeconfig) {
        try {
            api = Config.fromConfig(new StringReader(kubeconfig));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        // a watch is silent for as long as nothing happens
        api.setReadTimeout(0);
    }

    /** As the user of the suite, who may do anything. */
    static ForeignClient of(Scene scene) {
        return by(scene.kubeconfig());
    }

    static ForeignClient by(String kubeconfig) {
        return new ForeignClient(kubeconfig);
    }

    ApiClient api() {
        return api;
    }

    @Override
    public void close() {
        api.getHttpClient().dispatcher().cancelAll();
        api.getHttpClient().dispatcher().executorService().shutdown();
        api.getHttpClient().connectionPool().evictAll();
    }
}
