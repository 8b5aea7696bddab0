import { CommonComponents } from '@kinvolk/headlamp-plugin/lib';
import { Box, Button, TextField } from '@mui/material';
import { FormEvent, useState } from 'react';
import { PodLink, Remedies, Rows, Shown } from './parts';
import { headline } from './PodPlacement';
import { Answer, List, listPath, Spread, useAnswer } from './why';

const MOST_NAMED = 10;

function Pods({ answer }: { answer: Answer }) {
  const pods = [answer.pod, ...(answer.alike ?? [])];
  return (
    <>
      {pods.slice(0, MOST_NAMED).map(pod => (
        <Box key={pod}>
          <PodLink pod={pod} />
        </Box>
      ))}
      {pods.length > MOST_NAMED && `and ${pods.length - MOST_NAMED} more`}
    </>
  );
}

function Causes({ list }: { list: List<Answer> }) {
  if (list.items.length === 0) {
    return <p>No pod waits for this Evenkeel.</p>;
  }
  const more = list.metadata.remainingItemCount;
  return (
    <>
      <Rows
        label="Causes that keep pods waiting"
        columns={['Pods', 'Which', 'Why', 'What would help']}
        rows={list.items.map(({ status }) => [
          1 + (status.alike?.length ?? 0),
          <Pods answer={status} />,
          headline(status),
          <Remedies remedies={(status.remedies ?? []).slice(0, 1)} />,
        ])}
      />
      {more ? <p>{more} more causes are not told here.</p> : null}
    </>
  );
}

function constraint({
  topologyKey,
  whenUnsatisfiable,
  byDefault,
}: Spread['constraints'][number]): string {
  return `${topologyKey}, ${whenUnsatisfiable}${byDefault ? ', by default' : ''}`;
}

/** In words too, as colour alone tells nothing to some. */
function Skew({ skew, allowed }: { skew: number; allowed: number }) {
  return (
    <CommonComponents.StatusLabel status={skew > allowed ? 'error' : 'success'}>
      {skew} of {allowed}
      {skew > allowed ? ': too much' : ''}
    </CommonComponents.StatusLabel>
  );
}

function domains({ domains, moreDomains }: Spread['constraints'][number]): string {
  const told = domains.map(domain => `${domain.value}: ${domain.pods}`).join(', ');
  return moreDomains > 0 ? `${told} and ${moreDomains} more` : told;
}

function Workloads({ list }: { list: List<Spread> }) {
  if (list.items.length === 0) {
    return <p>There are no workloads.</p>;
  }
  const more = list.metadata.remainingItemCount;
  return (
    <>
      <Rows
        label="Workloads with their spread"
        columns={[
          'Workload',
          'Wanted',
          'Placed',
          'Waiting',
          'Constraint',
          'Skew of maxSkew',
          'Pods by domain',
        ]}
        rows={list.items.flatMap(({ status }) => {
          const workload = [
            `${status.kind} ${status.namespace}/${status.name}`,
            status.wanted,
            status.placed,
            status.waiting,
          ];
          return status.constraints.length === 0
            ? [[...workload, 'none', '', '']]
            : status.constraints.map((each, i) => [
                ...(i === 0 ? workload : ['', '', '', '']),
                constraint(each),
                <Skew skew={each.skew} allowed={each.allowed} />,
                domains(each),
              ]);
        })}
      />
      {more ? <p>{more} more workloads are not told here.</p> : null}
    </>
  );
}

/**
 * About one namespace, or all of them, which takes rights in all. Its name can be typed, as not everybody may list them.
 *
 * @param namespaces that are known, to choose from
 */
export function SpreadAndWaiting({
  namespaces,
  cluster,
}: {
  namespaces: string[];
  cluster?: string;
}) {
  const [chosen, setChosen] = useState('');
  const causes = useAnswer<List<Answer>>(listPath('placements', chosen), cluster);
  const spreads = useAnswer<List<Spread>>(listPath('spreads', chosen), cluster);
  const where = chosen ? `in namespace ${chosen}` : 'in all namespaces, or choose one';
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChosen(String(new FormData(event.currentTarget).get('namespace')).trim());
  };
  return (
    <>
      <CommonComponents.SectionBox title="Spread and waiting">
        <Box component="form" onSubmit={choose} sx={{ display: 'flex', gap: 1 }}>
          <TextField
            id="evenkeel-namespace"
            name="namespace"
            label="Namespace, or none for all"
            size="small"
            sx={{ minWidth: '16rem' }}
            inputProps={{ list: 'evenkeel-namespaces' }}
          />
          <datalist id="evenkeel-namespaces">
            {namespaces.map(name => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <Button type="submit">Show</Button>
        </Box>
      </CommonComponents.SectionBox>
      <CommonComponents.SectionBox title="What keeps pods waiting">
        <Shown asked={causes} right={`list placements of why.evenkeel.io ${where}`}>
          {list => <Causes list={list} />}
        </Shown>
      </CommonComponents.SectionBox>
      <CommonComponents.SectionBox title="How workloads are spread">
        <Shown asked={spreads} right={`list spreads of why.evenkeel.io ${where}`}>
          {list => <Workloads list={list} />}
        </Shown>
      </CommonComponents.SectionBox>
    </>
  );
}
