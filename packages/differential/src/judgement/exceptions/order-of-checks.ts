import { isError } from '../comparable.js'
import type { Exception } from '../exception.js'
import { all, any, operationIs, texts } from '../predicates.js'

/** Errors that can be detected without the table. */
const WITHOUT_TABLE =
  /^Invalid \w+Expression: |^ExpressionAttribute(Names|Values) |^Value provided in |validation errors? detected: |^Supplied AttributeValue |^Number (over|under)flow|^The parameter cannot be converted|^Attempting to store more than 38|^One or more parameter values were invalid: (An? \w+ set|Input collection|Null attribute|Binary sets)|^ReturnValues can only|^The (Total)?Segments? |^Empty attribute name|^Nesting Levels|^Can not use both|^At least one of |^Either the KeyConditions|^Provided list of item keys|^Transaction request cannot include|^Cannot specify the |^Must specify the |^ALL_PROJECTED_ATTRIBUTES can|^The requestItems parameter|^Too many items requested|^Attribute name is too large|^KeyConditionExpressions |^Invalid (operator used|condition) in|^Query key condition not|Cannot update attribute/

/** Errors that can be detected only with the description of the table or index. */
const WITH_TABLE =
  /^Hash primary key values must be under|^Cannot do operations on a non-existent table$|^The table does not have the specified index|^Invalid attribute value type$|Type mismatch for (key|Index Key)|^One of the required keys was not given a value|^The number of conditions on the keys is invalid|^Exclusive Start Key must have same size|^The provided (starting )?key |^Consistent reads are not supported|cannot contain an empty (string|binary) value|^Missing the key|Size limit exceeded|Size of hashkey has|Aggregated size of all range keys|^Query condition missed|^Conditions can be of length|^Filter Expression can only contain|Key attributes must be scalars|Condition parameter type does not match|does not project|^One or more parameter values were invalid: Select type /

const VALUES =
  /^(ExpressionAttributeValues contains invalid value: )?(Supplied AttributeValue |Number (over|under)flow|The parameter cannot be converted|Attempting to store more than 38|One or more parameter values were invalid: (An? \w+ set|Input collection|Null attribute|Binary sets)|Empty attribute name|Nesting Levels)/

const REQUEST =
  /^Invalid \w+Expression: |^ExpressionAttribute(Names|Values) (can only|must not|contains invalid key)|^Value provided in |^Return values set to invalid value|^Invalid (operator used|condition) in|^The document path provided|^The provided expression refers|^The conditional request failed$|^A value provided cannot/

const NOT_DEFINED = /^Invalid \w+Expression: An expression attribute (name|value) used in/

/** Errors of the service's framework, before the operation sees the request. */
const CONSTRAINT = /^\d+ validation errors? detected: /

