package io.evenkeel.cluster.shape;

import io.evenkeel.model.Container;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * The images that a pod needs on its node, a name for each use, with the tag that is meant where none is written.
 *
 * @param ofContainers images of init containers and containers
 * @param ofVolumes images that are mounted as volumes
 */
public record PodImages(List<String> ofContainers, List<String> ofVolumes) {
    private static final String LATEST = ":latest";

    /** The images of a pod; those of a facet where one has them. */
    static PodImages of(Pod pod, FacetTable<PodImages> facets) {
        PodSpec spec = pod.spec();
        if (spec.imageVolumes().isEmpty()) {
            PodImages known = facets.known(hash(spec), spec, PodImages::areOf);
            if (known != null) {
                return known;
            }
        }
        return of(pod);
    }

    static PodImages of(Pod pod) {
        List<String> ofVolumes = List.of();
        if (!pod.spec().imageVolumes().isEmpty()) {
            ofVolumes =
                    pod.spec().imageVolumes().stream().map(PodImages::withTag).toList();
        }
        return new PodImages(
                ofContainers(pod.spec().initContainers(), pod.spec().containers()), ofVolumes);
    }

    private static List<String> ofContainers(List<Container> first, List<Container> then) {
        if (first.isEmpty() && then.size() == 1) {
            return List.of(withTag(then.getFirst().image()));
        }
        List<String> images = new ArrayList<>(first.size() + then.size());
        first.forEach(container -> images.add(withTag(container.image())));
        then.forEach(container -> images.add(withTag(container.image())));
        return images;
    }

    private static String withTag(String image) {
        return hasTag(image) ? image : image + LATEST;
    }

    /** A colon after the last slash starts a tag or ends a digest; one before it belongs to a registry's port. */
    private static boolean hasTag(String image) {
        return image.lastIndexOf(':') > image.lastIndexOf('/');
    }

    @Override
    public int hashCode() {
        return 31 * ofContainers.hashCode() + ofVolumes.hashCode();
    }

    /** The hash of what a pod without image volumes has. */
    private static int hash(PodSpec spec) {
        return 31 * hash(hash(1, spec.initContainers()), spec.containers())
                + List.of().hashCode();
    }

    /** As the list of the images, with tags, is hashed. */
    private static int hash(int before, List<Container> containers) {
        int hash = before;
        for (int i = 0; i < containers.size(); i++) {
            hash = 31 * hash + hashWithTag(containers.get(i).image());
        }
        return hash;
    }

    private static int hashWithTag(String image) {
        int hash = image.hashCode();
        if (!hasTag(image)) {
            for (int i = 0; i < LATEST.length(); i++) {
                hash = 31 * hash + LATEST.charAt(i);
            }
        }
        return hash;
    }

    /** Whether a pod without image volumes has these. */
    private static boolean areOf(PodSpec spec, PodImages images) {
        int first = spec.initContainers().size();
        return images.ofVolumes.isEmpty()
                && images.ofContainers.size() == first + spec.containers().size()
                && areOf(spec.initContainers(), images.ofContainers, 0)
                && areOf(spec.containers(), images.ofContainers, first);
    }

    private static boolean areOf(List<Container> containers, List<String> images, int from) {
        for (int i = 0; i < containers.size(); i++) {
            String written = containers.get(i).image();
            String meant = images.get(from + i);
            boolean isSame = hasTag(written)
                    ? meant.equals(written)
                    : meant.length() == written.length() + LATEST.length()
                            && meant.startsWith(written)
                            && meant.endsWith(LATEST);
            if (!isSame) {
                return false;
            }
        }
        return true;
    }
}
