import type { MoveSender } from '../../attempts/move-sender.js'
import { concurrently } from '../../bounded/concurrently.js'
import type { LogicalKey, SuffixableKey } from '../../keys/key.js'
import { isOwn, type KnownCard, later, renew } from '../../protocol/index.js'
import type { MigratedTable } from './migrated-table.js'
import { shardMapKeys } from './shard-map-keys.js'

/** Items of the shard map that are looked at and written at the same time. It may have one for each key that was ever written. */
const KEYS_AT_A_TIME = 32

/** While other processes change keys, the card changes, and the list is made again. */
const MAX_TRIES = 20

/**
 * Finds the keys that have a count of their own. On a card that lists all keys, writes a list of these keys instead, if there is room.
 *
 * A process may have listed a key that it has not changed yet. On a card that lists all keys, such a key cannot be distinguished from others. So
 * the item of every key is written once more, and the change of that process is refused by the lock. It lists the key again, which
 * raises the version of the card, and the list is made again.
 */
export async function ownCounts(
  at: MigratedTable,
  sender: MoveSender,
  signal: AbortSignal,
): Promise<readonly LogicalKey[]> {
  for (let attempt = 1; ; attempt++) {
    const card = await at.cards.readNow(at.like)
    const own: LogicalKey[] = []
    for await (const keys of keysOnCard(at, card, sender, signal)) {
      await concurrently(keys, KEYS_AT_A_TIME, async (key) => {
        signal.throwIfAborted()
        if (await hasOwnCount(at, card, key)) own.push(key)
      })
    }
    if (card.listed !== 'all' || !at.cards.mayList(own)) return own
    if ((await at.cards.listOnly(at.like, own, card.version)) || attempt === MAX_TRIES) return own
  }
}

/** The keys that the card lists, or all that have an item, page by page. */
async function* keysOnCard(
  { table, like }: MigratedTable,
  { listed }: KnownCard,
  sender: MoveSender,
  signal: AbortSignal,
): AsyncGenerator<readonly LogicalKey[]> {
  if (listed === 'all') yield* shardMapKeys(table, sender, signal)
  else yield Array.from(listed, (text) => keyOf(text, like))
}

async function hasOwnCount(
  { table, shardMap }: MigratedTable,
  card: KnownCard,
  key: LogicalKey,
): Promise<boolean> {
  // What was left by a process that has ended, or by a version without the mark.
  await shardMap.unlist(key)
  for (;;) {
    const state = await shardMap.reread(key)
    if (state === undefined) return false
    if (isOwn(state)) return true
    if (card.listed !== 'all') return false
    const lastUpdated = later(state, Math.floor(table.clock.now() / 1_000))
    if ((await shardMap.replace(key, state, { ...state, lastUpdated })) !== undefined) return false
  }
}

/**
 * Refuses every change that another process is about to begin from the initial state as it was. A process lists a key before it changes
 * it, and can no longer list keys from that state. So only the keys that are on the card are written, and those of them whose
 * change has already begun are left as they are.
 */
export async function refuseChangesFromBefore(
  at: MigratedTable,
  sender: MoveSender,
  signal: AbortSignal,
): Promise<void> {
  const { cards, shardMap, table, like } = at
  const card = await cards.readNow(like)
  for await (const keys of keysOnCard(at, card, sender, signal)) {
    await concurrently(keys, KEYS_AT_A_TIME, async (key) => {
      for (;;) {
        signal.throwIfAborted()
        const state = await shardMap.reread(key)
        if (state === undefined || (isOwn(state) && state.phase !== 'settled')) return
        const next = renew(state, Math.floor(table.clock.now() / 1_000))
        if ((await shardMap.replace(key, state, next)) !== undefined) return
      }
    })
  }
}

function keyOf(text: string, like: LogicalKey): LogicalKey {
  const key: SuffixableKey = 'S' in like ? { S: text } : { B: Buffer.from(text, 'latin1') }
  return key as LogicalKey
}
