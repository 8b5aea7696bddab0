package io.evenkeel.serve;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ProtobufObject;
import io.evenkeel.model.read.ProtobufReader;
import io.evenkeel.tools.why.Requester;
import io.evenkeel.tools.why.Workload;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.SchedulingOptions;
import io.evenkeel.whatif.Verdict;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.ServerCalls.UnaryMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import karmada.estimator.AssumedWorkload;
import karmada.estimator.Component;
import karmada.estimator.ComponentReplicaRequirements;
import karmada.estimator.MaxAvailableComponentSetsRequest;
import karmada.estimator.MaxAvailableComponentSetsResponse;
import karmada.estimator.MaxAvailableReplicasRequest;
import karmada.estimator.MaxAvailableReplicasResponse;
import karmada.estimator.NodeClaim;
import karmada.estimator.ObjectReference;
import karmada.estimator.ReplicaRequirements;
import karmada.estimator.UnschedulableReplicasRequest;
import karmada.estimator.UnschedulableReplicasResponse;

/**
 * Karmada's questions for room in a cluster. A replica is a pod with what the request says of it, and so many fit as the scheduler would
 * place, one after the other.
 */
final class KarmadaEstimator {
    static final String SERVICE = "github.com.karmada_io.karmada.pkg.estimator.service.Estimator";

    private static final SchedulingOptions TO_THE_FIRST = SchedulingOptions.USUAL.stoppingOnFailure();

    private final Sessions sessions;
    private final WhatIfLimits limits;
    private final WhatIfMetrics metrics;
    private final InstantSource clock;

    KarmadaEstimator(Sessions sessions, WhatIfLimits limits, WhatIfMetrics metrics, InstantSource clock) {
        this.sessions = sessions;
        this.limits = limits;
        this.metrics = metrics;
        this.clock = clock;
    }

    ServerServiceDefinition service() {
        ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(SERVICE);
        add(
                service,
                "MaxAvailableReplicas",
                MaxAvailableReplicasRequest.getDefaultInstance(),
                MaxAvailableReplicasResponse.getDefaultInstance(),
                this::replicas);
        add(
                service,
                "MaxAvailableComponentSets",
                MaxAvailableComponentSetsRequest.getDefaultInstance(),
                MaxAvailableComponentSetsResponse.getDefaultInstance(),
                this::sets);
        add(
                service,
                "GetUnschedulableReplicas",
                UnschedulableReplicasRequest.getDefaultInstance(),
                UnschedulableReplicasResponse.getDefaultInstance(),
                this::unschedulable);
        return service.build();
    }

    private interface Answering<Q, A> {
        A answer(Q request, Client client) throws StatusException;
    }

    private <Q extends Message, A extends Message> void add(
            ServerServiceDefinition.Builder service, String name, Q request, A response, Answering<Q, A> answering) {
        UnaryMethod<Q, A> answered = (asked, caller) -> {
            long began = System.nanoTime();
            A answer;
            try {
                answer = answering.answer(asked, Client.current());
            } catch (StatusException known) {
                caller.onError(known);
                return;
            } catch (ObjectReadException unreadable) {
                caller.onError(Status.INVALID_ARGUMENT
                        .withDescription(unreadable.getMessage())
                        .asException());
                return;
            } catch (RuntimeException | StackOverflowError bug) {
                caller.onError(WhatIfServer.told(bug));
                return;
            } finally {
                metrics.answered(name, System.nanoTime() - began);
            }
            caller.onNext(answer);
            caller.onCompleted();
        };
        service.addMethod(
                WhatIfMethods.method(SERVICE, name, MethodType.UNARY, request, response),
                ServerCalls.asyncUnaryCall(answered));
    }

    private MaxAvailableReplicasResponse replicas(MaxAvailableReplicasRequest request, Client client)
            throws StatusException {
        ReplicaRequirements asked = request.getReplicaRequirements();
        Pod replica = ReplicaPod.of(
                "karmada-replica",
                asked.getNamespace(),
                asked.getPriorityClassName(),
                asked.getNodeClaim(),
                asked.getResourceRequestBytesMap());
        int most = ask(
                client, request.getAssumedWorkloadsList(), (cluster, _) -> fitting(cluster, replica, limits.pods()));
        return MaxAvailableReplicasResponse.newBuilder().setMaxReplicas(most).build();
    }

    private MaxAvailableComponentSetsResponse sets(MaxAvailableComponentSetsRequest request, Client client)
            throws StatusException {
        List<Part> parts = parts("karmada-set", request.getNamespace(), request.getComponentsList());
        int most = ask(client, request.getAssumedWorkloadsList(), (cluster, asker) -> {
            int sets = 0;
            int pods = 0;
            int inOne = parts.stream().mapToInt(Part::replicas).sum();
            while (inOne > 0 && pods <= limits.pods() - inOne && isPlaced(cluster, parts, sets)) {
                asker.requireWanted();
                sets++;
                pods += inOne;
            }
            return sets;
        });
        return MaxAvailableComponentSetsResponse.newBuilder().setMaxSets(most).build();
    }

