import type { Item, SelectStatement, WriteStatement } from '@isotherm/semantics'
import { bindWhere, MISPLACED_EXISTS_TEXT } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import { namedTable } from '../partiql/named-table.js'
import { runSelect } from '../partiql/run-select.js'
import { runWrite, type WriteResult } from '../partiql/run-write.js'
import { planSelect } from '../partiql/select-plan.js'
import {
  type ReadyStatement,
  readStatement,
  STATEMENT_MEMBERS,
  type StatementInput,
} from '../partiql/statement.js'
import { statementAction } from '../partiql/statement-action.js'
import { afterwards } from '../storage/afterwards.js'
import { nowAndOverTurns } from '../storage/over-turns.js'
import type { Awaitable } from '../storage/storage.js'
import { RETURN_CONSUMED_CAPACITY, RETURN_ON_FAILURE } from '../validation/members.js'
import { consumedCapacity, consumedRead, type ReturnConsumedCapacity } from './consumed-capacity.js'
import { defineOperation, type OperationContext, tableOf } from './operation.js'

interface ExecuteStatementInput extends StatementInput {
  readonly ConsistentRead?: boolean
  readonly Limit?: number
  readonly NextToken?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnValuesOnConditionCheckFailure?: string
}

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ExecuteStatement.html */
const MAX_TOKEN_LENGTH = 32_768

export const executeStatement = defineOperation<ExecuteStatementInput>(
  {
    type: 'structure',
    members: {
      ...STATEMENT_MEMBERS,
      ConsistentRead: { type: 'boolean' },
      Limit: { type: 'integer', value: { min: 1 } },
      NextToken: { type: 'string', length: { min: 1, max: MAX_TOKEN_LENGTH } },
      ReturnConsumedCapacity: RETURN_CONSUMED_CAPACITY,
      ReturnValuesOnConditionCheckFailure: RETURN_ON_FAILURE,
    },
  },
  (input, context) => {
    const { statement, parameters } = readStatement(input)
    switch (statement.kind) {
      case 'select':
        return select(statement, parameters, input, context)
      case 'exists':
        throw validationException(MISPLACED_EXISTS_TEXT)
      default:
        return write(statement, parameters, input, context)
    }
  },
)

function select(
  statement: SelectStatement,
  parameters: ReadyStatement['parameters'],
  input: ExecuteStatementInput,
  context: OperationContext,
): Awaitable<object> {
  // Operands are checked before the table is looked up.
  const filter = statement.where === undefined ? undefined : bindWhere(statement.where, parameters)
  const table = namedTable(statement.table, (name) => tableOf(context, name))
  const consistent = input.ConsistentRead === true
  const plan = planSelect(statement, filter, table, { consistent, now: context.clock.now() })
  const selected = runSelect(plan, {
    limit: input.Limit,
    nextToken: input.NextToken,
    consistency: consistent ? 'strong' : 'eventual',
    checkCurrent: context.checkCurrent,
  })
  return afterwards(nowAndOverTurns(selected), ({ items, nextToken, lastKey, ...units }) =>
    afterwards(items, (Items) => ({
      Items,
      ...(nextToken === undefined ? {} : { NextToken: nextToken }),
      ...(lastKey === undefined ? {} : { LastEvaluatedKey: lastKey }),
      ...consumedRead(table.name, input.ReturnConsumedCapacity, units, plan.index),
    })),
  )
}

function write(
  statement: WriteStatement,
  parameters: ReadyStatement['parameters'],
  input: ExecuteStatementInput,
  context: OperationContext,
): Awaitable<object> {
  const action = statementAction(statement, parameters, (name) => tableOf(context, name))
  const answer = ({ item, units }: WriteResult) => ({
    Items: item === undefined ? ([] satisfies Item[]) : [item],
    ...consumedCapacity(action.table.name, input.ReturnConsumedCapacity, units),
  })
  const before = action.table.peek(action.key)
  const returnsOld = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD'
  return afterwards(runWrite(action, before, returnsOld), answer)
}
