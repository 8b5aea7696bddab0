/** Objects that a plugin reads, as the models of Kubernetes' Java client. Knows the model of Evenkeel, and no scheduler. */
@NullMarked
package io.evenkeel.clientjava;

import org.jspecify.annotations.NullMarked;
