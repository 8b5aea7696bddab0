/**
 * Why a pod fits nowhere, in numbers, and what would help: each remedy is tried on the cluster, as a what-if, before it is
 * told. Nothing is kept from one question to the next.
 */
@NullMarked
package io.evenkeel.whatif.why;

import org.jspecify.annotations.NullMarked;
