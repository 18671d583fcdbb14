/**
 * DynamoDB's limits, each named once. Sizes are in bytes and KB is 1,024 bytes.
 *
 * Source, unless a line says otherwise:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */

/** An item, names included: 400 KB. */
export const MAX_ITEM_BYTES = 409_600
export const MAX_PARTITION_KEY_BYTES = 2048
export const MAX_SORT_KEY_BYTES = 1024
/** An attribute's name; documented as 64 KB, measured as one byte less. */
export const MAX_ATTRIBUTE_NAME_BYTES = 65_535
/** The name of a key attribute or of an attribute that an index projects. */
export const MAX_KEY_NAME_BYTES = 255
/** The levels of a document path, and of a value with its innermost scalar. */
export const MAX_NESTING_DEPTH = 32
/** Lists and maps inside one another: the scalar inside is at level 32. */
export const MAX_CONTAINER_DEPTH = MAX_NESTING_DEPTH - 1
export const MIN_TABLE_NAME_LENGTH = 3
export const MAX_TABLE_NAME_LENGTH = 255

export const MAX_EXPRESSION_BYTES = 4096
/** Operators and functions in one expression. */
export const MAX_EXPRESSION_OPERATORS = 300
export const MAX_IN_OPERANDS = 100
/** One `#name` or `:value` placeholder. */
export const MAX_PLACEHOLDER_BYTES = 255

/** The data that a Query or Scan evaluates before it ends a page: 1 MB. */
export const MAX_PAGE_BYTES = 1_048_576
export const MAX_BATCH_WRITE_REQUESTS = 25
export const MAX_BATCH_GET_KEYS = 100
/** The data that one BatchGetItem returns, and that one request can carry: 16 MB. */
export const MAX_BATCH_BYTES = 16_777_216
/** Actions of one transaction. */
export const MAX_TRANSACTION_ACTIONS = 100
/** The data that one transaction's request or response can carry: 4 MB. */
export const MAX_TRANSACTION_BYTES = 4_194_304
/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
export const MAX_CLIENT_REQUEST_TOKEN_LENGTH = 36
export const MAX_SCAN_SEGMENTS = 1_000_000

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
export const MAX_GLOBAL_SECONDARY_INDEXES = 20

/** Local secondary indexes of one table. */
export const MAX_LOCAL_SECONDARY_INDEXES = 5
/** Attributes named by all INCLUDE projections of a table together. Same source. */
export const MAX_PROJECTED_ATTRIBUTES = 100
