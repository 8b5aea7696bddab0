/** Trouble on demand: latency, held requests, refusals, broken calls and connections, lost and doubled watch events. */
@NullMarked
package io.evenkeel.hollow.fault;

import org.jspecify.annotations.NullMarked;
