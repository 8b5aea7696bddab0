import { CommonComponents } from '@kinvolk/headlamp-plugin/lib';
import { Typography } from '@mui/material';
import { Part, PodLink, Remedies, Rows, Shown } from './parts';
import {
  Answer,
  Asked,
  Counted,
  Judgement,
  Placement,
  placementPath,
  Scores,
  useAnswer,
} from './why';

/** How the answer begins: what it says first of each state. */
export const HEADLINES: Record<string, (answer: Judgement) => string> = {
  waits: it => `It waits: ${it.message}`,
  gangWaits: it => `It waits with its gang: ${it.message}`,
  fits: it => `It waits for its turn. Now it would go to node ${it.node}.`,
  retried: it =>
    `There is node ${it.node} for it now, though its condition says: ${it.message} ${it.because}`,
  onItsWay: it => `It is on its way to node ${it.node}, and waits for ${it.waitsFor}.`,
  held: it => `${it.plugin} keeps it out of the queue: ${it.message}`,
  failed: it => `It cannot be placed, as a plugin fails: ${it.message}`,
  unattended: it => `It waits for a scheduler: ${it.message}`,
  leaving: () => 'It is being deleted, and was on no node.',
  inPlace: it => `It is on node ${it.node}. ${it.feasible} would do now.`,
};

export function headline(answer: Judgement): string {
  return HEADLINES[answer.state]?.(answer) ?? `${answer.state}: ${answer.message ?? ''}`;
}

function time(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function queue({ name, attempts, seconds, nextTrySeconds }: NonNullable<Answer['queue']>): string {
  const next =
    nextTrySeconds === undefined
      ? ''
      : `; the next attempt is in ${time(nextTrySeconds)} if nothing changes before`;
  return `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}; ${name} for ${time(
    seconds
  )}${next}`;
}

function reasons(counts: Partial<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([reason, nodes]) => `${nodes} ${reason}`)
    .join(', ');
}

function Funnel({ funnel }: { funnel: NonNullable<Answer['funnel']> }) {
  if (funnel.preFilter) {
    return (
      <p>
        {funnel.preFilter.plugin} turns it away as a whole: {funnel.preFilter.reason}
      </p>
    );
  }
  return (
    <Rows
      label="How many nodes each plugin leaves"
      columns={['Plugin', 'Turned away', 'Left', 'Why']}
      rows={[
        ['', '', funnel.nodes, 'all nodes'],
        ...funnel.steps.map(step => [step.plugin, step.rejected, step.left, reasons(step.reasons)]),
      ]}
    />
  );
}

function Count({ counted }: { counted: Counted }) {
  return (
    <>
      <p>
        {counted.plugin}: {counted.text}
      </p>
      {counted.domains && counted.maxSkew !== undefined && (
        <Rows
          label={`The domains of ${counted.text}`}
          columns={['Domain', 'Matching pods', 'Skew with it', 'Then']}
          rows={counted.domains.map(domain => [
            domain.domain,
            domain.matching,
            domain.skew ?? '',
            domain.allowed ? 'allowed' : `more than ${counted.maxSkew}`,
          ])}
        />
      )}
    </>
  );
}

/** The node of the pod first. */
function ScoreTable({ nodes }: { nodes: Scores[] }) {
  const plugins = Object.keys(nodes[0]).filter(key => key !== 'node' && key !== 'total');
  return (
    <Rows
      label="Scores of its node and of the best others"
      columns={['Plugin', ...nodes.map(each => each.node)]}
      rows={[
        ['Total', ...nodes.map(each => each.total)],
        ...plugins.map(plugin => [plugin, ...nodes.map(each => each[plugin] ?? 0)]),
      ]}
    />
  );
}

/** All parts that an answer has. */
function Details({ answer }: { answer: Judgement }) {
  return (
    <>
      {answer.remedies && answer.remedies.length > 0 && (
        <Part title="What would help">
          <Remedies remedies={answer.remedies} more={answer.moreRemedies} />
        </Part>
      )}
      {answer.funnel && (
        <Part title="Nodes">
          <Funnel funnel={answer.funnel} />
        </Part>
      )}
      {answer.constraints && answer.constraints.length > 0 && (
        <Part title="What is counted">
          {answer.constraints.map((counted, i) => (
            <Count key={i} counted={counted} />
          ))}
        </Part>
      )}
      {answer.nearest && answer.nearest.length > 0 && (
        <Part title="The nearest nodes">
          <Rows
            label="The nearest nodes, with what they lack"
            columns={['Node', 'Lacks']}
            rows={answer.nearest.map(near => [near.node, near.lacks.join(', ')])}
          />
        </Part>
      )}
      {answer.inVain && answer.inVain.length > 0 && (
        <Part title="What would not help">
          <ul>
            {answer.inVain.map((change, i) => (
              <li key={i}>
                {change.text}: {change.because}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {answer.scores && (
        <Part title="Scores">
          <ScoreTable nodes={[answer.scores, ...(answer.others ?? [])]} />
        </Part>
      )}
      {answer.objections && answer.objections.length > 0 && (
        <Part title="What its node has against it">
          <Rows
            label="What its node has against it"
            columns={['Plugin', 'Why']}
            rows={answer.objections.map(each => [each.plugin, each.reasons.join(', ')])}
          />
        </Part>
      )}
    </>
  );
}

function title(asked: Asked<Placement>): string {
  if (asked === 'asking' || 'problem' in asked) {
    return 'Why it waits, or why it is here';
  }
  return asked.answer.status.state === 'inPlace' ? 'Why it is here' : 'Why it waits';
}

/** Why a pod waits, or why it is where it is. */
export function PodPlacement({
  namespace,
  name,
  cluster,
  version,
}: {
  namespace: string;
  name: string;
  cluster?: string;
  version?: string;
}) {
  const asked = useAnswer<Placement>(placementPath(namespace, name), cluster, version);
  return (
    <CommonComponents.SectionBox title={title(asked)}>
      <Shown
        asked={asked}
        right={`get pods/placement of why.evenkeel.io in namespace ${namespace}`}
      >
        {({ status }) => (
          <>
            <Typography component="p" role="status">
              {headline(status)}
            </Typography>
            {status.judged && <p>By its rules: {headline(status.judged)}</p>}
            {status.member && status.member !== status.pod && (
              <p>
                The rest is said of <PodLink pod={status.member} />.
              </p>
            )}
            {status.queue && <p>{queue(status.queue)}</p>}
            {status.remarks?.map((remark, i) => (
              <p key={i}>{remark}</p>
            ))}
            <Details answer={status.judged ?? status} />
          </>
        )}
      </Shown>
    </CommonComponents.SectionBox>
  );
}
