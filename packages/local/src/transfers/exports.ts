import type { Clock, Random } from '@isotherm/runtime'
import type { Buckets } from '../buckets/buckets.js'
import { closingController } from '../catalog/closing.js'
import type { ExportState } from '../catalog/export-state.js'
import type { TransferRecords } from '../catalog/transfer-records.js'
import { afterwards } from '../storage/afterwards.js'
import type { KeyspaceView } from '../storage/keyspace-view.js'
import type { Awaitable, Storage } from '../storage/storage.js'
import type { Table } from '../table/table.js'
import { failureOf } from './failure-of.js'
import type { TransferJobs } from './transfer-jobs.js'
import { newTransferId, randomName } from './transfer-names.js'
import { type ExportJob, writeExport } from './write-export.js'

/** The dependencies of exports. */
export interface ExportParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  readonly records: TransferRecords<ExportState>
  readonly buckets: Buckets
  readonly jobs: TransferJobs
}

/** A request for an export. */
export type ExportRequest = Pick<
  ExportState,
  'clientToken' | 'request' | 'bucket' | 'bucketOwner' | 'prefix' | 'sseAlgorithm'
>

/** Exports of tables, each of one moment: that of its request. They are written beside the requests. */
export class Exports {
  readonly #parts: ExportParts
  readonly #closing = closingController()

  constructor(parts: ExportParts) {
    this.#parts = parts
    const { records, buckets, jobs } = parts
    for (const { bucket, folder } of records.interrupted) jobs.run(() => buckets.discard(bucket, folder))
  }

  /** Begins an export. */
  create(table: Table, request: ExportRequest): Awaitable<ExportState> {
    const { storage, clock, random, records, jobs } = this.#parts
    const now = clock.now()
    const id = newTransferId(now, random)
    const { prefix = '' } = request
    const state: ExportState = {
      ...request,
      arn: `${table.arn}/export/${id}`,
      region: table.region,
      tableArn: table.arn,
      tableId: table.state.id,
      status: 'IN_PROGRESS',
      startedAt: now,
      exportTime: now,
      folder: `${prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`}AWSDynamoDB/${id}`,
      items: 0,
      bytes: 0,
    }
    const { partitions } = table.capacity
    const objects = partitions.all.map((partition) => ({
      name: randomName(random),
      range: { from: partition.from, to: partitions.endOf(partition) },
    }))
    const view = storage.view(table.keyspace)
    const saved = storage.write([], records.begin(state))
    if (saved instanceof Promise) saved.catch(() => view.close())
    return afterwards(saved, () => {
      jobs.run(() => this.#run(state, view, objects))
      return state
    })
  }

  /** Stops all exports. */
  close(): void {
    this.#closing.abort()
  }

  async #run(state: ExportState, view: KeyspaceView, objects: ExportJob['objects']): Promise<void> {
    const { buckets, clock } = this.#parts
    const { signal } = this.#closing
    let ended: ExportState
    try {
      ended = await writeExport({ state, view, objects, buckets, clock, signal })
    } catch (error) {
      ended = { ...state, status: 'FAILED', failure: failureOf(error), endedAt: clock.now() }
    } finally {
      view.close()
    }
    // The next catalog says that an export was interrupted.
    if (!signal.aborted) await this.#save(ended)
  }

  async #save(ended: ExportState): Promise<void> {
    const { storage, records, jobs } = this.#parts
    try {
      await storage.write([], [records.ended(ended)])
      records.update(ended)
    } catch (error) {
      jobs.failures.set(ended.arn, ended.failure ?? failureOf(error))
    }
  }
}
