package io.evenkeel.image.definition;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What an image adds to its base. Values that a build hands in are written as the Dockerfile writes them: {@code
 * $VERSION}.
 *
 * @param layers the folders of the tree that each become a layer, and where their files go: {@code tree/runtime → /}
 */
record ImageDefinition(
        String base,
        List<String> entrypoint,
        String user,
        String workingDirectory,
        Set<String> ports,
        Map<String, String> labels,
        List<String> layers) {}
