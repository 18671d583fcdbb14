import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { noResponse, serviceError } from '../../../test/scripted-client.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import { sendUntilAnswered } from './send-until-answered.js'

/** Sends a request whose attempts end like this, and the last one so from then on. */
async function sent(...attempts: readonly (string | Error)[]) {
  const clock = new VirtualClock(0)
  let sends = 0
  const send = async () => {
    const attempt = attempts[Math.min(sends++, attempts.length - 1)]
    if (attempt instanceof Error) throw attempt
    return attempt
  }
  const result = await clock.run(() =>
    sendUntilAnswered({ clock, random: { next: () => 1 } }, send).catch((error: unknown) => error),
  )
  return { result, sends, elapsed: clock.now() }
}

describe('a write of the shard map', () => {
  it('is sent once if it is answered', async () => {
    expect(await sent('done')).toEqual({ result: 'done', sends: 1, elapsed: 0 })
  })

  it.each([
    ['there was no response', noResponse()],
    ['the server failed', serviceError('InternalServerError', { $fault: 'server' })],
  ])('is sent three times at most, with waits between them, if %s', async (_what, error) => {
    expect(await sent(error, error, 'done')).toEqual({ result: 'done', sends: 3, elapsed: 50 + 100 })
    expect(await sent(error)).toEqual({ result: error, sends: 3, elapsed: 50 + 100 })
  })

  it.each([
    ['the service has refused it', serviceError('ConditionalCheckFailedException', { $fault: 'client' })],
    ['the library has', new IsothermError('shard-map.missing', 'missing', { table: 'log', shardMap: 'map' })],
  ])('is sent once if %s', async (_what, error) => {
    expect(await sent(error)).toEqual({ result: error, sends: 1, elapsed: 0 })
  })
})
