/** Makes what controllers and the API server make of manifests: pods, their names, owners and defaults, without either. */
@NullMarked
package io.evenkeel.tools.simulate.workload;

import org.jspecify.annotations.NullMarked;
