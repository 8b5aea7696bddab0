/**
 * The interfaces of a scheduler plugin: the extension points, those for groups of pods among them, what a plugin is
 * made from, and what it is handed. With {@code framework.cycle} and {@code framework.change} the API that out-of-tree plugins
 * are written against.
 */
@NullMarked
package io.evenkeel.framework;

import org.jspecify.annotations.NullMarked;
