/**
 * Objects, read and written by the rules that all kinds share, and by the particulars of each kind: defaults, admission, validation,
 * conversion; binding and deletion.
 */
@NullMarked
package io.evenkeel.hollow.registry;

import org.jspecify.annotations.NullMarked;
