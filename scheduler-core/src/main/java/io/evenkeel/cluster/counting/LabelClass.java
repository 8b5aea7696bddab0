package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Pods that no live selector can tell apart: of one namespace, alike in every label that some selector mentions, and
 * all equally far on their way out. Which groups they are in is worked out once for all of them.
 */
final class LabelClass {
    record Key(String namespace, Labels mentionedLabels, Pod.Departure departure) {}

    final Key key;
    final List<SelectorGroup> groups = new ArrayList<>();
    final List<SelectorGroup> readableGroups = Collections.unmodifiableList(groups);
    List<CarriedTerm> matchedTerms = List.of();
    long matchedTermsVersion = -1;
    int firstPod = PodTable.NONE;
    int pods;

    LabelClass(Key key) {
        this.key = key;
    }
}
