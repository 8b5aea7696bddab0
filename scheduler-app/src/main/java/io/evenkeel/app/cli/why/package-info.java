/** {@code evenkeel why}: who is asked, once or again and again, and what its options take. */
@NullMarked
package io.evenkeel.app.cli.why;

import org.jspecify.annotations.NullMarked;
