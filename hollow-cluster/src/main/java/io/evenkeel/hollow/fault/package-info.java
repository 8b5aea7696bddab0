/** Trouble on demand: latency, held requests, refusals, broken connections, lost and doubled watch events. */
@NullMarked
package io.evenkeel.hollow.fault;

import org.jspecify.annotations.NullMarked;
