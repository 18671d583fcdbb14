import { selectItem } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import type { SingleRead } from '../partiql/single-read.js'
import { STATEMENT_MEMBERS, type StatementInput } from '../partiql/statement.js'
import { DUPLICATE, type StatementAction } from '../partiql/statement-action.js'
import { statementTransaction } from '../partiql/transaction-statements.js'
import { afterwards } from '../storage/afterwards.js'
import { nowAndOverTurns } from '../storage/over-turns.js'
import type { Awaitable } from '../storage/storage.js'
import { decodedInSteps } from '../table/decoded-in-steps.js'
import { requestToken } from '../transaction/request-token.js'
import type { WriteAction } from '../transaction/transaction-action.js'
import {
  CLIENT_REQUEST_TOKEN,
  RETURN_CONSUMED_CAPACITY,
  RETURN_ON_FAILURE,
  transactionList,
} from '../validation/members.js'
import type { ReturnConsumedCapacity } from './consumed-capacity.js'
import { defineOperation, type OperationContext, tableOf } from './operation.js'
import { transactionCapacity } from './transaction-capacity.js'

interface TransactedStatement extends StatementInput {
  readonly ReturnValuesOnConditionCheckFailure?: string
}

interface ExecuteTransactionInput {
  readonly TransactStatements: readonly TransactedStatement[]
  readonly ClientRequestToken?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

export const executeTransaction = defineOperation<ExecuteTransactionInput>(
  {
    type: 'structure',
    members: {
      TransactStatements: transactionList({
        ...STATEMENT_MEMBERS,
        ReturnValuesOnConditionCheckFailure: RETURN_ON_FAILURE,
      }),
      ClientRequestToken: CLIENT_REQUEST_TOKEN,
      ReturnConsumedCapacity: RETURN_CONSUMED_CAPACITY,
    },
  },
  (input, context) => {
    const transaction = statementTransaction(input.TransactStatements, (name) => tableOf(context, name))
    return transaction.kind === 'reads'
      ? readAll(transaction.reads, input, context)
      : writeAll(transaction.actions, input, context)
  },
)

function readAll(
  reads: readonly SingleRead[],
  { ReturnConsumedCapacity: wanted }: ExecuteTransactionInput,
  { transactions }: OperationContext,
): Awaitable<object> {
  const read = transactions.read(reads.map(({ table, key }) => ({ table, place: () => ({ key }) })))
  const answer = () => ({
    Responses: reads.map(({ columns }, at) => {
      const item = read.items[at]?.item
      if (item === undefined) return {}
      return { Item: columns === undefined ? item : selectItem(columns, item) }
    }),
    ...transactionCapacity(wanted, reads.map(nameOfTable), read),
  })
  return nowAndOverTurns(decodedInSteps(read.items, answer))
}

/** A write transaction returns no items, so RETURNING is rejected. */
function writeAll(
  statements: readonly StatementAction[],
  input: ExecuteTransactionInput,
  { transactions, region }: OperationContext,
): Awaitable<object> {
  const done = transactions.write({
    region,
    actions: statements.map((statement, at) => {
      const returns = input.TransactStatements[at]?.ReturnValuesOnConditionCheckFailure
      return writeOf(statement, returns === 'ALL_OLD')
    }),
    token: requestToken(input.ClientRequestToken, input.TransactStatements),
  })
  return afterwards(done, (written) => ({
    Responses: [],
    ...transactionCapacity(input.ReturnConsumedCapacity, statements.map(nameOfTable), written),
  }))
}

/**
 * The action in the form of transactions. An INSERT of an existing item is not a failed condition but an error of its
 * own kind.
 */
function writeOf(statement: StatementAction, returnsOld: boolean): WriteAction {
  const { kind, table, key, condition } = statement
  if (kind === 'check') return { table, condition, returnsOld, place: () => ({ key }) }
  if (kind !== 'put') {
    return {
      table,
      condition,
      returnsOld,
      place: () => ({ key, change: (before) => statement.after(before) }),
    }
  }
  const change: ReturnType<WriteAction['place']>['change'] = (before) => {
    if (before !== undefined) throw validationException(DUPLICATE)
    return statement.after(before)
  }
  return { table, condition: undefined, returnsOld, place: () => ({ key, change }) }
}

function nameOfTable({ table }: { readonly table: StatementAction['table'] }): string {
  return table.name
}
