import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import type { ObjectStore } from '../object-store/object-store.js'
import type { Sender } from '../sending/pattern-client.js'
import { PARTITION_KEY, SORT_KEY } from './ensure-chunk-table.js'

/** The sort key of every chunk. The partition key names it, so that the chunks of an item are spread over partitions. */
const CHUNK = 'chunk'
const BYTES = 'bytes'

/** Stores each object as an item of the chunk table. */
export function chunkStore(db: Sender, TableName: string): ObjectStore {
  const keyOf = (name: string) => ({ [PARTITION_KEY]: { S: name }, [SORT_KEY]: { S: CHUNK } })
  const read = async (name: string, ConsistentRead: boolean, abortSignal: AbortSignal | undefined) => {
    const command = new GetItemCommand({ TableName, Key: keyOf(name), ConsistentRead })
    const { Item } = await db.send(command, abortSignal && { abortSignal })
    return Item?.[BYTES]?.B
  }
  return {
    async put(name, bytes, abortSignal) {
      const Item = { ...keyOf(name), [BYTES]: { B: bytes } }
      await db.send(new PutItemCommand({ TableName, Item }), abortSignal && { abortSignal })
    },
    /** A chunk never changes, so a replica that has it has the right one. Only one that has not is read again. */
    async get(name, signal) {
      return (await read(name, false, signal)) ?? (await read(name, true, signal))
    },
    async delete(name, abortSignal) {
      const command = new DeleteItemCommand({ TableName, Key: keyOf(name) })
      await db.send(command, abortSignal && { abortSignal })
    },
  }
}
