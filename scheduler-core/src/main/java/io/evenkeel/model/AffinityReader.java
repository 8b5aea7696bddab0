package io.evenkeel.model;

/** Reads {@code spec.affinity}. */
final class AffinityReader {
    private AffinityReader() {}

    static void read(JsonCursor in, PodBuilder pod) {
        PodAffinityReader.Terms near = PodAffinityReader.Terms.NONE;
        PodAffinityReader.Terms apart = PodAffinityReader.Terms.NONE;
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "nodeAffinity" -> pod.nodeAffinity(NodeAffinityReader.read(in));
                case "podAffinity" -> near = PodAffinityReader.read(in);
                case "podAntiAffinity" -> apart = PodAffinityReader.read(in);
                default -> in.skip();
            }
        }
        PodAffinity affinity = new PodAffinity(near.required(), near.preferred(), apart.required(), apart.preferred());
        pod.podAffinity(affinity.isNone() ? PodAffinity.NONE : affinity);
    }
}
