import type { Clock } from '@isotherm/runtime'
import type { Awaitable } from '../storage/storage.js'
import type { Catalog } from '../table/catalog.js'
import type { Table } from '../table/table.js'
import type { StructureShape } from '../validation/shape.js'
import { ServiceError } from '../wire/service-error.js'

/** What an operation may use, and for whom it works. */
export interface OperationContext {
  readonly catalog: Catalog
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

/** The response, once what it tells of is durable. */
export function afterwards<T>(written: Awaitable<void>, response: T): Awaitable<T> {
  return written instanceof Promise ? written.then(() => response) : response
}

/** The table a data request names. One that is being created or deleted is not there. @throws ServiceError */
export function tableOf({ catalog, region }: OperationContext, name: string): Table {
  const table = catalog.get(region, name)
  if (table === undefined || !isThere(table)) {
    throw new ServiceError('ResourceNotFoundException', 'Requested resource not found')
  }
  return table
}

function isThere({ state, status }: Table): boolean {
  return state.transition === undefined || status === 'ACTIVE' || status === 'UPDATING'
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
