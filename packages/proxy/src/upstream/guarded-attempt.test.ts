import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { guardedAttempt } from './guarded-attempt.js'

const SETTINGS = { region: 'eu-central-1', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } }

/** A command whose middleware notes when it runs. */
function noting(notes: string[], ...names: readonly string[]): GetItemCommand {
  const command = new GetItemCommand({ TableName: 'log', Key: {} })
  for (const name of names) {
    command.middlewareStack.add(
      (next) => async (args) => {
        notes.push(name)
        return next(args)
      },
      { step: 'finalizeRequest', priority: 'low', name },
    )
  }
  return command
}

it("runs the middleware of a command in the SDK's order", async () => {
  const short: string[] = []
  const attempt = guardedAttempt(noting(short, 'first', 'second'), async () => 'answer', {})
  expect(await attempt?.({ input: {}, request: undefined })).toBe('answer')
  const long: string[] = []
  const requestHandler = {
    handle: async () => ({ response: { statusCode: 200, headers: {}, body: Buffer.from('{}') } }),
  }
  await new DynamoDBClient({ ...SETTINGS, requestHandler: requestHandler as never }).send(
    noting(long, 'first', 'second'),
  )
  expect(short).toEqual(['first', 'second'])
  expect(short).toEqual(long)
})

it('leaves a command with middleware of another step to the SDK', () => {
  const command = new GetItemCommand({ TableName: 'log', Key: {} })
  command.middlewareStack.add((next) => next, { step: 'build' })
  expect(guardedAttempt(command, async () => 'answer', {})).toBeUndefined()
})
