package io.evenkeel.app.live;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.model.KubernetesObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A live scheduler, in dry run as a rule, whose engine works, and to which comes what the test says and nothing else. */
public final class DrivenScheduler implements AutoCloseable {
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final LiveScheduler live;

    public DrivenScheduler(ApiTransport transport, LiveObservers observers, boolean audit) {
        this(transport, new LiveOptions(true, audit, Duration.ofMinutes(5), "test"), observers);
    }

    private DrivenScheduler(ApiTransport transport, LiveOptions options, LiveObservers observers) {
        this(SchedulerConfiguration.defaults(), transport, options, observers);
    }

    private DrivenScheduler(
            SchedulerConfiguration configuration,
            ApiTransport transport,
            LiveOptions options,
            LiveObservers observers) {
        live = LiveScheduler.assemble(configuration, transport, options, observers);
        live.loop().start(Machine.SYSTEM, faults::add);
    }

    /** One that writes what it decides. */
    public static DrivenScheduler writing(ApiTransport transport) {
        return new DrivenScheduler(transport, LiveOptions.usual("test"), LiveObservers.NONE);
    }

    /** One of another configuration. */
    public static DrivenScheduler of(SchedulerConfiguration configuration, ApiTransport transport) {
        return new DrivenScheduler(configuration, transport, LiveOptions.usual("test"), LiveObservers.NONE);
    }

    /** One with other options. */
    public static DrivenScheduler of(ApiTransport transport, LiveOptions options, LiveObservers observers) {
        return new DrivenScheduler(transport, options, observers);
    }

    public LiveScheduler live() {
        return live;
    }

    /** What has ended the engine. */
    List<Throwable> faults() {
        return faults;
    }

    public DrivenScheduler put(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            live.mailbox().news(new ClusterEvent.Put(object));
        }
        return this;
    }

    /** The cluster is these objects, and pods may be placed. */
    public DrivenScheduler leads(KubernetesObject... objects) {
        live.kinds().forEach(kind -> live.mailbox().news(new Relist.Began(kind.name())));
        put(objects);
        live.kinds().forEach(kind -> live.mailbox().news(new Relist.Ended(kind.name())));
        live.leadership().assume();
        return settle();
    }

    /** Waits until all that came has been taken in, and what can be placed then is placed. */
    public DrivenScheduler settle() {
        live.ask(Scheduler::isSynced).join();
        live.ask(Scheduler::isSynced).join();
        return this;
    }

    /** Lets the engine end as by a bug. */
    public DrivenScheduler fail() {
        live.mailbox().post(new SchedulerEvent.Inquiry(_ -> {
            throw new IllegalStateException("broken");
        }));
        return this;
    }

    @Override
    public void close() {
        live.close();
    }
}
