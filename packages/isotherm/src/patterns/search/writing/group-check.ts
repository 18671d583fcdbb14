import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { RecentlyUsedMap } from '../../../bounded/recently-used-map.js'
import type { StoredItem } from '../../read-items.js'
import { send } from '../../send.js'
import { untilTaken } from '../../until-taken.js'
import type { BaseItem } from '../model/base-item.js'
import { type DerivedItems, derivedItems, differenceOf, type IndexKey } from '../model/derived-items.js'
import type { DirectoryTarget } from '../model/directory-target.js'
import { ITEM, isSearchItem } from '../model/keys.js'
import { baseOf } from '../model/stored-base.js'
import { type LinkTarget, TARGET } from '../model/target-item.js'
import { readTarget, type TargetName } from './change-target.js'
import { isListed, settleListing } from './settle-listing.js'
import { settleSearchItems } from './settle-search-items.js'
import { followTarget } from './spread-target.js'

/** What a check has found. */
export interface CheckCounts {
  /** Items of the directory that were compared with their search items. */
  readonly compared: number
  /** Search items that are missing, or have another content than they should. */
  readonly missing: number
  /** Search items that belong to nothing. Searches skip them. */
  readonly extra: number
  /** Links with an older name of their target, or to a target that is deleted. */
  readonly outdated: number
  /** Items that were put right. */
  readonly repaired: number
}

const MAX_TARGETS = 10_000
/** Parts of a group are in different shards, so any number of other groups may be between them. */
const MAX_DIFFERENT = 10_000

/** Compares all items of one partition key with each other. */
export class GroupCheck {
  readonly counts = { compared: 0, missing: 0, extra: 0, outdated: 0, repaired: 0 }
  readonly #target: DirectoryTarget
  readonly #repair: boolean
  readonly #targets = new RecentlyUsedMap<string, Promise<LinkTarget | undefined>>(MAX_TARGETS)
  /** Partition keys whose differences are counted. */
  readonly #different = new RecentlyUsedMap<string, number>(MAX_DIFFERENT)

  constructor(target: DirectoryTarget, repair: boolean) {
    this.#target = target
    this.#repair = repair
  }

  async compare(scanned: readonly StoredItem[]): Promise<void> {
    const { names } = this.#target.definition
    const ID = scanned[0]?.[names.id]?.S ?? ''
    const hash = ID.indexOf('#')
    // Something else that is kept in the table.
    if (hash < 0 || scanned.some((item) => item[names.dataType]?.S === TARGET)) return
    let found = this.#differences(scanned)
    // It may have changed while it was scanned, or these are the items of one page, or of one shard.
    if (found.unlisted !== undefined || found.missing.length + found.extra.length > 0)
      found = this.#differences(await this.#readAll(ID))
    const { item, unlisted, missing, extra } = found
    if (item?.importing !== undefined) return
    const outdated = item === undefined ? [] : await this.#outdatedLinks(item)
    if (item !== undefined && scanned.some((one) => one[names.dataType]?.S === ITEM))
      this.counts.compared += 1
    const unlistedItems = unlisted === undefined ? 0 : 1
    if (unlistedItems + missing.length + extra.length + outdated.length === 0) return
    // Another part of the group may have shown the same.
    const isNew = this.#different.get(ID) === undefined
    this.#different.set(ID, 1)
    if (isNew) {
      this.counts.missing += missing.length + unlistedItems
      this.counts.extra += extra.length
      this.counts.outdated += outdated.length
    }
    if (!this.#repair) return
    const [tenant, id] = [ID.slice(0, hash), ID.slice(hash + 1)]
    for (const of of outdated) await followTarget(this.#target, of, id)
    // A change of a link has written the entry in the list, too.
    if (item !== undefined && unlisted !== undefined && outdated.length === 0)
      await settleListing(this.#target, item, unlisted)
    const isRepaired = await settleSearchItems(this.#target, tenant, id, [...missing, ...extra])
    if (isRepaired && isNew) this.counts.repaired += 1
  }

  #differences(items: readonly StoredItem[]) {
    const { definition } = this.#target
    const { names } = definition
    const base = items.find((one) => baseOf(definition, one) !== undefined)
    const item = baseOf(definition, base)
    const isUnlisted = base !== undefined && item !== undefined && !isListed(this.#target, item, base)
    const stored = new Map(
      items.flatMap((one): [string, IndexKey][] => {
        const name = one[names.dataType]?.S ?? ''
        const [type, value] = [one[names.searchType]?.S, one[names.searchValue]?.S]
        if (!isSearchItem(name) || type === undefined || value === undefined) return []
        return [[name, { type, value }]]
      }),
    )
    const wanted: DerivedItems = item === undefined ? new Map() : derivedItems(definition, item)
    const { put, remove } = differenceOf(stored, wanted)
    return { item, unlisted: isUnlisted ? base : undefined, missing: [...put.keys()], extra: remove }
  }

  async #outdatedLinks({ tenant, links }: BaseItem): Promise<readonly TargetName[]> {
    const outdated: TargetName[] = []
    for (const [kind, targets] of Object.entries(links)) {
      for (const [id, { version }] of Object.entries(targets)) {
        const of = { tenant, kind, id }
        const key = JSON.stringify(of)
        const known = this.#targets.get(key)
        const reading = known ?? readTarget(this.#target, of)
        if (known === undefined) this.#targets.set(key, reading)
        // One that was not there may have been named since.
        const now = (await reading) ?? (known && (await readTarget(this.#target, of)))
        if (now === undefined || now.version > version) outdated.push(of)
      }
    }
    return outdated
  }

  async #readAll(ID: string): Promise<readonly StoredItem[]> {
    const { db, definition, patience } = this.#target
    const items: StoredItem[] = []
    let from: StoredItem | undefined
    do {
      const input = {
        TableName: definition.table,
        ConsistentRead: true,
        KeyConditionExpression: '#id = :id',
        ExpressionAttributeNames: { '#id': definition.names.id },
        ExpressionAttributeValues: { ':id': { S: ID } },
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      }
      const { Items = [], LastEvaluatedKey } = await untilTaken(patience, () =>
        send<QueryCommandOutput>(db, new QueryCommand(input)),
      )
      items.push(...Items)
      from = LastEvaluatedKey
    } while (from !== undefined)
    return items
  }
}
