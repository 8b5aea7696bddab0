/**
 * Builders of pods and nodes, for readers, demos and tests. What is not asked for has the API's default.
 */
@NullMarked
package io.evenkeel.model.build;

import org.jspecify.annotations.NullMarked;
