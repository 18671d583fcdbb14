import {
  keylessSelectText,
  MAX_TRANSACTION_BYTES,
  payloadSizeText,
  utf8Length,
  ValidationError,
  valueBytes,
} from '@isotherm/semantics'
import { ServiceError, validationException } from '../errors/service-error.js'
import { cancelled, NO_REASON } from '../transaction/cancellation.js'
import { WrongKeyType } from './key-test.js'
import type { FindTable } from './named-table.js'
import { type SingleRead, singleRead } from './single-read.js'
import { parseInput, type ReadyStatement, type StatementInput, withParameters } from './statement.js'
import { checkAction, type StatementAction, statementAction } from './statement-action.js'

/** The statements of a transaction, converted to reads of single items or to actions on them. */
export type StatementTransaction =
  | { readonly kind: 'reads'; readonly reads: readonly SingleRead[] }
  | { readonly kind: 'writes'; readonly actions: readonly StatementAction[] }

/**
 * Converts the statements of ExecuteTransaction, in order. The results are the same as those of TransactGetItems and
 * TransactWriteItems, so that one place executes all transactions.
 *
 * @throws ServiceError that names the statement which cannot be part of a transaction.
 *
 * Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.multiplestatements.transactions.html
 */
export function statementTransaction(
  inputs: readonly StatementInput[],
  findTable: FindTable,
): StatementTransaction {
  const each = <From, To>(members: readonly From[], work: (member: From) => To) =>
    members.map((member, at) => inMember(at, members.length, () => work(member)))
  const parsed = each(inputs, parseInput)
  const reads = parsed.filter(({ statement }) => statement.kind === 'select').length
  if (reads > 0 && reads < parsed.length) {
    throw validationException(
      'ExecuteTransaction API does not support both read and write operations in the same request.',
    )
  }
  // Values are decoded separately, because their errors do not name the statement.
  const ready = parsed.map(withParameters)
  checkPayload(inputs, ready)
  return reads > 0
    ? { kind: 'reads', reads: each(ready, (member) => readOf(member, findTable)) }
    : { kind: 'writes', actions: each(ready, (member) => actionOf(member, findTable)) }
}

function readOf({ statement, parameters }: ReadyStatement, findTable: FindTable): SingleRead {
  if (statement.kind !== 'select') throw new TypeError('A transaction of reads has nothing else.')
  if (statement.index !== undefined) {
    throw validationException('Reads on indices are not supported within transactions.')
  }
  const read = singleRead(statement, parameters, findTable)
  if (read !== undefined) return read
  throw validationException(keylessSelectText('ExecuteTransaction'))
}

function actionOf({ statement, parameters }: ReadyStatement, findTable: FindTable): StatementAction {
  if (statement.kind === 'select') throw new TypeError('A transaction of writes has nothing else.')
  if (statement.kind === 'exists') return checkAction(statement, parameters, findTable)
  if ('returning' in statement) {
    throw validationException('RETURNING clause is not supported in ExecuteTransaction.')
  }
  return statementAction(statement, parameters, findTable)
}

/** Checks the total size of statements and parameter values. @throws ServiceError */
function checkPayload(inputs: readonly StatementInput[], ready: readonly ReadyStatement[]): void {
  let bytes = 0
  for (const { Statement: text } of inputs) bytes += utf8Length(text)
  for (const { parameters } of ready) for (const value of parameters) bytes += valueBytes(value)
  if (bytes <= MAX_TRANSACTION_BYTES) return
  throw validationException(payloadSizeText(bytes))
}

/** Adds the position of the statement to an error. */
function inMember<T>(at: number, count: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof WrongKeyType) {
      const reason = { Code: 'ValidationError', Message: error.message } as const
      throw cancelled(Array.from({ length: count }, (_, member) => (member === at ? reason : NO_REASON)))
    }
    const isInvalid =
      error instanceof ValidationError ||
      (error instanceof ServiceError && error.name === 'ValidationException')
    if (!isInvalid) throw error
    throw validationException(`Validation failed in TransactStatements[${at}]: ${error.message}`)
  }
}
