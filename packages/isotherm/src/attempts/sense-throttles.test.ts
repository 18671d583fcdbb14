import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { retryAtOnce } from '../../test/retry-at-once.js'
import { type Answer, answerWith, ScriptedClient, serviceError } from '../../test/scripted-client.js'
import { hotPartitionError } from '../../test/throttling.js'
import { senseThrottles } from './sense-throttles.js'

const get = () => new GetItemCommand({ TableName: 'log', Key: { pk: { S: 'k' } } })

/** A client of the SDK whose first attempts are throttled, and the next one fails otherwise. */
function throttledClient(throttles: number): DynamoDBClient {
  let attempts = 0
  const handle = async () => {
    throw attempts++ < throttles ? hotPartitionError() : serviceError('ValidationException')
  }
  const client = new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: { handle } as never,
  })
  retryAtOnce(client)
  return client
}

/** Sends one attempt of a command whose throttles are reported. */
async function sent(answer: Answer) {
  const command = get()
  const throttles: (readonly string[])[] = []
  senseThrottles(command, (reasons) => throttles.push(reasons))
  const { client } = new ScriptedClient(answer)
  const result = await client.send(command as never).catch((error: unknown) => error)
  return { result, throttles }
}

describe('an attempt of a command that keeps the retries of the SDK', () => {
  it('that is throttled is reported with its reasons, and fails as without the report', async () => {
    const error = hotPartitionError()
    expect(await sent(error)).toEqual({
      result: error,
      throttles: [['TableWriteKeyRangeThroughputExceeded']],
    })
  })

  it('that is throttled without a reason is reported, too', async () => {
    expect((await sent(serviceError('ProvisionedThroughputExceededException'))).throttles).toEqual([[]])
  })

  it('that fails otherwise, or is answered, is not reported', async () => {
    const error = serviceError('ValidationException')
    expect(await sent(error)).toEqual({ result: error, throttles: [] })
    const answer = answerWith({ Item: {} })
    expect(await sent(answer)).toEqual({ result: answer, throttles: [] })
  })

  it('is reported each time that the SDK sends it', async () => {
    const client = throttledClient(3)
    const command = get()
    let throttles = 0
    senseThrottles(command, () => throttles++)
    await expect(client.send(command)).rejects.toMatchObject({ name: 'ValidationException' })
    expect(throttles).toBe(3)
  })

  it('is reported each time that middleware of the application sends it', async () => {
    const client = throttledClient(3)
    client.middlewareStack.add((next) => async (args) => next(args).catch(() => next(args)), {
      step: 'finalizeRequest',
      priority: 'low',
    })
    const command = get()
    let throttles = 0
    senseThrottles(command, () => throttles++)
    await expect(client.send(command)).rejects.toMatchObject({ name: 'ValidationException' })
    expect(throttles).toBe(3)
  })

  it('is listed with the name of the report where the application looks at the middleware of a request', () => {
    const command = get()
    senseThrottles(command, () => {})
    expect(command.middlewareStack.identify()).toEqual(['IsothermSense - finalizeRequest'])
  })
})
