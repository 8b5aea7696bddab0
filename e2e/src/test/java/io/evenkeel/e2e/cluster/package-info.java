/** Where the suite runs: in a hollow cluster, in k3s, or in whatever cluster a kubeconfig names. Knows no scenarios. */
@NullMarked
package io.evenkeel.e2e.cluster;

import org.jspecify.annotations.NullMarked;
