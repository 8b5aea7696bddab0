package io.evenkeel.framework;

import io.evenkeel.api.Plugin;

/** A plugin that scores and is to outweigh all others together. A weight that is too low for that is warned of. */
public interface OutweighingPlugin extends Plugin {}
