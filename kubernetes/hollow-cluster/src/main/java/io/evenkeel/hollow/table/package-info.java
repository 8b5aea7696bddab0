/** Objects as rows, the way kubectl shows them: servers make the tables, clients only align them. */
@NullMarked
package io.evenkeel.hollow.table;

import org.jspecify.annotations.NullMarked;
