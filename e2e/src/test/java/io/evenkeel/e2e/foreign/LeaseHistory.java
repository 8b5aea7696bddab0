package io.evenkeel.e2e.foreign;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.e2e.scene.Scene;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.apis.CoordinationV1Api;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseList;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What became of a scene's Lease, write by write, as a third party sees it. */
final class LeaseHistory implements AutoCloseable {
    private final ForeignClient client;
    private final SharedInformerFactory factory;
    private final List<Term> terms = new CopyOnWriteArrayList<>();

    /** What one write said. */
    private record Term(String holder, OffsetDateTime acquired, OffsetDateTime renewed, Duration duration) {
        /** Ours adds to its name what makes it unique. */
        String holderName() {
            return holder.split("_", 2)[0];
        }

        static Term of(V1LeaseSpec lease) {
            return new Term(
                    lease.getHolderIdentity() == null ? "" : lease.getHolderIdentity(),
                    lease.getAcquireTime(),
                    lease.getRenewTime(),
                    Duration.ofSeconds(lease.getLeaseDurationSeconds() == null ? 0 : lease.getLeaseDurationSeconds()));
        }
    }

    private LeaseHistory(Scene scene) {
        client = ForeignClient.of(scene);
        factory = new SharedInformerFactory(client.api());
        CoordinationV1Api leases = new CoordinationV1Api(client.api());
        factory.sharedIndexInformerFor(
                        call -> leases.listNamespacedLease(scene.namespace())
                                .watch(call.watch)
                                .resourceVersion(call.resourceVersion)
                                .timeoutSeconds(call.timeoutSeconds)
                                .buildCall(null),
                        V1Lease.class,
                        V1LeaseList.class)
                .addEventHandler(new Handler());
        factory.startAllRegisteredInformers();
    }

    static LeaseHistory of(Scene scene) {
        return new LeaseHistory(scene);
    }

    /** Waits until these have held it, one after the other, and no others; empty where it was given back. */
    void awaitHolders(String... identities) {
        eventually("the lease was held by " + List.of(identities))
                .untilAsserted(() -> assertThat(holders()).containsExactly(identities));
    }

    /** Waits until it has been written so often in the name of one. */
    void awaitRenewals(String identity, int count) {
        eventually(identity + " has written it " + count + " times")
                .until(() -> terms.stream()
                                .filter(term -> term.holderName().equals(identity))
                                .count()
                        >= count);
    }

    private List<String> holders() {
        List<String> holders = new ArrayList<>();
        for (Term term : terms) {
            if (holders.isEmpty() || !holders.getLast().equals(term.holderName())) {
                holders.add(term.holderName());
            }
        }
        return holders;
    }

    /** Nobody took it before who held it had given it back, or had let it run out. */
    void assertTakenFromNobodyWhoHeldIt() {
        for (int i = 1; i < terms.size(); i++) {
            Term before = terms.get(i - 1);
            Term after = terms.get(i);
            if (!before.holder.isEmpty() && !after.holder.isEmpty() && !before.holder.equals(after.holder)) {
                assertThat(after.acquired)
                        .as("%s takes it from %s", after, before)
                        .isAfterOrEqualTo(before.renewed.plus(before.duration));
            }
        }
    }

    @Override
    public void close() {
        factory.stopAllRegisteredInformers();
        client.close();
    }

    private final class Handler implements ResourceEventHandler<V1Lease> {
        @Override
        public void onAdd(V1Lease lease) {
            terms.add(Term.of(lease.getSpec()));
        }

        @Override
        public void onUpdate(V1Lease before, V1Lease lease) {
            onAdd(lease);
        }

        @Override
        public void onDelete(V1Lease lease, boolean unseen) {
            // with its scene
        }
    }
}
