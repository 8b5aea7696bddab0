package io.evenkeel.model.write;

import io.evenkeel.model.decode.Encoder;

/** Writes JSON, without blanks. */
final class JsonEncoder implements Encoder {
    private static final String HEXADECIMAL = "0123456789abcdef";

    private final StringBuilder out = new StringBuilder(256);

    @Override
    public void field(String name, int number) {
        entry(name);
    }

    @Override
    public void string(String value) {
        separate();
        quote(value);
    }

    @Override
    public void bool(boolean value) {
        separate();
        out.append(value);
    }

    @Override
    public void integer(long value) {
        separate();
        out.append(value);
    }

    @Override
    public void beginList() {
        begin('[');
    }

    @Override
    public void endList() {
        out.append(']');
    }

    @Override
    public void beginMap() {
        begin('{');
    }

    @Override
    public void entry(String key) {
        separate();
        quote(key);
        out.append(':');
    }

    @Override
    public void endMap() {
        out.append('}');
    }

    @Override
    public void beginMessage() {
        begin('{');
    }

    @Override
    public void endMessage() {
        out.append('}');
    }

    private void begin(char bracket) {
        separate();
        out.append(bracket);
    }

    private void separate() {
        if (!out.isEmpty() && "[{:".indexOf(out.charAt(out.length() - 1)) < 0) {
            out.append(',');
        }
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '"' || character == '\\') {
                out.append('\\').append(character);
            } else if (character < ' ' || Character.isSurrogate(character) || character == 0x7f) {
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(HEXADECIMAL.charAt((character >> shift) & 0xf));
                }
            } else {
                out.append(character);
            }
        }
        out.append('"');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
