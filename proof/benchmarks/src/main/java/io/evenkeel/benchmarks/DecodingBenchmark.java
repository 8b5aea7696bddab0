package io.evenkeel.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonParser;
import io.evenkeel.hollow.Encoding;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.read.ProtobufObject;
import io.evenkeel.model.read.ProtobufReader;
import io.evenkeel.schema.TypeMeta;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it takes to read a pod that comes in, by encoding. The pods are of one Deployment, and each is another. Samples,
 * because their median is the same on a busy machine; {@code -prof gc} tells the bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class DecodingBenchmark {
    private static final TypeMeta POD = new TypeMeta("v1", "Pod");
    private static final int PODS = 1000;

    private final ObjectReader jsonReader = new ObjectReader();
    private final ProtobufReader protobufReader = new ProtobufReader();
    private List<byte[]> json = List.of();
    private List<byte[]> protobuf = List.of();
    private int next;

    @Setup
    public void encode() {
        SplittableRandom random = new SplittableRandom(1);
        List<String> texts =
                Stream.generate(() -> DeploymentPod.json(random)).limit(PODS).toList();
        Encoding encoding = Encoding.protobuf();
        json = texts.stream().map(text -> text.getBytes(UTF_8)).toList();
        protobuf = texts.stream()
                .map(text -> encoding.object(
                        POD, encoding.body(POD, JsonParser.parseString(text).getAsJsonObject())))
                .toList();
        System.out.println("a pod is " + json.getFirst().length + " bytes of JSON, " + protobuf.getFirst().length
                + " of protobuf");
        KubernetesObject one = fromJson();
        next--;
        if (!one.equals(fromProtobuf())) {
            throw new IllegalStateException("the encodings do not say the same");
        }
    }

    @Benchmark
    public KubernetesObject fromJson() {
        return jsonReader.read(json.get(step()));
    }

    @Benchmark
    public KubernetesObject fromProtobuf() {
        byte[] bytes = protobuf.get(step());
        return protobufReader.read(ProtobufObject.of(bytes, 0, bytes.length));
    }

    private int step() {
        next = (next + 1) % PODS;
        return next;
    }
}
