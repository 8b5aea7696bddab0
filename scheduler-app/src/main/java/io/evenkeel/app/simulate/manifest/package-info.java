/** Manifests as files have them: objects in YAML or JSON, each with the place that it is from. Nothing of what they mean. */
@NullMarked
package io.evenkeel.app.simulate.manifest;

import org.jspecify.annotations.NullMarked;
