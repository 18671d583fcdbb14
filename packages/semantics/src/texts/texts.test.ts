import { expect, it } from 'vitest'
import * as texts from './index.js'
import { changedKeyText, nestedKeyText, sortKeySizeText } from './keys.js'
import { atLeastText, atMostText } from './parameters.js'

const INVALID = 'One or more parameter values were invalid: '
const UNSUPPORTED = 'One or more parameter values are not valid. '
const KEY = { index: 'by_day', attribute: 'day' }

/** Programs compare these sentences, so a word that differs from the service's own breaks them. */
it.each<[string, string]>([
  [texts.DUPLICATE_KEYS_TEXT, 'Provided list of item keys contains duplicates'],
  [texts.TOO_MANY_KEYS_TEXT, 'Too many items requested for the BatchGetItem call'],
  [
    texts.noItemsText(),
    "1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
  ],
  [
    texts.tableKeysText('t'),
    "1 validation error detected: Value at 'RequestItems.t.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100",
  ],
  [
    texts.writeCountText('{}'),
    "1 validation error detected: Value '{}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]",
  ],
  [atLeastText('value', 1), 'Member must have value greater than or equal to 1'],
  [atMostText('value', 9), 'Member must have value less than or equal to 9'],
  [texts.KEY_MISMATCH_TEXT, 'The provided key element does not match the schema'],
  [
    texts.emptyKeyText('pk', { B: new Uint8Array(0) }),
    `${UNSUPPORTED}The AttributeValue for a key attribute cannot contain an empty binary value. Key: pk`,
  ],
  [changedKeyText('pk'), `${INVALID}Cannot update attribute pk. This attribute is part of the key`],
  [
    nestedKeyText('IndexKey', 'pk'),
    "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: pk",
  ],
  [
    sortKeySizeText(),
    `${INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`,
  ],
  [
    texts.indexKeyTypeText(KEY, 'S', 'N'),
    `${INVALID}Type mismatch for Index Key day Expected: S Actual: N IndexName: by_day`,
  ],
  [
    texts.emptyIndexKeyText(KEY, { S: '' }, 'put'),
    `${UNSUPPORTED}A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: by_day, IndexKey: day`,
  ],
  [
    texts.emptyIndexKeyText(KEY, { S: '' }, 'update'),
    `${UNSUPPORTED}The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.`,
  ],
  [texts.INVALID_NEXT_TOKEN_TEXT, 'Invalid NextToken'],
  [
    texts.LIMIT_TEXT,
    "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
  ],
  [
    texts.NO_KEY_CONDITION_TEXT,
    'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
  ],
  [texts.KEY_CONDITION_COUNT_TEXT, 'Conditions can be of length 1 or 2 only'],
  [texts.INVALID_START_KEY_TEXT, 'The provided starting key is invalid'],
  [
    texts.FOREIGN_START_KEY_TEXT,
    'The provided starting key is outside query boundaries based on provided conditions',
  ],
  [
    texts.unequalRangeKeysText(['a', 'b'], 'c'),
    'RANGE key attributes a, b must have equality conditions specified in the query because a condition is present on key attribute c',
  ],
  [texts.notFoundText('Table: t not found'), 'Requested resource not found: Table: t not found'],
  [
    texts.inUseText('Table is being created: t'),
    'Attempt to change a resource which is still in use: Table is being created: t',
  ],
  [
    texts.sameThroughputText({ readUnits: 1, writeUnits: 2 }),
    'The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: 1. Requested ReadCapacityUnits: 1. Current WriteCapacityUnits provisioned for the table: 2. Requested WriteCapacityUnits: 2. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
  ],
  [
    texts.sameThroughputText({ readUnits: 1, writeUnits: 2 }, 'i'),
    'The provisioned throughput for the index i will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the index: 1. Requested ReadCapacityUnits: 1. Current WriteCapacityUnits provisioned for the index: 2. Requested WriteCapacityUnits: 2. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
  ],
  [texts.MISPLACED_EXISTS_TEXT, 'EXISTS can only be used in ExecuteTransaction write requests.'],
  [
    texts.keylessSelectText('BatchExecuteStatement'),
    'Select statements within BatchExecuteStatement must specify the primary key in the where clause.',
  ],
  [texts.TRANSACTION_CONFLICT_TEXT, 'Transaction is ongoing for the item'],
  [texts.SAME_ITEM_TEXT, 'Transaction request cannot include multiple operations on one item'],
  [
    texts.NO_ACTION_TEXT,
    "1 validation error detected: Value '' at 'transactItems' failed to satisfy constraint: TransactWriteRequest should contain Delete or Put or Update or ConditionCheck",
  ],
  [
    texts.actionCountText(),
    "1 validation error detected: Value at 'TransactItems' failed to satisfy constraint: Member must have length less than or equal to 100",
  ],
  [
    texts.cancellationText([{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }]),
    'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]',
  ],
  [texts.payloadSizeText(5), 'Transaction payload size cannot exceed 4MB. Payload Size: 5'],
  [
    texts.NO_DATATYPE_TEXT,
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  ],
  [
    texts.SEVERAL_DATATYPES_TEXT,
    'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
  ],
  [texts.longNameText(), 'Attribute name is too large, must be less than 65536 bytes'],
  [texts.CONDITION_FAILED_TEXT, 'The conditional request failed'],
  [texts.RETURN_VALUES_TEXT, 'ReturnValues can only be ALL_OLD or NONE'],
])("has the service's own words: %s", (text, words) => {
  expect(text).toBe(words)
})
