package io.evenkeel.model.storage;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.NamedConstant;
import java.util.List;
import java.util.Optional;

/**
 * A StorageClass.
 *
 * @param provisioner who makes its volumes
 * @param bindingMode empty only where no API server has seen it, which fills it in
 * @param allowedTopologies where they may be made: where one of these terms holds; anywhere where there is none
 */
public record StorageClass(
        ObjectMeta meta, String provisioner, Optional<BindingMode> bindingMode, List<TopologyTerm> allowedTopologies)
        implements PluginObject {
    private static final String NOBODY = "kubernetes.io/no-provisioner";

    public enum BindingMode implements NamedConstant {
        IMMEDIATE,
        /** Once a pod that uses it has its node. */
        WAIT_FOR_FIRST_CONSUMER
    }

    @Override
    public String kindName() {
        return "StorageClass";
    }

    public String name() {
        return meta.name();
    }

    /** Whether a claim of the class is bound only once a pod that uses it has its node. */
    public boolean bindsLate() {
        return bindingMode.filter(BindingMode.WAIT_FOR_FIRST_CONSUMER::equals).isPresent();
    }

    /** Whether volumes are made for claims of the class, and not only found. */
    public boolean provisions() {
        return !provisioner.isEmpty() && !provisioner.equals(NOBODY);
    }

    /** The labels that a node needs for volumes to be made near it; all requirements must hold. */
    public record TopologyTerm(List<Requirement> requirements) {

        /** A label that a node must have, with one of these values. */
        public record Requirement(String key, List<String> values) {
            boolean holds(Labels labels) {
                int index = labels.find(key);
                return index >= 0 && values.contains(labels.valueAt(index));
            }
        }

        /** A term without requirements holds nowhere. */
        public boolean holds(Labels labels) {
            for (int i = 0; i < requirements.size(); i++) {
                if (!requirements.get(i).holds(labels)) {
                    return false;
                }
            }
            return !requirements.isEmpty();
        }

        /** Whether one of the terms holds, or there is none. */
        public static boolean anyHolds(List<TopologyTerm> terms, Labels labels) {
            for (int i = 0; i < terms.size(); i++) {
                if (terms.get(i).holds(labels)) {
                    return true;
                }
            }
            return terms.isEmpty();
        }
    }
}
