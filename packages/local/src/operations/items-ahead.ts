import { MAX_BATCH_WRITE_REQUESTS, MAX_TRANSACTION_ACTIONS } from '@isotherm/semantics'
import { isJsonObject } from '../json/json-kind.js'
import { decodeParametersAhead } from '../partiql/statement.js'
import { fingerprintAhead } from '../transaction/request-token.js'
import { decodeAhead, decodePlaceholdersAhead } from '../validation/decode-item.js'
import { measureAhead } from '../validation/stored-item.js'
import { OLDER_VALUE_LAYER, VALUE_LAYER, type ValueLayer } from '../validation/value-layer.js'
import { MAX_PLACEHOLDERS } from './expressions.js'

type Steps = Generator<undefined, void, undefined>

/**
 * Decodes and measures the items that a request puts, the values of a transaction's placeholders, and the parameters of statements, before
 * the operation begins: one in each step. The fingerprint of a transaction with a token is computed in steps, too. Between steps the caller
 * can do something else. A request that is not valid is left to the operation.
 */
export function* itemsAhead(operation: string, input: unknown): Steps {
  if (!isJsonObject(input)) return
  if (operation === 'PutItem') yield* itemAhead(input)
  if (operation === 'BatchWriteItem' && isJsonObject(input.RequestItems)) {
    const writes: unknown[] = []
    for (const table in input.RequestItems) {
      const ofTable = input.RequestItems[table]
      if (!Array.isArray(ofTable) || writes.length + ofTable.length > MAX_BATCH_WRITE_REQUESTS) return
      writes.push(...ofTable)
    }
    for (const write of writes) yield* itemAhead(memberOf(write, 'PutRequest'), OLDER_VALUE_LAYER)
  }
  if (operation === 'TransactWriteItems' && Array.isArray(input.TransactItems)) {
    if (input.TransactItems.length > MAX_TRANSACTION_ACTIONS) return
    yield* ofTokenAhead(input.ClientRequestToken, input.TransactItems)
    for (const action of input.TransactItems) {
      yield* itemAhead(memberOf(action, 'Put'))
      if (isJsonObject(action)) for (const kind in action) yield* placeholdersAhead(action[kind])
    }
  }
  if (operation === 'BatchExecuteStatement')
    yield* parametersAhead(input.Statements, MAX_BATCH_WRITE_REQUESTS)
  if (operation === 'ExecuteTransaction' && Array.isArray(input.TransactStatements)) {
    if (input.TransactStatements.length > MAX_TRANSACTION_ACTIONS) return
    yield* ofTokenAhead(input.ClientRequestToken, input.TransactStatements)
    yield* parametersAhead(input.TransactStatements, MAX_TRANSACTION_ACTIONS)
  }
}

function* ofTokenAhead(token: unknown, request: readonly unknown[]): Steps {
  if (typeof token === 'string') yield* fingerprintAhead(request)
}

function* itemAhead(put: unknown, layer: ValueLayer = VALUE_LAYER): Steps {
  const item = decodeAhead(memberOf(put, 'Item'), layer)
  yield
  if (item === undefined) return
  measureAhead(item)
  yield
}

function* placeholdersAhead(action: unknown): Steps {
  const given = memberOf(action, 'ExpressionAttributeValues')
  // More of them are refused without a look at their values.
  if (!isJsonObject(given) || Object.keys(given).length > MAX_PLACEHOLDERS) return
  const values = decodePlaceholdersAhead(given)
  yield
  if (values === undefined) return
  measureAhead(values)
  yield
}

function* parametersAhead(statements: unknown, most: number): Steps {
  if (!Array.isArray(statements) || statements.length > most) return
  for (const statement of statements) {
    const given = memberOf(statement, 'Parameters')
    if (!Array.isArray(given)) continue
    decodeParametersAhead(given)
    yield
  }
}

function memberOf(structure: unknown, name: string): unknown {
  return isJsonObject(structure) ? structure[name] : undefined
}
