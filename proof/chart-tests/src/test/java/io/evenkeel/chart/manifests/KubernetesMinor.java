package io.evenkeel.chart.manifests;

/** The versions of Kubernetes that the chart is for, each with a kind that came with it and that all since have. */
enum KubernetesMinor {
    V1_30("V1ValidatingAdmissionPolicy"),
    V1_31("V1ImageVolumeSource"),
    V1_32("V1beta1ResourceClaim"),
    V1_33("V1ServiceCIDR"),
    V1_34("V1VolumeAttributesClass"),
    V1_35("V1beta1StorageVersionMigration"),
    V1_36("V1MutatingAdmissionPolicy");

    private final String arrival;

    KubernetesMinor(String arrival) {
        this.arrival = arrival;
    }

    /** The name of a model that there is from this minor on. */
    String arrival() {
        return arrival;
    }

    /** As Helm is told what server it renders for. */
    String server() {
        return "v" + this + ".0";
    }

    @Override
    public String toString() {
        return name().substring(1).replace('_', '.');
    }
}
