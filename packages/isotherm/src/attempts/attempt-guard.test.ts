import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type Answer, ScriptedClient, serviceError } from '../../test/scripted-client.js'
import { hotPartitionError } from '../../test/throttling.js'
import { type GuardedDeadline, guardAttempts } from './attempt-guard.js'

const put = () => new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' } } })

/** A client of the SDK, whose service answers each request, or fails. */
function sdkClient(handle: () => Promise<unknown>): DynamoDBClient {
  return new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: { handle } as never,
  })
}

describe('a guarded attempt', () => {
  it('is not sent if middleware of the application has held it up until its view ended', async () => {
    const clock = new VirtualClock(0)
    let requests = 0
    const client = sdkClient(async () => {
      requests += 1
      throw serviceError('ValidationException')
    })
    client.middlewareStack.add(
      (next) => async (args) => {
        clock.advance(1_000)
        return next(args)
      },
      { step: 'finalizeRequest', priority: 'low' },
    )
    const command = put()
    guardAttempts({ command, clock, validUntil: 1_000 })
    await expect(client.send(command)).rejects.toMatchObject({ name: 'IsothermAttempt', throttle: undefined })
    expect(requests).toBe(0)
  })

  it('that is throttled passes middleware and the retries of the SDK under a name that is no throttle', async () => {
    let requests = 0
    const client = sdkClient(async () => {
      requests += 1
      throw hotPartitionError()
    })
    const command = new GetItemCommand({ TableName: 'log', Key: { pk: { S: 'k' } } })
    guardAttempts({ command, clock: new VirtualClock(0), validUntil: Number.POSITIVE_INFINITY })
    await expect(client.send(command)).rejects.toMatchObject({
      name: 'IsothermAttempt',
      message: 'Too much.',
      throttle: { reasons: ['TableWriteKeyRangeThroughputExceeded'] },
    })
    expect(requests).toBe(1)
  })

  it('is listed with its name where the application looks at the middleware of a request', () => {
    const command = put()
    guardAttempts({ command, clock: new VirtualClock(0), validUntil: Number.POSITIVE_INFINITY })
    expect(command.middlewareStack.identify()).toEqual(['IsothermAttempt - finalizeRequest'])
  })
})

describe('an attempt at its deadline', () => {
  const sent = async (answer: Answer, isOver: boolean) => {
    const clock = new VirtualClock(0)
    const command = put()
    const log: { unanswered: unknown } = { unanswered: undefined }
    const deadline: GuardedDeadline = { begin: () => undefined, isOver: () => isOver }
    guardAttempts({ command, clock, validUntil: 1_000, log }, deadline)
    const { client } = new ScriptedClient(answer)
    const error: unknown = await client.send(command).catch((thrown: unknown) => thrown)
    return { error, log }
  }

  it('had no response if it was aborted, and may have been carried out', async () => {
    const { error, log } = await sent(serviceError('AbortError'), true)
    expect(error).toMatchObject({ name: 'TimeoutError' })
    expect(log.unanswered).toBe(error)
  })

  it('fails with the response that arrived just then', async () => {
    const refusal = serviceError('ConditionalCheckFailedException')
    const { error, log } = await sent(refusal, true)
    expect(error).toBe(refusal)
    expect(log.unanswered).toBeUndefined()
  })

  it('fails as it was aborted if that was before', async () => {
    const aborted = serviceError('AbortError')
    expect((await sent(aborted, false)).error).toBe(aborted)
  })
})
