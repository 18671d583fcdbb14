import { MAX_PAGE_BYTES, readUnits } from '@isotherm/semantics'
import type { Enforcement } from '../capacity/admission.js'
import type { KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import { currentAccount } from '../capacity/request-account.js'
import { Throttled } from '../capacity/throttled.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { KeyRange } from '../keyspace/key-range.js'
import type { Partition } from '../partition/partition.js'
import type { OrderedMap, StoredItem } from '../storage/storage.js'
import type { Page, PageRequest } from './page.js'
import type { BillingMode } from './table-definition.js'

/** What a page is read from: a table or an index. */
export interface ReadView {
  readonly capacity: KeyspaceCapacity
  readonly items: Pick<OrderedMap, 'range'>
  readonly billingMode: BillingMode
  /** The whole item behind an entry of a local index, when more is asked for than the entry holds. */
  readonly wholeItem?: ((entry: StoredItem) => StoredItem | undefined) | undefined
}

/** What a page took from one partition on its way. */
interface Visit {
  readonly partition: Partition
  readonly key: EncodedKey
  bytes: number
  /** Of the entries that were read. */
  readonly keys: EncodedKey[]
  /** Units for whole items, each rounded by itself. */
  fetchedUnits: number
}

/**
 * Reads up to a page: at most 1 MB, ended by the item that crosses it. Every partition on the way must have capacity;
 * one that has none ends the page, or throttles the request when nothing was read yet.
 * @throws Throttled
 */
export function readPage(view: ReadView, request: PageRequest, now: number, { throttle }: Enforcement): Page {
  const { capacity, items } = view
  const touched = capacity.partitions.touching(request.range)
  const read: StoredItem[] = []
  const visits: Visit[] = []
  let bytes = 0
  let last: Page['last']
  for (const partition of request.reverse ? touched.toReversed() : touched) {
    const range = intersect(request.range, partition.from, capacity.partitions.endOf(partition))
    const refusal = throttle ? capacity.refusal('read', partition, now) : undefined
    if (refusal !== undefined) {
      capacity.throttle('read', partition, range.from, refusal.reason, now, true)
      if (last === undefined) {
        currentAccount()?.refusals.push([{ ...refusal, kind: 'read', partition: partition.id }])
        throw new Throttled(view.billingMode, [refusal])
      }
      return finish(view, request, visits, { items: read, last }, now)
    }
    const visit: Visit = { partition, key: range.from, bytes: 0, keys: [], fetchedUnits: 0 }
    visits.push(visit)
    for (const [key, stored] of items.range(range, request.reverse)) {
      const whole = view.wholeItem?.(stored)
      read.push(whole ?? stored)
      visit.bytes += stored.bytes
      visit.keys.push(key)
      bytes += stored.bytes
      if (whole !== undefined) {
        visit.fetchedUnits += readUnits(whole.bytes, request.consistency)
        bytes += whole.bytes
      }
      last = { key, stored }
      if (bytes >= MAX_PAGE_BYTES || read.length === request.limit) {
        return finish(view, request, visits, { items: read, last }, now)
      }
    }
  }
  return finish(view, request, visits, { items: read }, now)
}

/** Works out what the page cost, and lets each partition pay for its part. */
function finish(
  { capacity }: ReadView,
  request: PageRequest,
  visits: readonly Visit[],
  page: Pick<Page, 'items' | 'last'>,
  now: number,
): Page {
  let bytes = 0
  for (const visit of visits) bytes += visit.bytes
  const together = readUnits(bytes, request.consistency)
  const minimum = readUnits(0, request.consistency)
  const units = request.access === 'scan' ? Math.max(together, minimum * visits.length) : together
  let fetchedUnits = 0
  const account = currentAccount()
  for (const visit of visits) {
    const share = bytes === 0 ? units / visits.length : (units * visit.bytes) / bytes
    const taken = share + visit.fetchedUnits
    const { resource } = capacity
    account?.takes.push({ resource, kind: 'read', partition: visit.partition.id, units: taken })
    capacity.take('read', visit.partition, visit.key, taken, now, hotKeyOf(visit))
    fetchedUnits += visit.fetchedUnits
  }
  return { items: page.items, last: page.last, units, fetchedUnits }
}

/**
 * One of the entries that a page read, each time at another place: a page is a load on all of them, and its partition is
 * to be cut in their middle. Taken for a load on the key at which it begins, it would look like one hot item.
 */
function hotKeyOf({ partition, key, keys }: Visit): EncodedKey {
  const place = (partition.pagesRead++ * GOLDEN_RATIO) % 1
  return keys[Math.floor(place * keys.length)] ?? key
}

/** Multiples of it spread evenly, however many there are. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2

function intersect(range: KeyRange, from: EncodedKey, to: EncodedKey | undefined): KeyRange {
  const end = range.to === undefined || (to !== undefined && to < range.to) ? to : range.to
  return { from: from > range.from ? from : range.from, to: end }
}
