package io.evenkeel.cel;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads protobuf's text form: a message is a map of lists, a scalar an array of bytes or a word. */
final class TextProto {
    private final String text;
    private int at;

    private TextProto(String text) {
        this.text = text;
    }

    static Map<String, List<Object>> read(String text) {
        return new TextProto(text).message('\0');
    }

    private Map<String, List<Object>> message(char end) {
        Map<String, List<Object>> fields = new LinkedHashMap<>();
        while (true) {
            char c = peek();
            if (c == end) {
                at++;
                return fields;
            }
            if (c == ',' || c == ';') {
                at++;
                continue;
            }
            int begin = at;
            at = c == '[' ? text.indexOf(']', at) + 1 : at;
            String name = c == '[' ? text.substring(begin, at) : word();
            if (peek() == ':') {
                at++;
            }
            List<Object> values = fields.computeIfAbsent(name, _ -> new ArrayList<>());
            if (peek() == '[') {
                at++;
                while (peek() != ']') {
                    values.add(value());
                    if (peek() == ',') {
                        at++;
                    }
                }
                at++;
            } else {
                values.add(value());
            }
        }
    }

    private Object value() {
        char c = peek();
        if (c == '{' || c == '<') {
            at++;
            return message(c == '{' ? '}' : '>');
        }
        if (c != '"' && c != '\'') {
            return word();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (peek() == '"' || peek() == '\'') {
            string(bytes);
        }
        return bytes.toByteArray();
    }

    private void string(ByteArrayOutputStream bytes) {
        char quote = text.charAt(at++);
        while (text.charAt(at) != quote) {
            int c = text.codePointAt(at);
            at += Character.charCount(c);
            if (c != '\\') {
                bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            char escape = text.charAt(at++);
            int plain = "abfnrtv".indexOf(escape);
            if (plain >= 0) {
                bytes.write("\u0007\b\f\n\r\t\u000b".charAt(plain));
            } else if (escape >= '0' && escape <= '7') {
                int start = at - 1;
                while (at < start + 3 && text.charAt(at) >= '0' && text.charAt(at) <= '7') {
                    at++;
                }
                bytes.write(Integer.parseInt(text.substring(start, at), 8));
            } else if (escape == 'x' || escape == 'u' || escape == 'U') {
                int length = escape == 'x' ? 2 : escape == 'u' ? 4 : 8;
                int code = Integer.parseInt(text.substring(at, at + length), 16);
                at += length;
                if (escape == 'x') {
                    bytes.write(code);
                } else {
                    bytes.writeBytes(Character.toString(code).getBytes(StandardCharsets.UTF_8));
                }
            } else {
                bytes.write(escape);
            }
        }
        at++;
    }

    private String word() {
        int start = at;
        while (at < text.length() && " \t\r\n:{}[]<>,;\"'#".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        if (at == start) {
            throw new IllegalStateException("at " + at + ": " + text.substring(at, Math.min(text.length(), at + 40)));
        }
        return text.substring(start, at);
    }

    private char peek() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                int line = text.indexOf('\n', at);
                at = line < 0 ? text.length() : line;
            } else if (Character.isWhitespace(c)) {
                at++;
            } else {
                return c;
            }
        }
        return '\0';
    }
}
