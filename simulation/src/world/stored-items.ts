import { bindUpdate, createsItem, type Item, Placeholders, parseUpdate } from '@isotherm/semantics'
import type { ExecutedRequest } from './network.js'

export type Attributes = Readonly<Record<string, object | undefined>>

/** A table whose items are followed. */
export interface FollowedTable {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string
  /** Whether shard 1 is the bare key. */
  readonly adopt: boolean
}

/** One logical item, and the shards that have a copy of it at this moment. */
export interface StoredCopies {
  readonly table: string
  readonly logicalKey: string
  readonly sort: string
  readonly shards: Set<number>
}

type OnChange = (copies: StoredCopies, request: ExecutedRequest) => void

/** Called where an item was moved over another one. */
type OnReplaced = (copies: StoredCopies, shard: number) => void

interface Change {
  readonly table: string
  readonly key: Attributes
  readonly isThere: boolean
  /** `false` for an update that only removes, which leaves an item only where there was one. */
  readonly createsItem?: boolean
  /** What the same transaction deletes: a move deletes the item where it was. */
  readonly deleted?: readonly Attributes[]
}

/**
 * What is stored where, followed write by write as the service carries them out, without the library: a put or an update
 * leaves an item, unless the update only removes attributes of an item that is not there; a deletion leaves none.
 */
export class StoredItems {
  readonly #tables: ReadonlyMap<string, FollowedTable>
  readonly #items = new Map<string, StoredCopies>()
  /** The same ones, by table and logical key. */
  readonly #byKey = new Map<string, StoredCopies[]>()
  readonly #tokens = new Set<string>()
  readonly #onChange: OnChange
  readonly #onReplaced: OnReplaced

  constructor(tables: readonly FollowedTable[], onChange: OnChange, onReplaced: OnReplaced = () => {}) {
    this.#tables = new Map(tables.map((table) => [table.name, table]))
    this.#onChange = onChange
    this.#onReplaced = onReplaced
  }

  /** The stored keys of all items of a table: partition key, a space, sort key. */
  namesIn(table: string): ReadonlySet<string> {
    const adopt = this.#tables.get(table)?.adopt === true
    const names = new Set<string>()
    for (const copies of this.#items.values()) {
      if (copies.table !== table) continue
      for (const shard of copies.shards) {
        const suffix = adopt && shard === 1 ? '' : `_${shard}`
        names.add(`${copies.logicalKey}${suffix} ${copies.sort}`)
      }
    }
    return names
  }

  /** All items of a logical key that are there, or were. */
  of(table: string, logicalKey: string): readonly StoredCopies[] {
    return this.#byKey.get(`${table}\n${logicalKey}`) ?? []
  }

  readonly observe = (request: ExecutedRequest): void => {
    if (request.output === undefined || this.#isRepeated(request)) return
    const changed = new Set<StoredCopies>()
    for (const change of changesOf(request)) {
      const copies = this.#apply(change)
      if (copies !== undefined) changed.add(copies)
    }
    for (const copies of changed) this.#onChange(copies, request)
  }

  /** Takes note of an item that was put before anybody watched. */
  put(table: string, key: Attributes): void {
    this.#apply({ table, key, isThere: true })
  }

  /** A transaction with the token of one that was carried out does nothing. */
  #isRepeated({ input }: ExecutedRequest): boolean {
    const { ClientRequestToken: token } = input as { readonly ClientRequestToken?: string }
    if (token === undefined) return false
    if (this.#tokens.has(token)) return true
    this.#tokens.add(token)
    return false
  }

  #apply({ table, key, isThere, createsItem = true, deleted = [] }: Change): StoredCopies | undefined {
    const followed = this.#tables.get(table)
    if (followed === undefined) return undefined
    const { logicalKey, shard } = takenApart(contentOf(key[followed.partitionKey]), followed.adopt)
    const sort = contentOf(key[followed.sortKey])
    const name = `${table}\n${logicalKey}\n${sort}`
    const isSameItem = (other: Attributes) =>
      contentOf(other[followed.sortKey]) === sort &&
      takenApart(contentOf(other[followed.partitionKey]), followed.adopt).logicalKey === logicalKey
    let copies = this.#items.get(name)
    if (copies === undefined) {
      copies = { table, logicalKey, sort, shards: new Set() }
      this.#items.set(name, copies)
      const siblings = this.#byKey.get(`${table}\n${logicalKey}`)
      if (siblings === undefined) this.#byKey.set(`${table}\n${logicalKey}`, [copies])
      else siblings.push(copies)
    }
    if (isThere && copies.shards.has(shard) && deleted.some(isSameItem)) this.#onReplaced(copies, shard)
    if (isThere && createsItem) copies.shards.add(shard)
    if (!isThere) copies.shards.delete(shard)
    return copies
  }
}

