package io.evenkeel.kube.watch;

import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/** The real transport to a hollow cluster, which may be held to one encoding and remembers which ones came. */
final class HollowTransport implements ApiTransport, AutoCloseable {
    private static final List<Kind<?>> CUSTOM =
            List.of(Kinds.COSCHEDULING_POD_GROUP, Kinds.PLACEMENT_POLICY, Kinds.CLUSTER_PLACEMENT_POLICY);

    private final HttpTransport transport;
    private final boolean jsonOnly;
    private final Set<String> contentTypes = new ConcurrentSkipListSet<>();
    private final Set<String> ofCustomResources = new ConcurrentSkipListSet<>();

    HollowTransport(HollowCluster cluster, Path folder, boolean jsonOnly) throws IOException {
        Path kubeconfig = cluster.writeKubeconfig(folder.resolve("kubeconfig"));
        this.transport = HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), "test", ApiObserver.NONE);
        this.jsonOnly = jsonOnly;
    }

    @Override
    public ApiAnswer call(ApiCall call) {
        throw new AssertionError("a watch only streams");
    }

    @Override
    public ApiAnswer stream(ApiCall call) throws IOException {
        ApiAnswer answer = transport.stream(
                jsonOnly
                        ? new ApiCall(call.method(), call.path(), Map.of("Accept", "application/json"), call.body())
                        : call);
        if (answer.code() == 200) {
            boolean custom = CUSTOM.stream().anyMatch(kind -> call.path().startsWith(kind.path()));
            (custom ? ofCustomResources : contentTypes).add(answer.contentType());
        }
        return answer;
    }

    /** The Content-Types of the answers that were about custom resources, and no refusals. */
    Set<String> ofCustomResources() {
        return new TreeSet<>(ofCustomResources);
    }

    /** The Content-Types of all others that were no refusals. */
    Set<String> contentTypes() {
        return new TreeSet<>(contentTypes);
    }

    @Override
    public String host() {
        return transport.host();
    }

    @Override
    public void close() {
        transport.close();
    }
}
