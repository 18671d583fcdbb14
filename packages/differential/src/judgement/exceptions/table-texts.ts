import type { Exception } from '../exception.js'
import { all, operationIs, texts } from '../predicates.js'

/** DynamoDB Local's errors about definitions, which have their own words and order. */
const THEIRS =
  /^(No Attribute Schema Defined|No attributes should be specified|Indexes must have a projection specified|Invalid key order\. |If Projection type |Local Secondary Indices AND |Invalid table\/index name|Local secondary indices must have|Local Secondary indices must have|GSI list is empty\/invalid|No provisioned throughput specified for the (table|global secondary index)|Two keys can not have the same name|Two (local|global) secondary indices have the same name|Cannot have two attributes with the same name|(Hash|Range) Key not specified in Attribute Definitions\. {2}Type unknown\.|Member must satisfy enum value set: \[B, N, S\]|Table read and write throughput must be at least 1, and cannot be null|No defined key schema\. |No Hash Key specified in schema\. |Too many (hash|range) keys|Local Secondary indices are not allowed on hash tables|The number of attributes in key schema must match|Invalid KeySchema: |Global Secondary Index|Local Secondary Index|Unknown ProjectionType|NonKeyAttributes|Projection|Index |Attributes? |Key |Throughput|Secondary )/

/** The errors of the service and of this engine about definitions. */
const OURS =
  /^(\d+ validation errors? detected: |One or more parameter values were invalid: |Invalid KeySchema: |Both the Hash Key and the Range Key element|At least one of |Attribute Name is duplicated: )/

/** Errors in definitions of tables and indexes. */
export const TABLE_TEXTS: readonly Exception[] = [
  {
    name: 'text-and-order-of-definitions',
    reason:
      'DynamoDB Local checks definitions by hand, with other texts, and reports another of several mistakes. The framework of the service first checks what every member may look like.',
    source:
      'https://github.com/paritysuite/dynamodb-conformance (tests/tier3/error-messages); the order is a judgement where no test has it.',
    applies: all(operationIs('CreateTable', 'UpdateTable'), texts(OURS, THEIRS)),
  },
]
