import { ValidationError } from '@isotherm/semantics'
import { ServiceError, validationException } from '../wire/service-error.js'
import type { FindTable } from './named-table.js'
import { type SingleRead, singleRead } from './single-read.js'
import { type ParsedInput, parseInput, type StatementInput, withParameters } from './statement.js'
import { checkAction, type WriteAction, writeAction } from './write-action.js'

/** What the statements of a transaction come to: reads of single items, or actions on them. */
export type StatementTransaction =
  | { readonly kind: 'reads'; readonly reads: readonly SingleRead[] }
  | { readonly kind: 'writes'; readonly actions: readonly WriteAction[] }

/**
 * Works out what the statements of ExecuteTransaction do, in their order. They become what TransactGetItems and
 * TransactWriteItems are made of, so that transactions are carried out in one place.
 *
 * @throws ServiceError naming the statement that cannot be part of a transaction.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.multiplestatements.transactions.html
 */
export function statementTransaction(
  statements: readonly StatementInput[],
  findTable: FindTable,
): StatementTransaction {
  const parsed = statements.map((statement, index) => inMember(index, () => parseInput(statement)))
  const reads = parsed.filter(({ statement }) => statement.kind === 'select').length
  if (reads > 0 && reads < parsed.length) {
    throw validationException(
      'ExecuteTransaction API does not support both read and write operations in the same request.',
    )
  }
  if (reads > 0) {
    return { kind: 'reads', reads: parsed.map((each, index) => readOf(each, index, findTable)) }
  }
  return { kind: 'writes', actions: parsed.map((each, index) => actionOf(each, index, findTable)) }
}

function readOf(input: ParsedInput, index: number, findTable: FindTable): SingleRead {
  const { statement, parameters } = withParameters(input)
  return inMember(index, () => {
    if (statement.kind !== 'select') throw new TypeError('A transaction of reads has nothing else.')
    if (statement.index !== undefined) {
      throw validationException('Reads on indices are not supported within transactions.')
    }
    const read = singleRead(statement, parameters, findTable)
    if (read !== undefined) return read
    throw validationException(
      'Select statements within ExecuteTransaction must specify the primary key in the where clause.',
    )
  })
}

function actionOf(input: ParsedInput, index: number, findTable: FindTable): WriteAction {
  const { statement, parameters } = withParameters(input)
  return inMember(index, () => {
    if (statement.kind === 'select') throw new TypeError('A transaction of writes has nothing else.')
    if (statement.kind === 'exists') return checkAction(statement, parameters, findTable)
    if ('returning' in statement) {
      throw validationException('RETURNING clause is not supported in ExecuteTransaction.')
    }
    return writeAction(statement, parameters, findTable)
  })
}

/** Tells which statement it was. Values are decoded outside, for their errors do not. */
function inMember<T>(index: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const isInvalid =
      error instanceof ValidationError ||
      (error instanceof ServiceError && error.name === 'ValidationException')
    if (!isInvalid) throw error
    throw validationException(`Validation failed in TransactStatements[${index}]: ${error.message}`)
  }
}
