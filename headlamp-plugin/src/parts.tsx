// What the section and the page have in common.
import { CommonComponents } from '@kinvolk/headlamp-plugin/lib';
import {
  Alert,
  Box,
  Button,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { ReactNode, useId, useState } from 'react';
import { Asked, Change, Problem, Remedy } from './why';

const DOCS = 'https://github.com/evenkeel/evenkeel/blob/main/docs/headlamp.md';

function said(problem: Problem, right: string): ReactNode {
  switch (problem.kind) {
    case 'notServed':
      return (
        <>
          This cluster does not serve why.evenkeel.io: Evenkeel&apos;s chart does with{' '}
          <code>why.enabled: true</code>. <a href={DOCS}>How to install it</a>
        </>
      );
    case 'forbidden':
      return (
        <>
          You may not ask: it takes the right to {right}. {problem.message}
        </>
      );
    case 'notReady':
      return <>Evenkeel cannot answer now, and is asked again soon. {problem.message}</>;
    case 'noPod':
      return <>There is no such pod any more, or it has finished.</>;
    case 'failed':
      return <>There is no answer. {problem.message}</>;
  }
}

/** The answer's content, or why there is none. */
export function Shown<T>({
  asked,
  right,
  children,
}: {
  asked: Asked<T>;
  right: string;
  children: (answer: T) => ReactNode;
}) {
  if (asked === 'asking') {
    return <CommonComponents.Loader title="Asking Evenkeel" />;
  }
  if ('problem' in asked) {
    return (
      <Alert severity={asked.problem.kind === 'failed' ? 'error' : 'info'} role="status">
        {said(asked.problem, right)}
      </Alert>
    );
  }
  return <>{children(asked.answer)}</>;
}

/** A heading of its own, so that one can go from part to part. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id} sx={{ marginY: 2 }}>
      <Typography id={id} component="h3" variant="h6" gutterBottom>
        {title}
      </Typography>
      {children}
    </Box>
  );
}

/** Cells that are numbers stand at the right. */
export function Rows({
  label,
  columns,
  rows,
}: {
  label: string;
  columns: string[];
  rows: ReactNode[][];
}) {
  return (
    <Box sx={{ overflowX: 'auto' }}>
      <Table size="small" aria-label={label}>
        <TableHead>
          <TableRow>
            {columns.map((column, i) => (
              <TableCell key={column} align={typeof rows[0]?.[i] === 'number' ? 'right' : 'left'}>
                {column}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row, i) => (
            <TableRow key={i}>
              {row.map((cell, j) => (
                <TableCell
                  key={j}
                  align={typeof cell === 'number' ? 'right' : 'left'}
                  sx={{ verticalAlign: 'top' }}
                >
                  {cell}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}

function Copied({ what, text }: { what: string; text: string }) {
  const [word, setWord] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setWord('copied');
    } catch {
      setWord('not copied, as the browser does not allow it');
    }
  };
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1, marginY: 0.5 }}>
      <Box
        component="pre"
        sx={{ margin: 0, minWidth: '14rem', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {text}
      </Box>
      <Button size="small" onClick={copy} aria-label={`Copy ${what}`}>
        Copy
      </Button>
      <span role="status">{word}</span>
    </Box>
  );
}

function title(change: Change): string {
  if ('patch' in change) {
    return `the patch of ${change.object}`;
  }
  return 'add' in change ? 'what is added' : 'what is removed';
}

function content(change: Change): string {
  if ('patch' in change) {
    return JSON.stringify(change.patch);
  }
  return 'add' in change ? JSON.stringify(change.add, null, 2) : change.remove;
}

/** Changes that would help, the mildest first. */
export function Remedies({ remedies, more }: { remedies: Remedy[]; more?: number }) {
  return (
    <>
      <ul>
        {remedies.map((remedy, i) => (
          <li key={i}>
            {remedy.text} → goes to {remedy.node}
            {remedy.command && <Copied what="the command" text={remedy.command} />}
            <details>
              <summary>As a change of objects</summary>
              {remedy.changes.map((change, j) => (
                <Copied key={j} what={title(change)} text={content(change)} />
              ))}
            </details>
          </li>
        ))}
      </ul>
      {more ? <p>{more} more would help.</p> : null}
    </>
  );
}

/** The page of a pod, as namespace/name. */
export function PodLink({ pod }: { pod: string }) {
  const [namespace, name] = pod.split('/');
  return (
    <CommonComponents.Link routeName="pod" params={{ namespace, name }}>
      {pod}
    </CommonComponents.Link>
  );
}
