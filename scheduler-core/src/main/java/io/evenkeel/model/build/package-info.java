/**
 * Builders of pods and nodes, for tests, demos and whoever makes some up. What is not asked for has the API's default.
 */
@NullMarked
package io.evenkeel.model.build;

import org.jspecify.annotations.NullMarked;
