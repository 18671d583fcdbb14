import { isError } from '../comparable.js'
import type { Exception } from '../exception.js'
import { all, any, onlyTheyRefuse, onlyWeRefuse, operationIs, texts } from '../predicates.js'

const requestHolds =
  (pattern: RegExp) =>
  ({ step }: { step: { request: object } }) =>
    pattern.test(JSON.stringify(step.request))

const NESTING = /Nesting Levels have exceeded supported limits/

const EMPTY_PLACEHOLDERS =
  /^(ExpressionAttribute(?:Names|Values)) (?:can only be specified when using expressions|must not be empty)/

const UPDATE_MISTAKE =
  /^The document path provided in the update expression is invalid|^The provided expression refers to an attribute that does not exist|^An operand in the update expression has an incorrect data type|^Number (over|under)flow|^Attempting to store more than 38|^DynamoDB only supports precision up to 38/

/** Requests that one side accepts and the other refuses. */
export const LENIENCY: readonly Exception[] = [
  {
    name: 'half-of-a-throughput',
    reason:
      'DynamoDB Local accepts a throughput of an on-demand index without one of its two units, or with none of one.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ProvisionedThroughput.html: both members are required, and at least 1.',
    applies: onlyWeRefuse(
      /provisionedThroughput\.(read|write)CapacityUnits' failed to satisfy constraint: Member must (not be null|have value greater than or equal to 1)/,
    ),
  },
  {
    name: 'crashes-on-long-names',
    reason: 'DynamoDB Local answers HTTP 500 for attribute names of about 64 KB.',
    source:
      'Measured: https://github.com/scylladb/scylladb (test/alternator/test_limits.py): names of up to 65,535 bytes are taken.',
    applies: all(({ theirs }) => isError(theirs) && theirs.status === 500, requestHolds(/"\w{65000,}"/)),
  },
  {
    name: 'overlooks-empty-placeholders',
    reason:
      'DynamoDB Local takes empty ExpressionAttributeNames or ExpressionAttributeValues for absent ones, and reports the next mistake if there is one.',
    source:
      'Recorded: `ExpressionAttributeNames can only be specified when using expressions`, `... must not be empty`.',
    applies: ({ step, ours, theirs }) => {
      const refused = isError(ours) ? EMPTY_PLACEHOLDERS.exec(ours.message)?.[1] : undefined
      if (refused === undefined || !requestHolds(new RegExp(`"${refused}":\\{\\}`))({ step })) return false
      return !isError(theirs) || (theirs.status === 400 && !theirs.message.startsWith(refused))
    },
  },
  {
    name: 'does-not-check-sets-of-names',
    reason: 'DynamoDB Local takes any text for members that are one of a set of names.',
    source:
      'https://github.com/paritysuite/dynamodb-conformance (tests/tier3/validation-ordering): such members are checked, and several wrong ones reported together.',
    applies: onlyWeRefuse(
      /^\d validation errors? detected: Value '.*' at '[\w.]*(returnConsumedCapacity|returnItemCollectionMetrics|returnValuesOnConditionCheckFailure|returnValues|billingMode|select|keyType)' failed to satisfy constraint: Member must satisfy enum value set|^\d validation errors? detected: Failed to satisfy constraint: Member must satisfy enum value set/,
    ),
  },
  {
    name: 'evaluates-the-fallback',
    reason:
      'DynamoDB Local evaluates the second operand of if_not_exists where the first is there, and refuses when it names nothing.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html: if the item has the attribute, the function gives its value.',
    applies: all(
      onlyTheyRefuse(/^The provided expression refers to an attribute that does not exist in the item$/),
      requestHolds(/if_not_exists/),
    ),
  },
  {
    name: 'size-is-not-reserved',
    reason: 'DynamoDB Local takes `size` for the name of an attribute.',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ReservedWords.html lists SIZE.',
    applies: onlyWeRefuse(/Attribute name is a reserved keyword; reserved keyword: size$/i),
  },
  {
    name: 'updates-beyond-400-kb',
    reason: 'DynamoDB Local lets an update make an item a little larger than 400 KB.',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html (item size)',
    applies: onlyWeRefuse(/^Item size to update has exceeded the maximum allowed size$/),
  },
  {
    name: 'nests-one-level-less',
    reason: 'DynamoDB Local refuses a value of 32 levels.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html (nested attribute depth): 32 levels; recorded: the scalar may be at level 32.',
    applies: ({ ours, theirs }) =>
      isError(theirs) && NESTING.test(theirs.message) && !(isError(ours) && NESTING.test(ours.message)),
  },
  {
    name: 'nesting-of-values-is-not-checked',
    reason:
      'DynamoDB Local does not check how deep a value of an expression is, when nothing is written of it.',
    source:
      'https://github.com/paritysuite/dynamodb-conformance (tests/tier3/limits): such a value is refused in 22 of 33 regions.',
    applies: onlyWeRefuse(NESTING),
  },
  {
    name: 'another-mistake-of-the-update',
    reason:
      'Where several actions of an update do not fit the item, DynamoDB Local reports the one that comes first in the order of its hash table.',
    source: 'Observed: the order of the actions and of their names makes no difference.',
    applies: texts(UPDATE_MISTAKE, UPDATE_MISTAKE),
  },
  {
    name: 'throughput-of-an-on-demand-table',
    reason: 'DynamoDB Local ignores provisioned throughput that is given for an on-demand table.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html (BillingMode)',
    applies: all(
      operationIs('CreateTable', 'UpdateTable'),
      onlyWeRefuse(
        /Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST$|at 'provisionedThroughput\.\w+' failed to satisfy constraint|ProvisionedThroughput should not be specified for index: /,
      ),
    ),
  },
  {
    name: 'empty-list-of-local-indexes',
    reason:
      'DynamoDB Local takes an empty list of local indexes for none, though it refuses one of global indexes.',
    source: 'The text is that of global indexes, which both refuse.',
    applies: all(operationIs('CreateTable'), onlyWeRefuse(/List of LocalSecondaryIndexes is empty$/)),
  },
  {
    name: 'update-of-a-local-index-key',
    reason:
      'DynamoDB Local lets an update give the key of a local index a type that the index does not have.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html; a put of the same item is refused by both.',
    applies: all(
      operationIs('UpdateItem', 'TransactWriteItems'),
      onlyWeRefuse(/Type mismatch for Index Key/),
    ),
  },
  {
    name: 'start-key-at-the-bound',
    reason:
      'DynamoDB Local refuses a start key that is the last one the key condition lets through. Nothing is left after it, and that is the answer.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html: pages begin after the key.',
    applies: all(
      operationIs('Query'),
      onlyTheyRefuse(/^The provided starting key does not match the range key predicate$/),
    ),
  },
  {
    name: 'takes-digits-of-other-scripts',
    reason: 'DynamoDB Local takes Arabic digits for a number, in sets at least.',
    source: 'Known oddity of DynamoDB Local 3.3.1, which does not take them outside of sets.',
    applies: ({ ours }) => isError(ours) && /numeric value: \u0663( for key :\w+)?$/.test(ours.message),
  },
  {
    name: 'paths-into-keys-in-a-check',
    reason:
      'DynamoDB Local lets a ConditionCheck look into a key attribute, which it refuses everywhere else.',
    source: 'The text of the service for every other expression.',
    applies: all(
      operationIs('TransactWriteItems'),
      any(
        onlyWeRefuse(/^Key attributes must be scalars/),
        texts(/^Key attributes must be scalars/, /^Transaction cancelled, .*ConditionalCheckFailed/),
      ),
    ),
  },
  {
    name: 'crashes-before-the-rest',
    reason:
      'DynamoDB Local answers HTTP 500 to a request that is wrong in another place too, which this engine reports.',
    source: 'Known oddity of DynamoDB Local 3.3.1: it answers HTTP 500 to JSON types that it cannot read.',
    applies: ({ ours, theirs }) => isError(ours) && isError(theirs) && theirs.status === 500,
  },
  {
    name: 'empty-values-of-a-projection',
    reason: 'DynamoDB Local reports empty values where none may be given at all.',
    source: 'Recorded: `ExpressionAttributeValues can only be specified when using expressions`.',
    applies: texts(
      /^ExpressionAttributeValues can only be specified/,
      /^ExpressionAttributeValues must not be empty$/,
    ),
  },
]
