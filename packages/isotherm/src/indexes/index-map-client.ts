import { IsothermError } from '../errors/isotherm-error.js'
import type { AnyCommand, PhysicalClient, SendOptions } from '../sdk/physical-client.js'

type Attributes = Readonly<Record<string, unknown>>

interface KeyedInput {
  readonly Key?: Attributes
  readonly Item?: Attributes
}

/**
 * A client for the counts of indexes in the shard map. Their keys are text. If the key of the shard map is binary, as it
 * is for a table with a binary key, the first request is refused, and the text is sent as bytes from then on. Rejected:
 * an option with the type of the key, which people can set wrongly.
 */
export function indexMapClient(
  client: PhysicalClient,
  { shardMap, partitionKey }: { readonly shardMap: string; readonly partitionKey: string },
): PhysicalClient {
  let isBinary = false
  const send = async (command: AnyCommand, options?: SendOptions): Promise<unknown> => {
    if (!isBinary) {
      try {
        return await client.send(command as never, options)
      } catch (error) {
        if (!isOfOtherType(error)) throw error
      }
    }
    try {
      const output = await client.send(inBytes(command, partitionKey) as never, options)
      isBinary = true
      return output
    } catch (error) {
      throw isOfOtherType(error) ? otherKey(shardMap, partitionKey) : error
    }
  }
  return Object.create(client, { send: { value: send } })
}

function isOfOtherType(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'ValidationException') return false
  return /does not match the schema|Type mismatch for key/.test(error.message)
}

function inBytes(command: AnyCommand, partitionKey: string): AnyCommand {
  const { Key, Item } = command.input as KeyedInput
  const Command = command.constructor as new (input: object) => AnyCommand
  return new Command({
    ...command.input,
    ...(Key === undefined ? {} : { Key: keyInBytes(Key, partitionKey) }),
    ...(Item === undefined ? {} : { Item: keyInBytes(Item, partitionKey) }),
  })
}

function keyInBytes(attributes: Attributes, partitionKey: string): Attributes {
  const { S } = attributes[partitionKey] as { readonly S: string }
  return { ...attributes, [partitionKey]: { B: Buffer.from(S) } }
}

/** The service does not say which key the shard map has: one of another name, a number, or one with a sort key. */
function otherKey(shardMap: string, partitionKey: string): IsothermError<'shard-map.schema'> {
  const [found, expected] = ['another key', `${partitionKey} (S)`]
  return new IsothermError(
    'shard-map.schema',
    `The shard map ${shardMap} takes neither text nor bytes as its key ${partitionKey}, so it cannot hold the keys of an index; it must have the key ${expected}. ` +
      'Create another with ensureShardMap, and name it in the option shardMap.',
    { shardMap, found, expected },
  )
}
