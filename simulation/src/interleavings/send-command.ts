import * as sdk from '@aws-sdk/client-dynamodb'
import type { Actor } from './actor.js'
import type { Always } from './always.js'
import { answerText, shardsText } from './answers.js'
import type { Command } from './commands.js'
import type { Action, Script } from './script.js'
import type { Attributes } from './values.js'

type Output = Record<string, unknown>
type CommandClass = new (input: object) => object

/** Sends a command through the library. @returns the answer in the words of a script */
export async function sendCommand(
  actor: Actor,
  { operation, input, pages, next }: Command,
  { tables }: Script,
  always: Always,
): Promise<string> {
  const ask = (own: object): Promise<Output> => {
    const command = new (commandClass(operation))(own)
    const send = () => actor.db.send(command as never) as Promise<unknown> as Promise<Output>
    return always.sent(actor.process, operation, own, send)
  }
  let output = await ask(next ? { ...input, ExclusiveStartKey: actor.cursor } : input)
  const items = [...((output.Items ?? []) as readonly Attributes[])]
  while (pages && output.LastEvaluatedKey !== undefined) {
    output = await ask({ ...input, ExclusiveStartKey: output.LastEvaluatedKey })
    items.push(...((output.Items ?? []) as readonly Attributes[]))
  }
  actor.cursor = output.LastEvaluatedKey
  const table = tables.get(String(input.TableName))
  return answerText(operation, table, pages ? { ...output, Items: items } : output, tables)
}

/** Reads, sets or drains the shards of a key by hand. @returns the answer in the words of a script */
export async function useShards(
  actor: Actor,
  { table, key, call, counts, options }: Extract<Action, { kind: 'shards' }>,
  always: Always,
): Promise<string> {
  const shards = actor.db.shards(table, key)
  if (call === 'drain') return shards.drain(options)
  if (call === 'resume') return shardsText(await shards.resume())
  let state = call === 'shards' ? await shards.read() : undefined
  for (const count of counts) {
    state = await always.byHand(actor.process, table, key, count, () => shards.set(count))
  }
  return shardsText(state)
}

function commandClass(operation: string): CommandClass {
  const name = `${operation}Command`
  const found = (sdk as unknown as Record<string, CommandClass | undefined>)[name]
  if (found === undefined) throw new Error(`the SDK has no ${name}`)
  return found
}
