import { SystemClock } from '@isotherm/runtime'
import { connectTo } from '../endpoint-client.js'
import { interruption } from '../interruption.js'
import { writeLine } from '../terminal.js'
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
  err: NodeJS.WritableStream,
): Promise<LiveReplayReport> {
  const client = connectTo(endpoint, region, {
    // A trace has the retries of its clients in it.
    maxAttempts: 1,
    ...(profile === undefined ? {} : { profile }),
  })
  try {
    return await liveReplay(client, {
      path,
      endpoint: endpoint.href,
      rate,
      clock: new SystemClock(),
      signal: interruption(),
      onProgress: (sent, seconds) => writeLine(err, `isotherm: ${sent} requests sent in ${seconds} s`),
    })
  } finally {
    client.destroy()
  }
}