type Input = Readonly<Record<string, unknown>>

function changesOf({ operation, input, output }: ExecutedRequest): readonly Change[] {
  const request = input as Input
  if (operation === 'TransactWriteItems') {
    const actions = request.TransactItems as readonly Record<string, Input>[]
    return actions.flatMap(({ Put, Update, Delete }) => [
      ...changeOf(Put, true).map((change) => ({ ...change, deleted: deletedIn(actions, change.table) })),
      ...updateOf(Update),
      ...changeOf(Delete, false),
    ])
  }
  if (operation === 'BatchWriteItem') return batchChanges(request, output as Input)
  if (operation === 'PutItem') return changeOf(request, true)
  if (operation === 'UpdateItem') return updateOf(request)
  return operation === 'DeleteItem' ? changeOf(request, false) : []
}

function deletedIn(actions: readonly Record<string, Input>[], table: string): readonly Attributes[] {
  return actions.flatMap(({ Delete }) => (Delete?.TableName === table ? [Delete.Key as Attributes] : []))
}

type BatchMember = {
  readonly PutRequest?: { readonly Item: Attributes }
  readonly DeleteRequest?: { readonly Key: Attributes }
}

function batchChanges({ RequestItems }: Input, { UnprocessedItems }: Input): readonly Change[] {
  const members = Object.entries(RequestItems as Record<string, readonly BatchMember[]>)
  const left = (UnprocessedItems ?? {}) as Record<string, readonly BatchMember[]>
  return members.flatMap(([table, requests]) => {
    const unprocessed = new Set((left[table] ?? []).map((member) => JSON.stringify(member)))
    return requests
      .filter((member) => unprocessed.size === 0 || !unprocessed.has(JSON.stringify(member)))
      .map(({ PutRequest, DeleteRequest }) => ({
        table,
        key: PutRequest?.Item ?? DeleteRequest?.Key ?? {},
        isThere: PutRequest !== undefined,
      }))
  })
}

function changeOf(action: Input | undefined, isThere: boolean): readonly Change[] {
  if (action === undefined) return []
  const key = (action.Item ?? action.Key) as Attributes
  return [{ table: String(action.TableName), key, isThere }]
}

function updateOf(update: Input | undefined): readonly Change[] {
  const text = update?.UpdateExpression
  if (update === undefined || text === undefined) return changeOf(update, true)
  const placeholders = new Placeholders(
    update.ExpressionAttributeNames as Record<string, string> | undefined,
    update.ExpressionAttributeValues as Item | undefined,
  )
  const creates = createsItem(bindUpdate(parseUpdate(String(text)), placeholders))
  return changeOf(update, true).map((change) => ({ ...change, createsItem: creates }))
}

/** The text of a key, or of its number. */
export function contentOf(value: object | undefined): string {
  const [content] = Object.values(value ?? {})
  return String(content)
}

/** Said once more and naively, so that the library's suffix is held against something else. */
export function takenApart(
  physical: string,
  adopt: boolean,
): { readonly logicalKey: string; readonly shard: number } {
  const end = physical.lastIndexOf('_')
  if (end < 0 && adopt) return { logicalKey: physical, shard: 1 }
  if (end < 0) throw new Error(`The key ${physical} has no suffix.`)
  return { logicalKey: physical.slice(0, end), shard: Number(physical.slice(end + 1)) }
}
