/** Operations of DynamoDB's API that the page calls. A console that forwards requests admits these and no others. */
export const PAGE_READS = ['DescribeTable', 'DescribeTimeToLive', 'GetItem', 'Query', 'Scan'] as const

/** Those that change items or tables. */
export const PAGE_WRITES = [
  'BatchWriteItem',
  'CreateTable',
  'DeleteItem',
  'DeleteTable',
  'PutItem',
  'UpdateTimeToLive',
] as const

/** An operation that the page calls. */
export type PageOperation = (typeof PAGE_READS)[number] | (typeof PAGE_WRITES)[number]
