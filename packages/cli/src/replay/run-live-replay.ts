import { SystemClock } from '@isotherm/runtime'
import { connectTo } from '../endpoint-client.js'
import { interruption } from '../interruption.js'
import { grouped } from '../presentation/figures.js'
import { progressLine } from '../presentation/progress-line.js'
import type { Terminal } from '../terminal.js'
import { type LiveReplayReport, liveReplay } from './live-replay.js'

/** Connects to an endpoint and sends a trace there. Ctrl-C ends it early, with a report of what was sent. */
export async function runLiveReplay(
  path: string,
  {
    endpoint,
    region,
    profile,
    rate,
  }: { readonly endpoint: URL; readonly region?: string; readonly profile?: string; readonly rate: number },
  terminal: Terminal,
): Promise<LiveReplayReport> {
  const client = connectTo(endpoint, region, {
    // A trace has the retries of its clients in it.
    maxAttempts: 1,
    ...(profile === undefined ? {} : { profile }),
  })
  const line = progressLine(terminal)
  try {
    return await liveReplay(client, {
      path,
      endpoint: endpoint.href,
      rate,
      clock: new SystemClock(),
      signal: interruption(),
      onProgress: (sent, seconds) => line.show(`${grouped(sent)} requests sent in ${grouped(seconds)} s`),
    }).finally(line.end)
  } finally {
    client.destroy()
  }
}
