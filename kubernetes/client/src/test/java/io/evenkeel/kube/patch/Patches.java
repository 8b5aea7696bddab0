package io.evenkeel.kube.patch;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.write.Tree;
import java.util.Optional;

/** Patches of made-up policies. */
final class Patches {
    private Patches() {}

    static MergePatch patch(String name, String status) {
        ObjectMeta object = new ObjectMeta(
                "shop", name, "uid-" + name, Labels.EMPTY, Labels.EMPTY, Optional.empty(), false, "7", 1);
        return MergePatch.status(Kinds.PLACEMENT_POLICY, object, new Tree().put("says", status));
    }

    static String inWords(MergePatch patch) {
        return patch.object().name() + " " + patch.body().replaceFirst(".*\"says\":\"([^\"]*)\".*", "$1");
    }
}
