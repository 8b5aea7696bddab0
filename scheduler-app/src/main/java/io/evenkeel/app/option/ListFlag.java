package io.evenkeel.app.option;

/** The value of a flag that is a list with commas between: given again, the flag adds to it. */
public interface ListFlag {}
