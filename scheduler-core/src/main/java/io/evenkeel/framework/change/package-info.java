/**
 * The changes that may let a waiting pod fit: which of the API's kinds a change is of, and by which signs pods are filed. Knows no
 * plugin, and no queue.
 */
@NullMarked
package io.evenkeel.framework.change;

import org.jspecify.annotations.NullMarked;
