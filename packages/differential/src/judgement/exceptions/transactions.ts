import { isError } from '../comparable.js'
import type { Exception } from '../exception.js'
import { all, equalErrorsBut, onlyWeRefuse, operationIs, texts } from '../predicates.js'

const CANCELLED = /^Transaction cancelled, please refer cancellation reasons/
const API =
  'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html, which lists these texts as reasons of code ValidationError.'

/** Differences about transactions. */
export const TRANSACTIONS: readonly Exception[] = [
  {
    name: 'computed-index-key-of-another-type',
    reason:
      'DynamoDB Local lets an update of a transaction compute a value of another type for the key of a local index.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html: the data type of an index key attribute is fixed.',
    applies: all(
      operationIs('TransactWriteItems'),
      ({ ours, theirs }) =>
        isError(ours) &&
        !isError(theirs) &&
        JSON.stringify(ours.members).includes('Type mismatch for Index Key'),
    ),
  },
  {
    name: 'reason-with-a-full-stop',
    reason:
      "DynamoDB Local ends the reason of a failed condition with a full stop, unlike the same operation's own error.",
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html: `The conditional request failed`.',
    applies: equalErrorsBut(({ error, message, members }) => [
      error,
      message,
      JSON.stringify(members).replaceAll('failed."', 'failed"'),
    ]),
  },
  {
    name: 'mistake-outside-the-reasons',
    reason:
      'DynamoDB Local throws a plain ValidationException where an action does not fit its item or its key does not fit the table. The service cancels the transaction with reason ValidationError.',
    source: `${API} Key types: https://github.com/scylladb/scylladb (test/alternator/test_transact.py).`,
    applies: all(
      operationIs('TransactWriteItems', 'TransactGetItems'),
      texts(
        CANCELLED,
        /^The provided expression refers|^The document path provided|^An operand in the update expression|^Invalid attribute value type$|^Hash primary key values must be|^The number of conditions on the keys|^One of the required keys|Type mismatch for|^One or more parameter values|^Item size|^Number (over|under)flow|^Nesting Levels|^Cannot update attribute/,
      ),
    ),
  },
  {
    name: 'two-mistakes-in-a-transaction',
    reason:
      'Of mistakes in several actions, DynamoDB Local reports another than this engine, which checks each action whole, in their order, before it looks at any table.',
    source:
      'Recorded from ten regions of the service in October 2026: a mistake of a later action never beats one of an earlier action.',
    applies: all(
      operationIs('TransactWriteItems', 'TransactGetItems'),
      texts(
        /^ExpressionAttribute|^Value provided in |^Invalid \w+Expression: |^Supplied AttributeValue|^The parameter cannot be converted|^Attempting to store|^Number |^One or more parameter values|^Empty attribute name|^Key attributes must be scalars|^Requested resource not found$|specific reasons \[.*ValidationError/,
        /^ExpressionAttribute|^Value provided in |^Invalid \w+Expression: |^The document path|^The provided expression|^An operand|^One or more parameter values|^The number of conditions|^Key attributes must be scalars|^Supplied AttributeValue|^Empty attribute name|^A value provided|Type mismatch|specific reasons|^Transaction request cannot include|^Input collection|^Invalid attribute value type$|^DynamoDB only supports precision|^Invalid Request: TransactWriteRequest should contain/,
      ),
    ),
  },
  {
    name: 'numbers-of-two-spellings-in-a-transaction',
    reason:
      'DynamoDB Local writes one item twice in a transaction when its number key is spelled in two ways.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html: two actions cannot target the same item.',
    applies: all(
      operationIs('TransactWriteItems'),
      ({ ours }) =>
        isError(ours) &&
        ours.message === 'Transaction request cannot include multiple operations on one item',
    ),
  },
  {
    name: 'update-without-an-expression-in-a-transaction',
    reason: 'DynamoDB Local takes an Update without UpdateExpression. The member is required.',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Update.html',
    applies: all(
      operationIs('TransactWriteItems'),
      onlyWeRefuse(/Value null at '[\w.]*updateExpression' failed to satisfy constraint/),
    ),
  },
]
