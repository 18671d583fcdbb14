import { inBackground } from '../storage/in-background.js'
import type { RecordValue } from '../storage/record.js'
import type { Storage } from '../storage/storage.js'
import type { StreamParameters } from '../stream/stream-parameters.js'
import { Streams } from '../stream/streams.js'
import type { TableState } from '../table/table-state.js'
import { Backfill } from './backfill.js'
import { Backups } from './backups.js'
import { Catalog } from './catalog.js'
import type { ControlPlaneDelays } from './control-plane-delays.js'
import { ExpirySweep } from './expiry-sweep.js'
import type { ExportState } from './export-state.js'
import { leftovers } from './filling-table.js'
import type { ImportState } from './import-state.js'
import { type AssemblyParts, TableAssembly } from './table-assembly.js'
import { TableLifeCycle } from './table-life-cycle.js'
import { type TransferParts, TransferRecords } from './transfer-records.js'

/** The dependencies of a catalog. */
export interface CatalogParts extends AssemblyParts {
  /** The records to load. */
  readonly records: ReturnType<Storage['records']>
  readonly streams: StreamParameters
  readonly delays: ControlPlaneDelays
  readonly transferFailures: TransferParts['failures']
  /** Returns an export in progress as it ended, if it is complete. `undefined` when there are no buckets to look into. */
  readonly completedExport: ((state: ExportState) => ExportState | undefined) | undefined
}

/** The tables and streams of a store, with everything that changes them. */
export interface OpenCatalog {
  readonly catalog: Catalog
  readonly lifeCycle: TableLifeCycle
  readonly expiry: ExpirySweep
  readonly backups: Backups
  readonly exportRecords: TransferRecords<ExportState>
  readonly importRecords: TransferRecords<ImportState>
  /** Stops background work. */
  close(): void
  /** Stops background work and discards all tables at once: requests in flight fail. The store is not changed. */
  clear(): void
}

/** Loads the tables and streams that the records of a store describe. */
export function openCatalog(parts: CatalogParts): OpenCatalog {
  const { storage, clock, random, delays, enforcement, capacity, meters } = parts
  const streams = new Streams({ storage, random, parameters: parts.streams })
  const catalog = new Catalog(storage, streams)
  const assembly = new TableAssembly(parts, streams)
  const isPaid = delays.backfillIndex > 0 && enforcement.throttle
  const backfill = new Backfill({ storage, clock, catalog, isPaid })
  const expiry = new ExpirySweep(storage, clock)
  const lifeCycle = new TableLifeCycle({
    storage,
    clock,
    random,
    catalog,
    assembly,
    backfill,
    expiry,
    capacity,
    delays,
    meters,
  })
  const backups = new Backups({
    storage,
    clock,
    random,
    catalog,
    discard: (table, records) => lifeCycle.discard(table, records),
  })
  const transferParts = { clock, failures: parts.transferFailures }
  const exportRecords = new TransferRecords('export', transferParts, parts.completedExport)
  const importRecords = new TransferRecords<ImportState>('import', transferParts)
  const unfinished: ReturnType<typeof leftovers>[] = []
  const restoring = new Set<string>()
  const tables: [keyspace: string, state: RecordValue][] = []
  for (const [name, value] of parts.records) {
    const [kind, place] = cutAtSlash(name)
    if (kind === 'stream') streams.load(value)
    else if (kind === 'table') tables.push([place, value])
    else if (kind === 'backup') {
      const removed = backups.load(value)
      if (removed !== undefined) unfinished.push({ keyspaces: [name], records: [removed] })
    } else if (kind === 'export') {
      const ended = exportRecords.load(value)
      // Without buckets, nothing shows how it ended. A later start may have them.
      if (ended !== undefined && parts.completedExport !== undefined)
        unfinished.push({ keyspaces: [], records: [ended] })
    } else if (kind === 'import') {
      const failed = importRecords.load(value)
      if (failed !== undefined) unfinished.push({ keyspaces: [], records: [failed] })
    } else if (kind === 'restoring') {
      restoring.add(place)
      unfinished.push(leftovers(place, value))
    } else assembly.remember(kind, place, value)
  }
  for (const { keyspaces, records } of unfinished) inBackground(storage.drop(keyspaces, records))
  streams.sweep(clock.now())
  for (const [keyspace, state] of tables.filter(([keyspace]) => !restoring.has(keyspace)))
    lifeCycle.resume(keyspace, state as unknown as TableState)
  assembly.forgetKept()
  return {
    catalog,
    lifeCycle,
    expiry,
    backups,
    exportRecords,
    importRecords,
    close: () => {
      backfill.close()
      backups.close()
    },
    clear: () => {
      backfill.close()
      backups.close()
      catalog.clear()
      lifeCycle.clear()
      expiry.clear()
    },
  }
}

function cutAtSlash(text: string): [string, string] {
  const at = text.indexOf('/')
  return [text.slice(0, at), text.slice(at + 1)]
}
