/**
 * The cost of harmful tenants to the others: the pods that they would create, and how long the others' pods take with
 * and without them. Everything of one case is in {@link io.evenkeel.lab.bench.hostile.HostileObjects}.
 */
@NullMarked
package io.evenkeel.lab.bench.hostile;

import org.jspecify.annotations.NullMarked;
