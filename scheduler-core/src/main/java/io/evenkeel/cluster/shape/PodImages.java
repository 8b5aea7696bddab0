package io.evenkeel.cluster.shape;

import io.evenkeel.model.Container;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;

/**
 * The images that a pod needs on its node, a name for each use, with the tag that is meant where none is written.
 *
 * @param ofContainers images of init containers and containers
 * @param ofVolumes images that are mounted as volumes
 */
public record PodImages(List<String> ofContainers, List<String> ofVolumes) {
    static final FacetKind<PodImages> KIND = new FacetKind<>("images", (pod, _) -> of(pod));

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

    /** A colon after the last slash starts a tag or ends a digest; one before it belongs to a registry's port. */
    private static String withTag(String image) {
        return image.lastIndexOf(':') > image.lastIndexOf('/') ? image : image + ":latest";
    }
}
