import type { Clock } from '@isotherm/runtime'
import type { Awaitable } from '../storage/storage.js'
import type { Catalog } from '../table/catalog.js'
import type { Table } from '../table/table.js'
import type { Transactions } from '../transaction/transactions.js'
import type { StructureShape } from '../validation/shape.js'
import { ServiceError } from '../wire/service-error.js'

/** What an operation may use, and for whom it works. */
export interface OperationContext {
  readonly catalog: Catalog
  readonly transactions: Transactions
  readonly region: string
  readonly clock: Clock
  /** The most units a second that a table or index may be given. */
  readonly tableUnitsPerSecond: number
}

/** One operation of the API: what its request looks like, and what it does. */
export interface Operation {
  readonly shape: StructureShape
  /** @param input a request that fits the shape. @throws ServiceError, Throttled or ValidationError */
  run(input: never, context: OperationContext): Awaitable<object>
}

/** Ties the type of the input to the shape that was checked. */
export function defineOperation<Input>(
  shape: StructureShape,
  run: (input: Input, context: OperationContext) => Awaitable<object>,
): Operation {
  return { shape, run }
}

/** The table a data request names. @throws ServiceError when there is none. */
export function tableOf({ catalog, region }: OperationContext, name: string): Table {
  const table = catalog.get(region, name)
  if (table === undefined) {
    throw new ServiceError('ResourceNotFoundException', 'Requested resource not found')
  }
  return table
}

/** The table a control request names: the same error in other words. @throws ServiceError when there is none. */
export function controlledTable({ catalog, region }: OperationContext, name: string): Table {
  const table = catalog.get(region, name)
  if (table === undefined) {
    throw new ServiceError(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${name} not found`,
    )
  }
  return table
}
