import type { Clock, Random } from '@isotherm/runtime'
import type { Enforcement } from '../capacity/admission.js'
import type { CapacityParameters } from '../capacity/capacity-parameters.js'
import { KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import type { SplitEvent } from '../partition/partition-map.js'
import type { Storage } from '../storage/storage.js'
import { SecondaryIndex } from './secondary-index.js'
import { Table } from './table.js'
import type { TableDefinition } from './table-definition.js'

/** A split, or its refusal, and whose partition it was. */
export type PartitionEvent = SplitEvent & { readonly table: string; readonly index?: string }

/** What tables stand on. */
export interface CatalogParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  readonly capacity: CapacityParameters
  readonly enforcement: Enforcement
  readonly onPartitionEvent: (event: PartitionEvent) => void
}

/** The account that ARNs name: there is only one here. */
export const ACCOUNT = '000000000000'

/** The tables of all regions. Tables of different regions never meet. */
export class Catalog {
  readonly #parts: CatalogParts
  readonly #tables = new Map<string, Table>()

  constructor(parts: CatalogParts) {
    this.#parts = parts
  }

  get(region: string, name: string): Table | undefined {
    return this.#tables.get(placeOf(region, name))
  }

  /** Names of the region's tables, sorted. */
  names(region: string): readonly string[] {
    const prefix = placeOf(region, '')
    const places = [...this.#tables.keys()].filter((place) => place.startsWith(prefix))
    return places.map((place) => place.slice(prefix.length)).sort()
  }

  /** Makes an empty table. There must be none of that name. */
  create(region: string, definition: TableDefinition): Table {
    const { storage, clock, random, capacity, enforcement, onPartitionEvent } = this.#parts
    const keyspace = placeOf(region, definition.name)
    const arn = `arn:aws:dynamodb:${region}:${ACCOUNT}:table/${definition.name}`
    const now = clock.now()
    const indexes = definition.indexes.map((index) => {
      const place = {
        arn: `${arn}/index/${index.name}`,
        keyspace: `${keyspace}/${index.name}`,
        items: storage.open(`${keyspace}/${index.name}`),
      }
      const indexCapacity = new KeyspaceCapacity(
        { kind: 'Index', arn: place.arn },
        definition.billingMode,
        index.throughput,
        capacity,
        now,
        (event) => onPartitionEvent({ ...event, table: definition.name, index: index.name }),
      )
      return new SecondaryIndex(index, place, indexCapacity, definition.schema)
    })
    const table = new Table(definition, {
      id: randomId(random),
      arn,
      keyspace,
      items: storage.open(keyspace),
      capacity: new KeyspaceCapacity(
        { kind: 'Table', arn },
        definition.billingMode,
        definition.throughput,
        capacity,
        now,
        (event) => onPartitionEvent({ ...event, table: definition.name }),
      ),
      indexes: new Map(indexes.map((index) => [index.definition.name, index])),
      storage,
      enforcement,
      now: () => clock.now(),
    })
    this.#tables.set(keyspace, table)
    return table
  }

  /** Removes a table and everything in it; resolves once the storage has let go of it. */
  async delete(region: string, name: string): Promise<void> {
    const table = this.get(region, name)
    if (table === undefined) return
    const place = placeOf(region, name)
    this.#tables.delete(place)
    await this.#parts.storage.drop([place, ...[...table.indexes.values()].map(({ keyspace }) => keyspace)])
  }
}

/** Region names have no slash, so no two tables share a place. */
function placeOf(region: string, name: string): string {
  return `${region}/${name}`
}

/** A random identifier in the form of a UUID of version 4, from the injected source. */
function randomId(random: Random): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () =>
    Math.floor(random.next() * 16).toString(16),
  )
}
