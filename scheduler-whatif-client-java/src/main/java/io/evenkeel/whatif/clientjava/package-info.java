/** What-ifs in programs that speak of a cluster in client-java's types: fed by its informers, asked about its pods. */
@NullMarked
package io.evenkeel.whatif.clientjava;

import org.jspecify.annotations.NullMarked;