    /** Pods that have been unschedulable for longer than that are replicas that this cluster has no room for. */
    private UnschedulableReplicasResponse unschedulable(UnschedulableReplicasRequest request, Client client)
            throws StatusException {
        ObjectReference resource = request.getResource();
        Instant latest = clock.instant().minusNanos(Math.max(0, request.getUnschedulableThreshold()));
        int count = (int)
                sessions
                        .waiting(client, new Workload(resource.getKind(), resource.getNamespace(), resource.getName()))
                        .stream()
                        .flatMap(pod -> pod.status().scheduled().stream())
                        .filter(condition -> condition.status().equals("False")
                                && condition.reason().equals("Unschedulable")
                                && !condition.lastTransitionTime().isEmpty()
                                && Instant.parse(condition.lastTransitionTime()).isBefore(latest))
                        .count();
        return UnschedulableReplicasResponse.newBuilder()
                .setUnschedulableReplicas(count)
                .build();
    }

    private <T> T ask(Client client, List<AssumedWorkload> assumed, BiFunction<ClusterSnapshot, Requester, T> question)
            throws StatusException {
        return sessions.ask(client, () -> true, (cluster, asker) -> {
            int number = 0;
            for (AssumedWorkload workload : assumed) {
                for (Part part :
                        parts("karmada-assumed-" + number++, workload.getNamespace(), workload.getComponentsList())) {
                    asker.requireWanted();
                    fitting(cluster, part.pod(), Math.min(part.replicas(), limits.pods()));
                }
            }
            return question.apply(cluster, asker);
        });
    }

    /** How many of these find a node, no more than so many. */
    private static int fitting(ClusterSnapshot cluster, Pod pod, int most) {
        List<Verdict> verdicts = cluster.schedulePodsByTemplate(pod, most, TO_THE_FIRST);
        return verdicts.isEmpty() || verdicts.getLast() instanceof Verdict.Placed
                ? verdicts.size()
                : verdicts.size() - 1;
    }

    private static boolean isPlaced(ClusterSnapshot cluster, List<Part> parts, int set) {
        return parts.stream()
                .allMatch(part -> fitting(cluster, part.numbered(set), part.replicas()) == part.replicas());
    }

    /** Pods of one kind in a workload. */
    private record Part(Pod pod, int replicas) {
        Pod numbered(int set) {
            return new Pod(pod.meta().ofAnother(pod.name() + "-" + set), pod.spec(), pod.status());
        }
    }

    private static List<Part> parts(String name, String namespace, List<Component> components) {
        return components.stream()
                .map(component -> {
                    ComponentReplicaRequirements asked = component.getReplicaRequirements();
                    return new Part(
                            ReplicaPod.of(
                                    name + "-" + component.getName(),
                                    namespace,
                                    asked.getPriorityClassName(),
                                    asked.getNodeClaim(),
                                    asked.getResourceRequestBytesMap()),
                            Math.max(0, component.getReplicas()));
                })
                .toList();
    }

    /**
     * A replica's pod, put together as the API server writes one: a request holds its parts in the same bytes. The numbers are those
     * of Kubernetes' messages.
     */
    private static final class ReplicaPod {
        private static final byte[] MAGIC = {'k', '8', 's', 0};

        private ReplicaPod() {}

        static Pod of(
                String name,
                String namespace,
                String priorityClass,
                NodeClaim claim,
                Map<String, ByteString> requests) {
            ByteString resources = message(out -> writeMap(out, 2, requests));
            ByteString container = message(out -> {
                out.writeString(1, "main");
                out.writeBytes(8, resources);
            });
            ByteString spec = message(out -> {
                out.writeBytes(2, container);
                for (var label : claim.getNodeSelectorMap().entrySet()) {
                    out.writeBytes(7, message(entry -> {
                        entry.writeString(1, label.getKey());
                        entry.writeString(2, label.getValue());
                    }));
                }
                if (!claim.getNodeAffinityBytes().isEmpty()) {
                    ByteString nodeAffinity = message(part -> part.writeBytes(1, claim.getNodeAffinityBytes()));
                    out.writeBytes(18, message(part -> part.writeBytes(1, nodeAffinity)));
                }
                for (ByteString toleration : claim.getTolerationsBytesList()) {
                    out.writeBytes(22, toleration);
                }
                out.writeString(24, priorityClass);
            });
            ByteString metadata = message(out -> {
                out.writeString(1, name);
                out.writeString(3, namespace.isEmpty() ? "default" : namespace);
            });
            ByteString envelope = message(out -> {
                out.writeBytes(1, message(type -> {
                    type.writeString(1, "v1");
                    type.writeString(2, "Pod");
                }));
                out.writeBytes(2, message(pod -> {
                    pod.writeBytes(1, metadata);
                    pod.writeBytes(2, spec);
                }));
            });
            byte[] bytes = ByteString.copyFrom(MAGIC).concat(envelope).toByteArray();
            return (Pod) new ProtobufReader(Kinds.IN_TREE).read(ProtobufObject.of(bytes, 0, bytes.length));
        }

        private static void writeMap(CodedOutputStream out, int number, Map<String, ByteString> map)
                throws IOException {
            for (var each : map.entrySet()) {
                out.writeBytes(number, message(entry -> {
                    entry.writeString(1, each.getKey());
                    entry.writeBytes(2, each.getValue());
                }));
            }
        }

        private interface Fields {
            void writeTo(CodedOutputStream out) throws IOException;
        }

        private static ByteString message(Fields fields) {
            ByteString.Output bytes = ByteString.newOutput();
            try {
                CodedOutputStream out = CodedOutputStream.newInstance(bytes);
                fields.writeTo(out);
                out.flush();
            } catch (IOException inMemory) {
                throw new UncheckedIOException(inMemory);
            }
            return bytes.toByteString();
        }
    }
}
