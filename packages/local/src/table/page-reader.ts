import type { Clock } from '@isotherm/runtime'
import { MAX_PAGE_BYTES, readUnits } from '@isotherm/semantics'
import type { Enforcement } from '../capacity/admission.js'
import type { KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import { currentAccount } from '../capacity/request-account.js'
import { Throttled } from '../capacity/throttled.js'
import type { BillingMode } from '../capacity/throughput.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { type KeyRange, rangeAfter } from '../keyspace/key-range.js'
import type { Partition } from '../partition/partition.js'
import type { OrderedMap, StoredItem } from '../storage/ordered-map.js'
import type { Page, PageRequest } from './page.js'

/** The table or index that a page is read from. */
export interface ReadView {
  readonly capacity: KeyspaceCapacity
  readonly items: Pick<OrderedMap, 'range'>
  readonly billingMode: BillingMode
  /** Returns the whole item for an entry of a local index, when the request needs more than the entry holds. */
  readonly wholeItem?: ((entry: StoredItem) => StoredItem | undefined) | undefined
}

/** The part of a page that lies in one partition. */
interface Visit {
  readonly partition: Partition
  readonly key: EncodedKey
  bytes: number
  /** The keys of the entries read. */
  readonly keys: EncodedKey[]
  /** Units for whole items, each rounded separately. */
  fetchedUnits: number
}

/** Each whole item is searched in its table, which takes a few microseconds. A page can have more than 20,000. */
const FETCHED_PER_TURN = 4_000

/** A page that is being read. */
interface Reading {
  /** What is left of the range. */
  rest: KeyRange
  readonly items: StoredItem[]
  readonly visits: Visit[]
  readBytes: number
  last: Page['last']
}

/**
 * Reads up to one page: at most 1 MB, ended by the item that crosses the limit. Every partition on the way must have
 * capacity. A partition without capacity ends the page, or throttles the request when nothing has been read yet.
 *
 * A page of many whole items takes several steps. Between them, items may be written and partitions split.
 *
 * @param open returns what the page is read from, for each step again
 * @throws Throttled
 */
export function* readPageInSteps(
  open: () => ReadView,
  request: PageRequest,
  clock: Pick<Clock, 'now'>,
  enforcement: Enforcement,
): Generator<undefined, Page, undefined> {
  const reading = begun(request)
  for (;;) {
    const page = readOn(reading, open(), request, clock.now(), enforcement)
    if (page !== undefined) return page
    yield
  }
}

/** Reads the same page at once. @throws Throttled */
export function readPage(view: ReadView, request: PageRequest, now: number, enforcement: Enforcement): Page {
  const reading = begun(request)
  for (;;) {
    const page = readOn(reading, view, request, now, enforcement)
    if (page !== undefined) return page
  }
}

function begun({ range, readBytes = 0 }: PageRequest): Reading {
  return { rest: range, items: [], visits: [], readBytes, last: undefined }
}

/** Reads until the page ends, or has fetched enough for one step. @returns `undefined` if another step has to follow */
function readOn(
  reading: Reading,
  view: ReadView,
  request: PageRequest,
  now: number,
  { throttle }: Enforcement,
): Page | undefined {
  const { capacity } = view
  const { rest, items, visits } = reading
  const touched = capacity.partitions.touching(rest)
  let fetched = 0
  for (const partition of request.reverse ? touched.toReversed() : touched) {
    const range = intersect(rest, partition.from, capacity.partitions.endOf(partition))
    let visit = visits.at(-1)
    if (visit?.partition !== partition) {
      const refusal = throttle ? capacity.refusal('read', partition, now) : undefined
      if (refusal !== undefined) {
        capacity.throttle('read', partition, range.from, refusal.reason, now, true)
        if (reading.last === undefined) {
          currentAccount()?.refusals.push([{ ...refusal, kind: 'read', partition: partition.id }])
          throw new Throttled(view.billingMode, [refusal])
        }
        return finish(view, request, reading, now)
      }
      visit = { partition, key: range.from, bytes: 0, keys: [], fetchedUnits: 0 }
      visits.push(visit)
    }
    for (const [key, stored] of view.items.range(range, request.reverse)) {
      const whole = view.wholeItem?.(stored)
      items.push(whole ?? stored)
      visit.bytes += stored.bytes
      visit.keys.push(key)
      reading.readBytes += stored.bytes
      if (whole !== undefined) {
        visit.fetchedUnits += readUnits(whole.bytes, request.consistency)
        reading.readBytes += whole.bytes
        fetched++
      }
      reading.last = { key, stored }
      if (reading.readBytes >= MAX_PAGE_BYTES || items.length === request.limit) {
        return finish(view, request, reading, now)
      }
      if (fetched === FETCHED_PER_TURN) {
        reading.rest = rangeAfter(rest, key, request.reverse === true)
        return undefined
      }
    }
  }
  reading.last = undefined
  return finish(view, request, reading, now)
}

/** Computes the cost of the page, and charges each partition for its part. */
function finish(
  { capacity }: ReadView,
  request: PageRequest,
  { visits, items, readBytes, last }: Reading,
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
  return { items, readBytes, last, units, fetchedUnits }
}

/**
 * Returns one of the entries that a page read, at a different position for each page. A page is a load on all its
 * entries, and a split should be in their middle. A load recorded at the first key only would look like one hot item.
 */
function hotKeyOf({ partition, key, keys }: Visit): EncodedKey {
  const place = (partition.pagesRead++ * GOLDEN_RATIO) % 1
  return keys[Math.floor(place * keys.length)] ?? key
}

/** Multiples of the golden ratio, modulo 1, are evenly spread for any number of them. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2

function intersect(range: KeyRange, from: EncodedKey, to: EncodedKey | undefined): KeyRange {
  const end = range.to === undefined || (to !== undefined && to < range.to) ? to : range.to
  return { from: from > range.from ? from : range.from, to: end }
}
