import type { Clock, Random } from '@isotherm/runtime'
import type { Buckets } from '../buckets/buckets.js'
import type { Catalog } from '../catalog/catalog.js'
import { closingController } from '../catalog/closing.js'
import { FillingTable } from '../catalog/filling-table.js'
import type { ImportState } from '../catalog/import-state.js'
import type { TableLifeCycle } from '../catalog/table-life-cycle.js'
import type { TransferFailure, TransferRecords } from '../catalog/transfer-records.js'
import { afterwards } from '../storage/afterwards.js'
import type { Awaitable, Storage } from '../storage/storage.js'
import type { TableDefinition } from '../table/table-definition.js'
import { failureOf } from './failure-of.js'
import { type Imported, importObjects } from './import-objects.js'
import type { TransferJobs } from './transfer-jobs.js'
import { newTransferId } from './transfer-names.js'

/** The dependencies of imports. */
export interface ImportParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  readonly catalog: Catalog
  readonly lifeCycle: TableLifeCycle
  readonly records: TransferRecords<ImportState>
  readonly buckets: Buckets
  readonly jobs: TransferJobs
}

/** A request for an import. */
export type ImportRequest = Pick<
  ImportState,
  'clientToken' | 'request' | 'source' | 'format' | 'compression' | 'creation'
>

/**
 * Imports of objects into new tables. A table is CREATING until all objects are read and its indexes are filled. Of an import
 * that cannot be completed no table remains.
 */
export class Imports {
  readonly #parts: ImportParts
  readonly #closing = closingController()

  constructor(parts: ImportParts) {
    this.#parts = parts
  }

  /** Begins an import. No table may have the name of the new one. */
  create(region: string, definition: TableDefinition, request: ImportRequest): Awaitable<ImportState> {
    const { clock, random, lifeCycle, records, jobs } = this.#parts
    const table = lifeCycle.create(region, definition, {})
    const filling = new FillingTable(table, this.#parts)
    const now = clock.now()
    const state: ImportState = {
      ...request,
      arn: `${table.arn}/import/${newTransferId(now, random)}`,
      region,
      tableArn: table.arn,
      tableId: table.state.id,
      status: 'IN_PROGRESS',
      startedAt: now,
      errors: 0,
      processedBytes: 0,
      processedItems: 0,
      importedItems: 0,
    }
    const begun = filling.begin(records.begin(state))
    return afterwards(begun, () => {
      jobs.run(() => this.#run(state, filling))
      return state
    })
  }

  /** Stops all imports. The next catalog removes their tables. */
  close(): void {
    this.#closing.abort()
  }

  async #run(state: ImportState, filling: FillingTable): Promise<void> {
    const { storage, clock, records, buckets } = this.#parts
    const { signal } = this.#closing
    const { table } = filling
    let latest = state
    const onProgress = (counts: Imported['counts']) => {
      latest = { ...state, ...counts }
      records.update(latest)
    }
    try {
      const { counts, errors } = await importObjects({ state, table, buckets, storage, signal, onProgress })
      await filling.fillIndexes(signal)
      signal.throwIfAborted()
      const ended: ImportState = {
        ...state,
        ...counts,
        endedAt: clock.now(),
        ...(errors.length === 0
          ? { status: 'COMPLETED' as const }
          : { status: 'FAILED' as const, failure: itemsFailed(errors) }),
      }
      await filling.complete([records.ended(ended)])
      records.update(ended)
    } catch (error) {
      if (signal.aborted) return
      await this.#discard({ ...latest, endedAt: clock.now() }, filling, failureOf(error))
    }
  }

  /** Removes the table of an import that has failed. */
  async #discard(
    state: ImportState,
    { table, unmarked }: FillingTable,
    failure: TransferFailure,
  ): Promise<void> {
    const { lifeCycle, records, jobs } = this.#parts
    const failed: ImportState = { ...state, status: 'FAILED', failure }
    // If the disk is full this cannot be saved either. Then the next catalog does the same.
    jobs.failures.set(state.arn, failure)
    await lifeCycle.discard(table, [unmarked, records.ended(failed)])
    records.update(failed)
    jobs.failures.delete(state.arn)
  }
}

/** As on the service: the import has failed, and the table has all other items. */
function itemsFailed(errors: readonly string[]): TransferFailure {
  const message = `Some of the items failed validation checks and were not imported. The first of them: ${errors.join('; ')}.`
  return { code: 'ItemValidationError', message }
}
