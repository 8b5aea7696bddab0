// Questions to the server, and the stream of what happens there.

const SILENCE_MS = 15_000; // the server ticks each second
const LONGEST_PAUSE_MS = 15_000;

let token = ""; // for as long as the tab is open, and nowhere else

export const useToken = text => (token = text.trim());

export const hasToken = () => token !== "";

let moment = ""; // of a record

/** From now on questions are about this moment. */
export const lookAt = iso => (moment = iso);

/** A question that was not answered; code 0 where no server was there. */
export class Failure extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export const get = async (path, query, signal) => (await ask(asked(path, query), {signal})).json();

function asked(path, query) {
  const all = new URLSearchParams(query);
  if (moment) all.append("at", moment);
  return all.size ? `${path}?${all}` : path;
}

export const put = async (path, body) =>
  (await ask(path, {method: "PUT", body: JSON.stringify(body), headers: {"Content-Type": "application/json"}})).json();

/** Asks with a text that is too long for an address. */
export const send = async (path, query, text, signal) =>
  (await ask(asked(path, query), {method: "PUT", body: text, headers: {"Content-Type": "text/plain"}, signal})).json();

async function ask(path, options) {
  const headers = token ? {...options.headers, Authorization: `Bearer ${token}`} : options.headers;
  let response;
  try {
    response = await fetch(`api/${path}`, {...options, headers, cache: "no-store"});
  } catch (failure) {
    throw failure.name === "AbortError" ? failure : new Failure(0, "The server does not answer.");
  }
  if (!response.ok) {
    const status = await response.json().catch(() => ({}));
    throw new Failure(response.status, status.message ?? response.statusText);
  }
  return response;
}

/**
 * Hears the server's events until it is closed, and resumes where it was when the connection is lost.
 *
 * @param heard takes an event's name and its data
 * @param turned takes nothing when the connection is there, else since when it is not, and why
 */
export function stream(heard, turned) {
  let last = "";
  let wanted = false;
  let controller;
  let timer;
  let pause;
  let since;

  async function connect() {
    const mine = (controller = new AbortController());
    let reason;
    try {
      const headers = {Accept: "text/event-stream", ...(last && {"Last-Event-ID": last})};
      const response = await ask("decisions", {signal: mine.signal, headers});
      pause = since = undefined;
      turned();
      await read(response.body, mine);
    } catch (failure) {
      reason = failure;
    }
    if (!wanted || mine !== controller) return;
    pause = Math.min(LONGEST_PAUSE_MS, (pause ?? 250) * 2);
    // the server ends it now and then, to look at rights again
    if (reason) turned({since: (since ??= new Date().toISOString()), reason});
    if (wanted) timer = setTimeout(connect, pause * (0.75 + Math.random() / 2));
  }

  async function read(body, mine) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const watch = setTimeout(() => mine.abort(), SILENCE_MS);
      const {done, value} = await reader.read().finally(() => clearTimeout(watch));
      if (done) return;
      const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
      rest = blocks.pop();
      blocks.forEach(take);
    }
  }

  function take(block) {
    let event = "message";
    const data = [];
    for (const line of block.split("\n")) {
      const [, field, value] = /^(\w*): ?(.*)$/s.exec(line) ?? [];
      if (field === "event") event = value;
      else if (field === "data") data.push(value);
      else if (field === "id") last = value;
    }
    if (data.length) heard(event, JSON.parse(data.join("\n")));
  }

  return {
    open() {
      if (wanted) return;
      wanted = true;
      connect();
    },
    close() {
      wanted = false;
      clearTimeout(timer);
      controller?.abort();
    },
  };
}
