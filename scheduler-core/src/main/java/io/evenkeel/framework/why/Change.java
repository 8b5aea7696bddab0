package io.evenkeel.framework.why;

/** One change that might make a waiting pod fit. Whether it does is tried before anybody is told. */
public sealed interface Change permits PodChange, NodeChange, NodeAdded, ObjectAdded, PolicyLimit, PodGone {

    /** The kinds of changes, in the order in which an operator would rather make them. */
    enum Kind {
        RESOURCE("resource"),
        UNCORDON("uncordon"),
        CLAIM("claim"),
        STORAGE_CLASS("storageClass"),
        VOLUME("volume"),
        NODE("node"),
        REQUEST("request"),
        TOLERATION("toleration"),
        TAINT("taint"),
        NODE_LABEL("nodeLabel"),
        MAX_SKEW("maxSkew"),
        MIN_DOMAINS("minDomains"),
        TAINTS_POLICY("nodeTaintsPolicy"),
        SPREAD("spread"),
        NODE_SELECTOR("nodeSelector"),
        NODE_AFFINITY("nodeAffinity"),
        POD_AFFINITY("podAffinity"),
        POLICY("policy"),
        PRIORITY("priority"),
        POD_GONE("podGone");

        private final String written;

        Kind(String written) {
            this.written = written;
        }

        /** As answers name it. */
        public String written() {
            return written;
        }
    }

    Kind kind();

    /** For people to read: a noun first. */
    String text();
}
