import { withCanonicalNumbers } from '../adjustments/items.js'
import type { Exception } from '../exception.js'
import { equalErrorsBut } from '../predicates.js'
import { fromRow, type TextRow } from './rows.js'

const FRAMEWORK =
  'https://github.com/paritysuite/dynamodb-conformance (tests/tier3/validation-ordering): lengths, ranges, patterns, sets of names and what must not be null are reported in one form.'
const RECORDED =
  'The text of the service as public test-suites recorded it, such as https://github.com/paritysuite/dynamodb-conformance (tests/tier3/error-messages).'
const SHAPE = 'DynamoDB Local checks this member by hand and in its own words.'
const WORDS = 'DynamoDB Local words the same mistake differently.'

/** Errors that both sides report in different words. */
const ROWS: readonly TextRow[] = [
  {
    name: 'text-of-return-values',
    ours: /^ReturnValues can only be ALL_OLD or NONE$|at 'returnValues' failed to satisfy constraint: Member must satisfy enum|Member must satisfy enum value set: \[ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE\]/,
    theirs: /^Return values set to invalid value$/,
    reason: WORDS,
    source: RECORDED,
  },
  {
    name: 'text-of-select',
    ours: /at 'select' failed to satisfy constraint: Member must satisfy enum value set/,
    theirs: /^Select must be ALL_ATTRIBUTES/,
    reason: SHAPE,
    source: FRAMEWORK,
  },
  {
    name: 'text-of-missing-key',
    ours: /Value null at 'key' failed to satisfy constraint: Member must not be null/,
    theirs: /^Cannot have null key for GetItem, DeleteItem, or UpdateItem$/,
    reason: SHAPE,
    source: FRAMEWORK,
  },
  {
    name: 'text-of-missing-item',
    ours: /Value null at 'item' failed to satisfy constraint: Member must not be null|Missing the key \S+ in the item$|^The provided key element does not match the schema$/,
    theirs: /^Item to put in PutItem cannot be/,
    reason: SHAPE,
    source: FRAMEWORK,
  },
  {
    name: 'text-of-missing-batch',
    ours: /Value null at 'requestItems' failed to satisfy constraint: Member must not be null|^1 validation error detected: Value at 'RequestItems' failed/,
    theirs: /^Batch(Write|Get)Item (cannot have a null or no|must have some) requests set$/,
    reason: SHAPE,
    source: FRAMEWORK,
  },
  {
    name: 'text-of-limit',
    ours: /at '[lL]imit' failed to satisfy constraint: Member must have value/,
    theirs: /^Limit (in ListTables )?must be /,
    reason: SHAPE,
    source: FRAMEWORK,
  },
  {
    name: 'text-of-table-name',
    ours: /at '[\w.]*(tableName|TableName|indexName|exclusiveStartTableName|requestItems)' failed to satisfy constraint: (Member must (have length|satisfy regular)|Map keys)/,
    theirs: /^Invalid table\/index name\. {2}Table\/index names must be between 3 and 255 characters long/,
    reason: SHAPE,
    source: FRAMEWORK,
  },
  {
    name: 'text-of-missing-table-name',
    ours: /^The parameter 'TableName' is required but was not present in the request$/,
    theirs: /^Invalid table\/index name\.|TableName/,
    reason: SHAPE,
    source: RECORDED,
  },
  {
    name: 'count-of-missing-members',
    ours: /^\d validation errors? detected: Value (null at|'\[\]' at|at) '[\w.]+' failed to satisfy constraint: Member must (not be null|have length)/,
    theirs: /^Value null at '[\w.]+' failed to satisfy constraint: Member must not be null$/,
    reason: 'DynamoDB Local leaves out how many mistakes it reports.',
    source: FRAMEWORK,
  },
  {
    name: 'text-of-batch-lists',
    ours: /Map value must satisfy constraint: \[Member must have length less than or equal to 25, Member must have length/,
    theirs:
      /^The batch write request list for a table cannot be null or empty|^Too many items requested for the BatchWriteItem call/,
    reason: SHAPE,
    source: RECORDED,
  },
  {
    name: 'text-of-empty-write-request',
    ours: /^Supplied AttributeValue is empty, must contain exactly one of the supported datatypes$/,
    theirs:
      /^Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes$/,
    reason: 'DynamoDB Local has one text for a member of a batch without a request and for one with two.',
    source: 'The two texts say which is which.',
  },
  {
    name: 'text-of-numbers',
    ours: /The parameter cannot be converted to a numeric value/,
    theirs: /A value provided cannot be converted into a number/,
    reason: WORDS,
    source: RECORDED,
  },
  {
    name: 'text-of-nesting',
    ours: /^Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit$/,
    theirs: /Nesting Levels have exceeded supported limits( for key :\w+)?$/,
    reason: 'DynamoDB Local leaves out the second half of the text.',
    source: RECORDED,
  },
  {
    name: 'text-of-too-many-key-conditions',
    ours: /^The number of query conditions \(\d+\) exceeds the number of key attributes defined in the schema \(\d+\)$/,
    theirs: /^Conditions can be of length 1 or 2 only$/,
    reason: WORDS,
    source: RECORDED,
  },
  {
    name: 'text-of-digits',
    ours: /Attempting to store more than 38 significant digits in a Number/,
    theirs: /DynamoDB only supports precision up to 38 digits/,
    reason: WORDS,
    source: RECORDED,
  },
  {
    name: 'text-of-key-types',
    ours: /^The provided key element does not match the schema$|Type mismatch for (key|Index Key) \S+ [eE]xpected: |^The provided starting key is invalid/,
    theirs:
      /^Invalid attribute value type$|Type mismatch for (key|Index Key)$|^One of the required keys was not given a value$/,
    reason: WORDS,
    source: RECORDED,
  },
  {
    name: 'text-of-missing-key-attributes',
    ours: /Missing the key \S* ?in the item$/,
    theirs: /^One of the required keys was not given a value$/,
    reason: WORDS,
    source: RECORDED,
  },
  {
    name: 'text-of-start-keys',
    ours: /^The provided starting key is invalid|^The provided key element does not match the schema/,
    theirs:
      /^Exclusive Start Key must have same size as table's key schema$|^(The query can return at most one row and cannot be restarted\. )?The provided starting key is invalid|^Type mismatch for attribute to update$/,
    reason: WORDS,
    source: RECORDED,
  },
  {
    name: 'text-of-key-sizes',
    ours: /Size of hashkey has exceeded|Aggregated size of all range keys has exceeded/,
    theirs:
      /^One or more parameter values were invalid: Size limit exceeded$|^Hash primary key values must be under 2048 bytes/,
    reason: WORDS,
    source: RECORDED,
  },
  {
    name: 'text-of-missed-hash-key',
    ours: /^Query condition missed key schema element: /,
    theirs: /^Query condition missed key schema element$/,
    reason: 'DynamoDB Local does not say which key attribute is missing.',
    source: RECORDED,
  },
  {
    name: 'text-of-duplicates',
    ours: /Input collection .*contains duplicates\.?( for key :\w+)?$/,
    theirs: /Input collection (\[.*\] ?|of type BS )?contains duplicates/,
    reason: 'DynamoDB Local lists the members of a set another way.',
    source: 'Public recordings of 2026, by which this engine lists them.',
  },
  {
    name: 'value-without-its-placeholder',
    ours: /^(Supplied AttributeValue|Number |Nesting Levels|One or more parameter values|The parameter cannot|Attempting to store|Empty attribute name)/,
    theirs: /^ExpressionAttributeValues contains invalid value: .* for key :\w+$/,
    reason:
      'DynamoDB Local always names the placeholder of a value that cannot be read. The service does so for Scan and transactions, and leaves it out elsewhere in some of its regions.',
    source: 'Public recordings of 2026, by which this engine words these errors.',
  },
  {
    name: 'text-of-empty-index-keys',
    ours: /^One or more parameter values are not valid\. The AttributeValue for a key attribute cannot contain an empty (string|binary) value\. Key: /,
    theirs:
      /^One or more parameter values are not valid\. A value specified for a secondary index key is not supported\./,
    reason:
      'DynamoDB Local refuses an empty value in the key condition of an index with the text that both have for one that is written.',
    source: 'A judgement: the text of the service for this is not known.',
  },
  {
    name: 'text-of-long-transactions',
    ours: /at 'TransactItems' failed to satisfy constraint: Member must have length less than or equal to 100$/,
    theirs: /^Member must have length less than or equal to 100$/,
    reason: 'DynamoDB Local names the constraint without the member.',
    source: FRAMEWORK,
  },
  {
    name: 'text-of-empty-keys-of-a-batch',
    ours: /^The provided key element does not match the schema$/,
    theirs: /^The list of keys in RequestItems for BatchGetItem may not contain null or empty values/,
    reason: WORDS,
    source: RECORDED,
  },
  {
    name: 'text-of-missing-keys-of-a-batch',
    ours: /Value null at 'requestItems\.[\w.-]+' failed to satisfy constraint: Member must not be null/,
    theirs: /^The supplied Item contains a null AttributeValue$|^The list of keys in RequestItems/,
    reason: WORDS,
    source: FRAMEWORK,
  },
  {
    name: 'text-of-keys-of-a-batch',
    ours: /at 'RequestItems\.[\w.-]+\.member\.Keys' failed to satisfy constraint: Member must have length less than/,
    theirs: /^Too many items requested for the BatchGetItem call$/,
    reason: SHAPE,
    source: RECORDED,
  },
  {
    name: 'text-of-missing-total-segments',
    ours: /^The (TotalSegments|Segment) parameter is required but was not present/,
    theirs:
      /^If (segment|total segments?) is specified, (total segment|a particular segment) must also be specified/,
    reason: WORDS,
    source: RECORDED,
  },
  {
    name: 'text-of-segments',
    ours: /^1 validation error detected: Value at 'Segment' failed to satisfy constraint: Member must have value (greater|less) than or equal to \d+$|at 'totalSegments' failed|^The Segment parameter is zero-based and must be less than parameter TotalSegments/,
    theirs:
      /^1 validation error detected: Value '-?\d+' at 'segment' failed to satisfy constraint: Member must have value less than or equal to -?\d+$/,
    reason: 'DynamoDB Local takes TotalSegments for a bound that the framework checks.',
    source: 'https://github.com/paritysuite/dynamodb-conformance (tests/tier3/error-messages)',
  },
  {
    name: 'number-as-it-was-written',
    ours: /^Invalid \w+Expression: The BETWEEN operator requires .*\{N:/,
    theirs: /^Invalid \w+Expression: The BETWEEN operator requires .*\{N:/,
    reason: 'DynamoDB Local shows a number as it was written, this engine as it is kept.',
    source: 'A judgement: how the service writes the number here is not known.',
  },
  {
    name: 'order-of-unused-placeholders',
    ours: /unused in expressions: keys: \{/,
    theirs: /unused in expressions: keys: \{/,
    reason: 'DynamoDB Local lists the placeholders in the order of its hash table.',
    source: 'A judgement: this engine lists them as the request does.',
  },
  {
    name: 'names-and-no-projection',
    ours: /^ExpressionAttributeNames can only be specified when using expressions$/,
    theirs:
      /^Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES$/,
    reason: 'Of two mistakes in the members of one request, each side reports a different one.',
    source: 'A judgement: which of the two the service reports is not known.',
  },
  {
    name: 'parentheses-around-a-name',
    ours: /^Invalid \w+Expression: The expression has redundant parentheses/,
    theirs: /^Invalid \w+Expression: Syntax error; token: "(<EOF>|\))"/,
    reason: 'Both refuse parentheses around a name that is no condition, with two texts.',
    source: 'A judgement: which text the service gives here is not known.',
  },
  {
    name: 'order-of-attributes-not-projected',
    ours: /Global secondary index \S+ does not project \[/,
    theirs: /Global secondary index \S+ does not project \[/,
    reason: 'DynamoDB Local lists the attributes in the order of its hash table.',
    source: 'A judgement: this engine lists them as the request does.',
  },
]

export const OWN_TEXTS: readonly Exception[] = [
  ...ROWS.map(fromRow),
  {
    name: 'numbers-of-returned-items',
    reason: 'DynamoDB Local gives numbers inside the item of a failed condition back as they were written.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html: leading and trailing zeroes are trimmed.',
    applies: equalErrorsBut(({ error, message, members }) => [
      error,
      message,
      JSON.stringify(withCanonicalNumbers(members)).replaceAll('failed."', 'failed"'),
    ]),
  },
]
