package io.evenkeel.app.plugin;

import java.nio.file.Path;
import java.util.List;

/**
 * One entry of a directory of plugins: a jar by itself, or a folder with a plugin's jar and the jars that it needs.
 *
 * @param path of the jar or the folder, as messages name it
 * @param jars in the order in which classes are looked for; at least one
 */
record PluginSource(Path path, List<Path> jars) {}