/** Requests with two errors, of which each side reports another one. */
export const ORDER_OF_CHECKS: readonly Exception[] = [
  {
    name: 'two-mistakes-table-first',
    reason:
      'Of two mistakes, DynamoDB Local reports the one that needs the description of the table. The service first reports what is wrong with the request alone.',
    source:
      'https://github.com/paritysuite/dynamodb-conformance (tests/tier3/validation-ordering); its recordings of October 2026 name a table that does not exist, and the errors are about their expressions and values.',
    applies: all(texts(WITHOUT_TABLE, WITH_TABLE), ({ ours, theirs }) => isError(ours) && isError(theirs)),
  },
  {
    name: 'two-mistakes-constraints-last',
    reason:
      'Of two mistakes, DynamoDB Local reports the one that is not about shapes. The framework of the service checks lengths, ranges and sets of names before the request is read.',
    source:
      'https://github.com/paritysuite/dynamodb-conformance (tests/tier3/validation-ordering): such mistakes are counted and reported together. That they come before all others is a judgement.',
    applies: ({ ours, theirs }) =>
      isError(ours) &&
      CONSTRAINT.test(ours.message) &&
      isError(theirs) &&
      theirs.status === 400 &&
      !CONSTRAINT.test(theirs.message),
  },
  {
    name: 'two-mistakes-values-last',
    reason:
      'Of two mistakes, DynamoDB Local reports the one in expressions, their placeholders or ReturnValues, and this engine the one in an attribute value. Which is first on the service is documented nowhere.',
    source: 'A judgement: this engine decodes values once, while it reads the request.',
    applies: texts(VALUES, REQUEST),
  },
  {
    name: 'two-mistakes-key-condition-last',
    reason:
      'Of a mistake in the key condition and one elsewhere, DynamoDB Local reports the one elsewhere, because it checks the grammar of a key condition before the rest, and its other rules after the rest.',
    source: 'A judgement: the order within one request is documented nowhere.',
    applies: all(
      operationIs('Query'),
      texts(
        /^Condition parameter|Condition parameter type does not match|^Query (key )?condition|^The number of query conditions|^KeyConditionExpressions |^Invalid (operator used|condition) in KeyConditionExpression|^Conditions can be|^Consistent reads are not|cannot contain an empty|Key attributes must be scalars|^Invalid KeyConditionExpression: /,
        /^Value provided in |^Invalid (KeyCondition|Filter|Projection)Expression: |^KeyConditionExpressions |^Query (key )?condition|^Invalid (operator used|condition) in|^Key attributes must be scalars|^Conditions can be|^The number of query conditions/,
      ),
    ),
  },
  {
    name: 'two-mistakes-of-an-index-read',
    reason:
      'Of several mistakes about what an index holds and where a page starts, DynamoDB Local reports another than this engine.',
    source: 'A judgement: the order within one request is documented nowhere.',
    applies: all(
      operationIs('Query', 'Scan'),
      texts(
        /does not project|^Cannot specify the |^Must specify the |^ALL_PROJECTED_ATTRIBUTES can|^Filter Expression can only|Select type|Key attributes must be scalars/,
        /does not project|^A value provided cannot|^The provided starting key|^Exclusive Start Key|^Cannot specify the |^Must specify the |^ALL_PROJECTED_ATTRIBUTES can|^Filter Expression can only|Key attributes must be scalars/,
      ),
    ),
  },
  {
    name: 'two-mistakes-of-a-batch',
    reason:
      'Of several mistakes in a batch, DynamoDB Local reports those of the keys first, and those in the form of members last.',
    source:
      'https://github.com/paritysuite/dynamodb-conformance (tests/tier3/validation-ordering) for what every member may look like. For the rest a judgement.',
    applies: all(
      operationIs('BatchGetItem', 'BatchWriteItem'),
      texts(
        /^Requested resource not found$|^Provided list of item keys contains|^Invalid ProjectionExpression: |^ExpressionAttributeNames |^Value provided in |^Supplied AttributeValue|^The parameter cannot|^One or more parameter values|^The provided key element does not match|^Key attributes must be scalars/,
        /^Provided list of item keys contains duplicates$|^Invalid attribute value type$|^The number of conditions on the keys is invalid$|^One or more parameter values were invalid: (An? \w+ set|Input collection|Type mismatch for Index Key$)|null AttributeValue|^The list of keys in RequestItems|^Supplied AttributeValue |^The batch write request list|^ExpressionAttributeNames |^Too many items|^Invalid ProjectionExpression|^Value provided in |numeric value|into a number|^Number (over|under)flow|^DynamoDB only supports precision/,
      ),
    ),
  },
  {
    name: 'two-mistakes-at-all',
    reason:
      'Of two mistakes that need no table, or of two that need it, DynamoDB Local reports another than this engine.',
    source: 'A judgement: the order within one request is documented nowhere.',
    applies: any(
      texts(/reserved keyword: size$/i, REQUEST),
      texts(VALUES, /^Transaction request cannot include multiple operations/),
      texts(/^ExpressionAttributeValues can only be specified/, /^ALL_PROJECTED_ATTRIBUTES can/),
      texts(/Condition parameter type does not match/, /Aggregated size of all range keys/),
      texts(/^ExpressionAttribute(Names|Values) /, /^ExpressionAttribute(Names|Values) /),
      texts(
        /^Key attributes must be scalars/,
        /^Provided list of item keys|^Invalid attribute value type$|^The conditional request failed$|^The number of conditions|^The document path|^Transaction request cannot include|^The provided expression refers to an attribute|Type mismatch for key$/,
      ),
      texts(/^The provided key element does not match the schema$/, /^Key attributes must be scalars/),
      texts(
        /Type mismatch for Index Key/,
        /^The provided expression refers to an attribute|^The document path|update a secondary index key to a value that is not supported/,
      ),
      texts(
        /^Nesting Levels/,
        /^An operand in the update expression|^KeyConditionExpressions must only contain one condition per key$/,
      ),
      texts(/^Invalid \w+Expression: Syntax error/, /^Invalid \w+Expression: The BETWEEN operator requires/),
      texts(
        /^The provided starting key is invalid: .*(Size of hashkey|Aggregated size of all range keys)/,
        /^The provided starting key does not match/,
      ),
      texts(/^Either the KeyConditions or/, /^Value provided in /),
      texts(
        /^\d+ validation errors? detected: Value '[^']*' at '(?!segment'|totalSegments')\w+' failed/,
        /^1 validation error detected: Value '-?\d+' at 'segment' failed to satisfy constraint: Member must have value less/,
      ),
      texts(/^ExpressionAttribute(Names|Values) can only/, /^Either the KeyConditions or/),
      texts(NOT_DEFINED, NOT_DEFINED),
      texts(/^Invalid \w+Expression: Operator or function requires a document path/, NOT_DEFINED),
      texts(/^Empty attribute name$/, /^Supplied AttributeValue is empty/),
      texts(/^Invalid \w+Expression: The expression can not be empty/, /: \w+Expression is null$/),
      texts(
        /^ExpressionAttributeValues can only be specified|^The (Total)?Segments? /,
        /^(Must|Cannot) specify the /,
      ),
      texts(/^The (Total)?Segments? /, /^ALL_PROJECTED_ATTRIBUTES can/),
      texts(/^(Cannot|Must) specify the |^ALL_PROJECTED_ATTRIBUTES can/, VALUES),
      texts(/^Cannot specify the /, /^Type mismatch for attribute to update$/),
      texts(
        /^Invalid ProjectionExpression: An expression attribute name used/,
        /^Invalid ProjectionExpression: Two document paths overlap/,
      ),
    ),
  },
  {
    name: 'two-mistakes-of-an-update',
    reason:
      'Of several operands of wrong types or values that are not defined, DynamoDB Local does not report the first.',
    source: 'Observed: it checks the clauses of an update in another order.',
    applies: texts(
      /^Invalid UpdateExpression: (Incorrect operand type|An expression attribute|The first operand must)/,
      /^Invalid UpdateExpression: (Incorrect operand type|An expression attribute|The first operand must|Two document paths)/,
    ),
  },
]
