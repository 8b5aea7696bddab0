package io.evenkeel.framework.remedy;

import io.evenkeel.model.Taint;

/** A taint as kubectl writes it. */
public final class TaintText {
    private TaintText() {}

    public static String of(Taint taint) {
        return taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value()) + ":"
                + taint.effect().apiName();
    }
}
