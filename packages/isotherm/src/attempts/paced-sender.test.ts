import { DeleteItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type Answer, answerWith, ScriptedClient } from '../../test/scripted-client.js'
import { hotPartitionError } from '../../test/throttling.js'
import { pacedSender } from './paced-sender.js'

function senderOf(answers: readonly Answer[], signal?: AbortSignal) {
  const clock = new VirtualClock(0)
  const scripted = new ScriptedClient(...answers)
  const work = { client: scripted.client, clock, random: new SeededRandom(1), unitsPerSecond: 10, signal }
  return { clock, scripted, sender: pacedSender(work) }
}

const deletion = () => new DeleteItemCommand({ TableName: 'log', Key: { pk: { S: 'k' } } })

describe('work on a whole table', () => {
  it('uses no more than its units a second, even if nothing is throttled', async () => {
    const { clock, sender } = senderOf([answerWith()])
    await clock.run(async () => {
      for (let request = 0; request < 4; request++) await sender.answer(deletion(), 5)
      expect(clock.now()).toBe(1_500)
    })
  })

  it('survives minutes of throttles, and not more', async () => {
    const { clock, scripted, sender } = senderOf([hotPartitionError()])
    await clock.run(() => expect(sender.answer(deletion(), 1)).rejects.toThrow('Too much.'))
    expect(scripted.attempts).toBe(30)
  })

  it('stops when it is aborted', async () => {
    const work = new AbortController()
    const { clock, scripted, sender } = senderOf([answerWith()], work.signal)
    await clock.run(async () => {
      await sender.answer(deletion(), 60)
      const waiting = sender.answer(deletion(), 1)
      work.abort(new Error('enough'))
      await expect(waiting).rejects.toThrow('enough')
    })
    expect(scripted.attempts).toBe(1)
  })
})
