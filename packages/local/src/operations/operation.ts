import type { Clock } from '@isotherm/runtime'
import type { ControlPlaneLimits } from '../capacity/control-plane-limits.js'
import type { Backups } from '../catalog/backups.js'
import type { Catalog } from '../catalog/catalog.js'
import type { ExportState } from '../catalog/export-state.js'
import type { ImportState } from '../catalog/import-state.js'
import type { TableLifeCycle } from '../catalog/table-life-cycle.js'
import type { TransferRecords } from '../catalog/transfer-records.js'
import { resourceNotFound, validationException } from '../errors/service-error.js'
import type { Touched } from '../metrics/touched.js'
import type { CapacityParameters } from '../partition/capacity-parameters.js'
import type { Awaitable } from '../storage/storage.js'
import type { Table } from '../table/table.js'
import { ACCOUNT, parseTableArn } from '../table/table-arn.js'
import type { Transactions } from '../transaction/transactions.js'
import type { Exports } from '../transfers/exports.js'
import type { Imports } from '../transfers/imports.js'
import { inputReader } from '../validation/input-reader.js'
import type { StructureShape } from '../validation/shape.js'

/** The dependencies of an operation, and the data about its request. */
export interface OperationContext {
  readonly catalog: Catalog
  readonly lifeCycle: TableLifeCycle
  readonly backups: Backups
  /** `undefined` when the engine has no buckets. */
  readonly exports: Exports | undefined
  readonly exportRecords: TransferRecords<ExportState>
  /** `undefined` when the engine has no buckets. */
  readonly imports: Imports | undefined
  readonly importRecords: TransferRecords<ImportState>
  readonly transactions: Transactions
  readonly region: string
  readonly clock: Clock
  /** A promise that resolves when all writes are durable, or `undefined` when they already are. */
  readonly settled: () => Promise<void> | undefined
  /**
   * Checks that a request may continue in a later turn of the event loop: that its tables are still those of the engine.
   * @throws LocalError `local.closed`, ServiceError
   */
  readonly checkCurrent: () => void
  /** The host and port by which the client reached the engine. */
  readonly address: string
  readonly touched: Touched
  readonly capacity: CapacityParameters
  readonly controlPlaneLimits: ControlPlaneLimits
}

/** One operation of the API: the shape of its requests, and its behaviour. */
export interface Operation {
  readonly shape: StructureShape
  /** Reads a request for `run`. @throws ServiceError when it does not fit the shape. */
  read(input: unknown): object
  /** @param input the result of `read`. @throws ServiceError, Throttled or ValidationError */
  run(input: never, context: OperationContext): Awaitable<object>
}

/** Ties the type of the input to the checked shape. */
export function defineOperation<Input>(
  shape: StructureShape,
  run: (input: Input, context: OperationContext) => Awaitable<object>,
): Operation {
  return { shape, read: inputReader(shape), run }
}

/**
 * The table that a data plane request names, by name or ARN. A table that is being created or deleted is not found.
 * @throws ServiceError
 */
export function tableOf(context: OperationContext, nameOrArn: string): Table {
  const table = findTable(context, nameOrArn)
  if (table === undefined || !isThere(table)) {
    throw resourceNotFound()
  }
  context.touched.tables.push(table)
  return table
}

/**
 * Records that a member of a batch was not processed because a transaction held its item. The rest of the batch
 * succeeds.
 */
export function noteConflict({ touched }: OperationContext, table: Table): void {
  touched.conflicts ??= []
  touched.conflicts.push(table)
}

/** Whether a table can be read and written. */
export function isThere(table: Table): boolean {
  if (table.state.transition === undefined) return true
  const { status } = table
  return status === 'ACTIVE' || status === 'UPDATING'
}

/**
 * The table that a control plane request names. The error text differs from `tableOf`. @throws ServiceError when it
 * does not exist.
 */
export function controlledTable(context: OperationContext, nameOrArn: string): Table {
  const table = findTable(context, nameOrArn)
  if (table === undefined) {
    throw resourceNotFound(`Table: ${parseTableArn(nameOrArn)?.name ?? nameOrArn} not found`)
  }
  return table
}

/**
 * The name of a table that a request gives by name or ARN, whether or not it exists.
 *
 * The ARN of another region is rejected, because its tables cannot be reached from here. On the service, a table of
 * another account may be accessible if its owner allows it. The engine has only one account, so no such table exists.
 *
 * @returns `undefined` for a table of another account.
 * @throws ServiceError
 */
export function ownTableName(
  { region }: Pick<OperationContext, 'region'>,
  nameOrArn: string,
): string | undefined {
  const arn = parseTableArn(nameOrArn)
  if (arn === undefined) return nameOrArn
  if (arn.region !== region) {
    throw validationException(`1 validation error detected: Invalid AWS region in '${nameOrArn}'`)
  }
  return arn.account === ACCOUNT ? arn.name : undefined
}

function findTable(context: OperationContext, nameOrArn: string): Table | undefined {
  const name = ownTableName(context, nameOrArn)
  return name === undefined ? undefined : context.catalog.get(context.region, name)
}
