import { GetItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type Answer, answerWith, ScriptedClient, serviceError } from '../../test/scripted-client.js'
import { hotPartitionError } from '../../test/throttling.js'
import { senseThrottles } from './sense-throttles.js'

/** Sends one attempt of a command whose throttles are reported. */
async function sent(answer: Answer) {
  const command = new GetItemCommand({ TableName: 'log', Key: { pk: { S: 'k' } } })
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
})
