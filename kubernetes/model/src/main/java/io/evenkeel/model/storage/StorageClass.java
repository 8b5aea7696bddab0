package io.evenkeel.model.storage;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
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

    /** When a claim is bound. */
    public enum BindingMode implements NamedConstant {
        IMMEDIATE("Immediate"),
        /** Once a pod that uses it has its node. */
        WAIT_FOR_FIRST_CONSUMER("WaitForFirstConsumer");

        private final String apiName;

        BindingMode(String apiName) {
            this.apiName = apiName;
        }

        @Override
        public String apiName() {
            return apiName;
        }
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
}
