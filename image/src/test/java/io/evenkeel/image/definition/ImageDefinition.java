package io.evenkeel.image.definition;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What an image adds to its base. Values that a build hands in are written as the Dockerfile writes them: {@code
 * $VERSION}.
 *
 * @param folders each folder or file of the tree that becomes (part of) a layer, in the order of the layers
 */
record ImageDefinition(
        String base,
        List<String> entrypoint,
        String user,
        String workingDirectory,
        Set<String> ports,
        Map<String, String> labels,
        List<String> folders) {}
