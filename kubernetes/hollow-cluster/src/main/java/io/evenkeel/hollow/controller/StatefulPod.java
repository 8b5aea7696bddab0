package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.Templates;
import java.util.Optional;

/** The pods of a StatefulSet's present template: which they are, and how one of an ordinal is made. */
record StatefulPod(StoredObject set, String revision) {

    static StatefulPod of(StoredObject set) {
        return new StatefulPod(set, Templates.revision(set.tree()));
    }

    /** The ordinal in a pod's name, if it is one of the set. */
    static Optional<Long> ordinal(StoredObject set, StoredObject pod) {
        String prefix = set.key().name() + "-";
        String name = pod.key().name();
        String rest = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
        return rest.matches("[0-9]{1,9}") ? Optional.of(Long.parseLong(rest)) : Optional.empty();
    }

    boolean isOf(StoredObject pod) {
        return Trees.text(pod.tree(), "metadata", "labels", Templates.REVISION).equals(revision);
    }

    JsonObject pod(long ordinal) {
        return PodFactory.owned(Templates.pod(set.tree(), ordinal), ResourceTable.STATEFUL_SETS, set);
    }
}
