import { render, screen, waitForElementToBeRemoved, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import schema from '../../docs/why.schema.json';
import held from './answers/held.json';
import inPlace from './answers/inPlace.json';
import misplaced from './answers/misplaced.json';
import notFound from './answers/notFound.json';
import notReady from './answers/notReady.json';
import onItsWay from './answers/onItsWay.json';
import unattended from './answers/unattended.json';
import waits from './answers/waits.json';
import { HEADLINES, PodPlacement } from './PodPlacement';
import { ApiProxy, barriers, refused } from './standIns';
import { Placement } from './why';

vi.mock('@kinvolk/headlamp-plugin/lib', () => import('./standIns'));

beforeEach(() => {
  ApiProxy.request.mockReset();
});

function show() {
  return render(<PodPlacement namespace="shop" name="web-1-4" cluster="east" version="7" />);
}

function cells(table: string): string[][] {
  return within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .map(row => Array.from(row.children, cell => cell.textContent ?? ''));
}

it('says why a pod waits: the cause, the nodes that each plugin leaves, what is counted and the nearest nodes', async () => {
  ApiProxy.request.mockResolvedValue(waits);
  show();

  await screen.findByText(/^It waits: 0\/3 nodes are available: 1 Insufficient cpu, 2 node\(s\)/);
  screen.getByRole('heading', { name: 'Why it waits' });
  screen.getByText(
    '3 attempts; unschedulable for 12 s; the next attempt is in 4 min 0 s if nothing changes before'
  );
  expect(cells('How many nodes each plugin leaves')).toEqual([
    ['Plugin', 'Turned away', 'Left', 'Why'],
    ['', '', '3', 'all nodes'],
    ['NodeResourcesFit', '1', '2', '1 Insufficient cpu'],
    ['PodTopologySpread', '2', '0', "2 node(s) didn't match pod topology spread constraints"],
  ]);
  expect(
    cells(
      'The domains of maxSkew 1 over topology.kubernetes.io/zone, pods app=web-1: the fewest are 0'
    ).slice(1)
  ).toEqual([
    ['zone-a', '2', '3', 'more than 1'],
    ['zone-b', '2', '3', 'more than 1'],
    ['zone-c', '0', '1', 'allowed'],
  ]);
  expect(cells('The nearest nodes, with what they lack')[1]).toEqual([
    'node-c',
    '500m more cpu on node node-c (4500m instead of 4)',
  ]);
});

it('asks with the rights of the user, in the cluster of the pod, and logs nobody out', async () => {
  ApiProxy.request.mockResolvedValue(waits);
  show();

  await screen.findByText(/It waits/);
  expect(ApiProxy.request).toHaveBeenCalledExactlyOnceWith(
    '/apis/why.evenkeel.io/v1alpha1/namespaces/shop/pods/web-1-4/placement',
    expect.objectContaining({ cluster: 'east' }),
    false
  );
});

it('has the command and the patch of a remedy copied', async () => {
  const user = userEvent.setup();
  ApiProxy.request.mockResolvedValue(waits);
  show();
  const remedy = waits.status.remedies.find(each => each.kind === 'maxSkew')!;

  const item = (await screen.findByText(new RegExp(`^${remedy.text}`))).closest('li')!;
  await user.click(within(item).getByRole('button', { name: 'Copy the command' }));
  expect(await navigator.clipboard.readText()).toBe(remedy.command);
  await within(item).findByText('copied');

  await user.click(within(item).getByText('As a change of objects'));
  await user.click(
    within(item).getByRole('button', { name: 'Copy the patch of Pod/shop/web-1-4' })
  );
  expect(JSON.parse(await navigator.clipboard.readText())).toEqual(
    (remedy.changes[0] as { patch: unknown }).patch
  );
});

it('says why a pod is where it is, by the scores of its node and of others', async () => {
  ApiProxy.request.mockResolvedValue(inPlace);
  show();

  await screen.findByRole('heading', { name: 'Why it is here' });
  screen.getByText('It is on node node-c. 1 would do now.');
  const scores = cells('Scores of its node and of the best others');
  expect(scores.slice(0, 2)).toEqual([
    ['Plugin', 'node-c'],
    ['Total', String(inPlace.status.scores.total)],
  ]);
  expect(scores).toContainEqual([
    'NodeResourcesFit',
    String(inPlace.status.scores.NodeResourcesFit),
  ]);
});

it('says what speaks against the node of a pod', async () => {
  ApiProxy.request.mockResolvedValue(misplaced);
  show();

  await screen.findByText('It is on node node-a. 0 would do now.');
  expect(cells('What its node has against it')[1]).toEqual([
    'PodTopologySpread',
    "node(s) didn't match pod topology spread constraints",
  ]);
});

it.each([
  [held, /^SchedulingGates keeps it out of the queue: /],
  [onItsWay, /^It is on its way to node node-a, and waits for /],
  [unattended, /^It waits for a scheduler: /],
])('begins with what the state means', async (answer, words) => {
  ApiProxy.request.mockResolvedValue(answer);
  show();

  await screen.findByText(words);
});

it('says of a pod without a scheduler what would be said if there were one', async () => {
  ApiProxy.request.mockResolvedValue(unattended);
  show();

  await screen.findByText(/^By its rules: It waits for its turn\. Now it would go to node /);
});

const answers: Placement[] = [waits, inPlace, misplaced, held, onItsWay, unattended];

it.each(answers)('tells all, to everybody: $status.state', async answer => {
  ApiProxy.request.mockResolvedValue(answer);
  const { container } = show();

  await waitForElementToBeRemoved(() => screen.queryByRole('progressbar'));
  expect(container.textContent).not.toMatch(/undefined|null|NaN|\[object/);
  expect(await barriers(container)).toEqual([]);
});

it('has words for each state that there is', () => {
  expect(Object.keys(HEADLINES).sort()).toEqual([...schema.properties.state.enum].sort());
});

it.each([
  [
    refused(404, 'Not Found'),
    /does not serve why\.evenkeel\.io: Evenkeel's chart does with why\.enabled: true/,
  ],
  [
    refused(404, 'Not Found', 'the server could not find the requested resource'),
    /does not serve why\.evenkeel\.io/,
  ],
  [refused(404, 'Not Found', notFound.message), /There is no such pod any more/],
  [
    refused(403, 'Forbidden', 'pods.why.evenkeel.io "web-1-4" is forbidden'),
    /the right to get pods\/placement of why\.evenkeel\.io in namespace shop/,
  ],
  [
    refused(503, 'Service Unavailable', notReady.message),
    /asked again soon\. the cluster is not known yet/,
  ],
  [
    refused(503, 'Service Unavailable'),
    /^Evenkeel cannot answer now, and is asked again soon\.\s*$/,
  ],
  [refused(500, 'Internal Server Error', 'a bug'), /There is no answer\. a bug/],
  [refused(502, 'Unreachable'), /There is no answer\. Unreachable/],
])('says why there is no answer: %s', async (error, words) => {
  ApiProxy.request.mockRejectedValue(error);
  show();

  const problem = await screen.findByText(
    (_, element) =>
      element?.getAttribute('role') === 'status' && words.test(element.textContent ?? '')
  );
  expect(problem.textContent).not.toContain('undefined');
});

it('takes markup in what it is told for text', async () => {
  const markup = '<img src=x onerror=alert(1)>';
  const told = structuredClone(waits);
  told.status.message = markup;
  told.status.remedies[0].text = markup;
  told.status.nearest[0].node = markup;
  ApiProxy.request.mockResolvedValue(told);
  const { container } = show();

  await screen.findByText(`It waits: ${markup}`);
  expect(container.querySelector('img')).toBeNull();
});

it('shows nothing of an earlier pod while it asks about another', async () => {
  ApiProxy.request.mockResolvedValue(waits);
  const { rerender } = show();
  await screen.findByText(/^It waits: /);

  ApiProxy.request.mockReturnValue(new Promise(() => {}));
  rerender(<PodPlacement namespace="shop" name="other" cluster="east" version="7" />);

  expect(screen.queryByText(/^It waits: /)).toBeNull();
  screen.getByRole('progressbar', { name: 'Asking Evenkeel' });
});
