package io.evenkeel.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ObjectMetaTest {
    private final ObjectMeta meta = new ObjectMeta(
            "shop", "web-0", "7", Labels.of("app", "web"), Labels.EMPTY, Optional.empty(), false, "12", 3);

    @Test
    void theKeyIsTheNameInItsNamespaceIfItHasOne() {
        assertThat(meta.key()).isEqualTo("shop/web-0");
        assertThat(ObjectMeta.named("", "node-1").key()).isEqualTo("node-1");
    }

    /** A string keeps its hash, so that whoever looks the object up again hashes nothing either. */
    @Test
    void theKeyIsPutTogetherOnce() {
        assertThat(meta.key()).isSameAs(meta.key());
    }

    @Test
    void equalMetadataAreEqualWhetherTheirKeyWasAskedForOrNot() {
        ObjectMeta same = meta.withTerminating(true).withTerminating(false);
        assertThat(meta.key()).isNotEmpty();

        assertThat(same).isEqualTo(meta).hasSameHashCodeAs(meta).hasToString(meta.toString());
    }

    @Test
    void everyPartCounts() {
        OwnerReference owner = new OwnerReference("apps/v1", "ReplicaSet", "web", "3");
        List<ObjectMeta> others = List.of(
                meta.inNamespace("other"),
                new ObjectMeta("shop", "web-1", "7", meta.labels(), Labels.EMPTY, Optional.empty(), false, "12", 3),
                new ObjectMeta("shop", "web-0", "8", meta.labels(), Labels.EMPTY, Optional.empty(), false, "12", 3),
                meta.withLabels(Labels.EMPTY),
                new ObjectMeta("shop", "web-0", "7", meta.labels(), Labels.EMPTY, Optional.of(owner), false, "12", 3),
                meta.withTerminating(true),
                meta.withVersion("13", 3),
                meta.withVersion("12", 4));

        assertThat(others).doesNotContain(meta).doesNotHaveDuplicates();
        assertThat(others.stream().map(ObjectMeta::toString)).doesNotContain(meta.toString());
    }
}
