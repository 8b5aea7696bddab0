/**
 * The schema of Kubernetes: the messages of all its kinds with their fields, read from a table, and which fields
 * of an object none of them knows. The hollow cluster writes and checks objects by it; a replay warns of what it does not know.
 */
@NullMarked
package io.evenkeel.schema;

import org.jspecify.annotations.NullMarked;
