package io.evenkeel.hollow.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.hollow.controller.Matches.VolumeIndex;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import org.junit.jupiter.api.Test;

class VolumeIndexTest {

    private static final ObjectKey KEY = Volume.key("v");

    private final Store store = new Store(10);
    private final VolumeIndex volumes = VolumeIndex.volumes();
    private final StoredObject free = store.create(KEY, Trees.parse(volume("'capacity':{'storage':'1Gi'}")))
            .orElseThrow();
    private final StoredObject given = store.replace(
                    free, Trees.parse(volume("'claimRef':{'namespace':'default','name':'data'}")))
            .orElseThrow();

    @Test
    void whatTheControllerWroteIsNotUndoneByAnEarlierChange() {
        volumes.see(given);
        volumes.follow(new Change.Added(free));

        assertThat(volumes.get(KEY)).contains(given);
        assertThat(volumes.open().of("")).isEmpty();
        assertThat(volumes.referringTo(Claim.key("default", "data"))).containsExactly(KEY);
    }

    @Test
    void anEarlierDeletionDoesNotHideWhatCameAfterIt() {
        StoredObject removed = store.remove(given).orElseThrow();
        StoredObject again = store.create(KEY, Trees.parse(volume(""))).orElseThrow();
        volumes.see(again);
        volumes.follow(new Change.Deleted(given, removed));

        assertThat(volumes.get(KEY)).contains(again);
    }

    @Test
    void whatIsGoneIsForgotten() {
        volumes.see(free);
        assertThat(volumes.open().of("")).containsExactly(KEY);
        volumes.see(given);
        assertThat(volumes.open().of("")).isEmpty();

        volumes.follow(new Change.Deleted(given, store.remove(given).orElseThrow()));
        assertThat(volumes.get(KEY)).isEmpty();
        assertThat(volumes.referringTo(Claim.key("default", "data"))).isEmpty();
    }

    private static String volume(String spec) {
        return "{'metadata':{'name':'v'},'spec':{%s},'status':{'phase':'Available'}}"
                .formatted(spec)
                .replace('\'', '"');
    }
}
