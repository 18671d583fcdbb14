import type { Clock } from '@isotherm/runtime'
import type { ControlPlaneLimits } from '../capacity/control-plane-limits.js'
import type { Catalog } from '../catalog/catalog.js'
import { ACCOUNT } from '../catalog/table-assembly.js'
import { ServiceError, validationException } from '../errors/service-error.js'
import type { Metrics } from '../metrics/metrics.js'
import type { Touched } from '../metrics/touched.js'
import type { CapacityParameters } from '../partition/capacity-parameters.js'
import type { Awaitable } from '../storage/storage.js'
import type { Table } from '../table/table.js'
import { parseTableArn } from '../table/table-arn.js'
import type { Transactions } from '../transaction/transactions.js'
import { inputReader } from '../validation/input-reader.js'
import type { StructureShape } from '../validation/shape.js'

/** What an operation may use, and for whom it works. */
export interface OperationContext {
  readonly catalog: Catalog
  readonly transactions: Transactions
  readonly region: string
  readonly clock: Clock
  /** Resolves once everything that was written is durable; nothing when it is. */
  readonly settled: () => Promise<void> | undefined
  /** Host and port by which the client reached the engine. */
  readonly address: string
  readonly touched: Touched
  /** Nothing when no figures are kept. */
  readonly metrics: Metrics | undefined
  readonly capacity: CapacityParameters
  readonly controlPlaneLimits: ControlPlaneLimits
}

/** One operation of the API: what its request looks like, and what it does. */
export interface Operation {
  readonly shape: StructureShape
  /** A request as `run` takes it. @throws ServiceError when it does not fit the shape. */
  read(input: unknown): object
  /** @param input what `read` gave. @throws ServiceError, Throttled or ValidationError */
  run(input: never, context: OperationContext): Awaitable<object>
}

/** Ties the type of the input to the shape that was checked. */
export function defineOperation<Input>(
  shape: StructureShape,
  run: (input: Input, context: OperationContext) => Awaitable<object>,
): Operation {
  return { shape, read: inputReader(shape), run }
}

/** The response, once what it tells of is durable. */
export function afterwards<T>(written: Awaitable<void>, response: T): Awaitable<T> {
  return written instanceof Promise ? written.then(() => response) : response
}

/**
 * The table a data request names, or gives the ARN of. One that is being created or deleted is not there.
 * @throws ServiceError
 */
export function tableOf(context: OperationContext, nameOrArn: string): Table {
  const table = findTable(context, nameOrArn)
  if (table === undefined || !isThere(table)) {
    throw new ServiceError('ResourceNotFoundException', 'Requested resource not found')
  }
  context.touched.tables.push(table)
  return table
}

/** Notes that a member of a batch came back because its item was in a transaction, which fails nothing else. */
export function noteConflict({ touched }: OperationContext, table: Table): void {
  touched.conflicts ??= []
  touched.conflicts.push(table)
}

function isThere({ state, status }: Table): boolean {
  return state.transition === undefined || status === 'ACTIVE' || status === 'UPDATING'
}

/** The table a control request names: the same error in other words. @throws ServiceError when there is none. */
export function controlledTable(context: OperationContext, nameOrArn: string): Table {
  const table = findTable(context, nameOrArn)
  if (table === undefined) {
    throw new ServiceError(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${parseTableArn(nameOrArn)?.name ?? nameOrArn} not found`,
    )
  }
  return table
}

/**
 * A table of another region cannot be reached from here, so its ARN is refused. One of another account could be there
 * on the service, if its owner lets us in: here is nobody else, and so no such table.
 */
function findTable({ catalog, region }: OperationContext, nameOrArn: string): Table | undefined {
  const arn = parseTableArn(nameOrArn)
  if (arn === undefined) return catalog.get(region, nameOrArn)
  if (arn.region !== region) {
    throw validationException(`1 validation error detected: Invalid AWS region in '${nameOrArn}'`)
  }
  return arn.account === ACCOUNT ? catalog.get(region, arn.name) : undefined
}
