import { ServiceError } from '../errors/service-error.js'
import type { Throttled } from './throttled.js'

/**
 * The texts of throttling errors. Sources: the message list of TransactionCanceledException in the API reference, and
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
const PROVISIONED_TABLE =
  'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.'
const PROVISIONED_INDEX =
  'The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API.'
const ON_DEMAND =
  'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html'
const ON_DEMAND_INDEX =
  'Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically scaling your index so please try again shortly.'
const MAXIMUM = 'Throughput exceeds the maximum OnDemandThroughput configured on table or index'
const ACCOUNT =
  'Throughput exceeds the current throughput limit for your account. To request a limit increase, contact AWS Support at https://aws.amazon.com/support'

/**
 * The service's error for a throttled request. The capacity mode decides how the member with the reasons is spelled.
 */
export function throttlingError(throttled: Throttled): ServiceError {
  const { reasons } = throttled
  const { name, text } = wordsFor(throttled)
  return new ServiceError(
    name,
    text,
    name === 'ThrottlingException' ? { throttlingReasons: reasons } : { ThrottlingReasons: reasons },
  )
}

/** Only the text, for the reasons of a cancelled transaction. */
export function throttlingText(throttled: Throttled): string {
  return wordsFor(throttled).text
}

function wordsFor({ billingMode, reasons }: Throttled): { readonly name: string; readonly text: string } {
  const isIndex = reasons.every(({ reason }) => reason.startsWith('Index'))
  if (reasons.some(({ reason }) => reason.endsWith('AccountLimitExceeded'))) {
    return { name: 'RequestLimitExceeded', text: ACCOUNT }
  }
  if (billingMode === 'PROVISIONED') {
    return {
      name: 'ProvisionedThroughputExceededException',
      text: isIndex ? PROVISIONED_INDEX : PROVISIONED_TABLE,
    }
  }
  if (reasons.some(({ reason }) => reason.endsWith('MaxOnDemandThroughputExceeded'))) {
    return { name: 'ThrottlingException', text: MAXIMUM }
  }
  const isIndexWrite = isIndex && reasons.every(({ reason }) => reason.startsWith('IndexWrite'))
  return { name: 'ThrottlingException', text: isIndexWrite ? ON_DEMAND_INDEX : ON_DEMAND }
}
