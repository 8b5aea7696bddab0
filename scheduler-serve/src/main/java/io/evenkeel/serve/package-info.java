/** What-ifs over gRPC: sessions of clients, their limits, and Karmada's questions for room. */
@NullMarked
package io.evenkeel.serve;

import org.jspecify.annotations.NullMarked;
