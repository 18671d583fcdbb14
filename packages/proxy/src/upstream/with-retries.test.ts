import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { withRetries } from './with-retries.js'

const SETTINGS = { region: 'eu-central-1', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } }
const ARGS = { input: {}, request: Buffer.from('{}') }

const reset = () => Object.assign(new Error('The connection was closed.'), { name: 'TimeoutError' })

/** Fails so many times, and then answers. */
function failing(times: number, failure: () => Error) {
  const attempts: unknown[] = []
  return {
    attempts,
    async attempt(args: unknown) {
      attempts.push(args)
      if (attempts.length <= times) throw failure()
      return {
        response: undefined,
        output: { $metadata: {} as { attempts?: number; totalRetryDelay?: number } },
      }
    },
  }
}

describe.each(['standard', 'adaptive'])('the %s retries of a client', (retryMode) => {
  const client = () => new DynamoDBClient({ ...SETTINGS, retryMode, maxAttempts: 3 })
  const retried = withRetries(client().config)

  it('let an answer to the first attempt pass', async () => {
    const { attempts, attempt } = failing(0, reset)
    const { output } = await retried(attempt, ARGS, {})
    expect(output.$metadata).toEqual({ attempts: 1, totalRetryDelay: 0 })
    expect(attempts).toEqual([ARGS])
  })

  it('send broken requests again, and count the attempts', async () => {
    const { attempts, attempt } = failing(2, reset)
    const { output } = await retried(attempt, ARGS, {})
    expect(output.$metadata).toEqual({ attempts: 3, totalRetryDelay: expect.any(Number) })
    expect(attempts).toEqual([ARGS, ARGS, ARGS])
  })

  it('end after maxAttempts with the last error', async () => {
    const { attempts, attempt } = failing(9, reset)
    await expect(retried(attempt, ARGS, {})).rejects.toMatchObject({
      name: 'TimeoutError',
      $metadata: { attempts: 3 },
    })
    expect(attempts).toHaveLength(3)
  })

  it('do not repeat what another attempt cannot cure', async () => {
    const { attempts, attempt } = failing(9, () => new Error('no'))
    await expect(retried(attempt, ARGS, {})).rejects.toMatchObject({ $metadata: { attempts: 1 } })
    expect(attempts).toHaveLength(1)
  })

  it('end while they wait, when the request is aborted', async () => {
    const { attempts, attempt } = failing(9, reset)
    const controller = new AbortController()
    const context = { __smithy_context: { abortSignal: controller.signal } }
    const answer = retried(
      async (args) => {
        controller.abort(new Error('The caller has left.'))
        return attempt(args)
      },
      ARGS,
      context,
    )
    await expect(answer).rejects.toThrow()
    expect(attempts).toHaveLength(1)
  })
})

it('retries share one budget, which answers to first attempts refill', async () => {
  const client = new DynamoDBClient({ ...SETTINGS, maxAttempts: 3 })
  const strategy = (await client.config.retryStrategy()) as unknown as { getCapacity(): number }
  const retried = withRetries(client.config)
  const full = strategy.getCapacity()
  await retried(failing(9, reset).attempt, ARGS, {}).catch(() => undefined)
  const spent = strategy.getCapacity()
  expect(spent).toBeLessThan(full)
  await retried(failing(0, reset).attempt, ARGS, {})
  expect(strategy.getCapacity()).toBe(spent + 1)
})
