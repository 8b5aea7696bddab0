/** The particulars of each kind of object: defaults, admission, validation, conversion; policies and fields among them. */
@NullMarked
package io.evenkeel.hollow.kind;

import org.jspecify.annotations.NullMarked;
