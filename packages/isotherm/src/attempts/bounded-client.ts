import type { Clock } from '@isotherm/runtime'
import type { AnyCommand, PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import { AbortScope } from './abort-scope.js'

/** How long a request may take, with the retries of the SDK. It is far more than a request takes that is answered at all. */
const LONGEST_MILLISECONDS = 10_000

/** A process that was suspended meanwhile has waited for one of these steps only: its answer may be there already. */
const STEPS = 10

/**
 * A client whose requests end. The SDK has no timeout by default, so a request whose response is lost would never end, and neither would
 * the work that waits for the request, such as the growth of a key.
 *
 * @returns a client that aborts a request after 10 seconds. The request may have been carried out, or may be later.
 */
export function boundedClient<Client extends Pick<PhysicalClient, 'send'>>(
  client: Client,
  clock: Clock,
): Client {
  const send = async (command: AnyCommand, options?: SendOptions) => {
    const late = new AbortController()
    const answered = new AbortController()
    // A clock that cannot sleep sets no bound.
    bound(clock, answered.signal).then(
      () => late.abort(),
      () => {},
    )
    const scope = new AbortScope([options?.abortSignal, late.signal])
    try {
      return await scope.run<unknown>(async () =>
        client.send(command as never, { ...options, abortSignal: scope.signal }),
      )
    } catch (error) {
      throw late.signal.aborted ? new NoResponse() : error
    } finally {
      answered.abort()
    }
  }
  return Object.create(client, { send: { value: send } })
}

async function bound(clock: Clock, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < STEPS; step++) {
    await clock.sleep(LONGEST_MILLISECONDS / STEPS, signal, { mayEndProcess: true })
  }
}

/** The error of a request that took too long. It has the name and the metadata of the SDK's errors for lost responses. */
export class NoResponse extends Error {
  override readonly name = 'TimeoutError'
  readonly $metadata = {}

  constructor(milliseconds = LONGEST_MILLISECONDS) {
    super(
      `A request had no response for ${milliseconds / 1_000} s, so it was aborted. It may have been carried out.`,
    )
  }
}
